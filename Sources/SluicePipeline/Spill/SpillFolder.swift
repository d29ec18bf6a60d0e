import SluiceLog
import SluiceReadings
@_spi(Preview) import SluiceRecording
import SluiceSystem

/// The log of one output: where it is, and what an earlier run has left in it.
struct SpillFolder {
  let path: String
  let log: SegmentLog
  /// The file that is cut back to a length, because what is behind it is given again from the log.
  let cut: (file: FileIdentity, length: Int64)?
  /// The readings that may be in the output already, and are given again, because nothing says how long it was.
  let mayBeTwice: Int

  /// The readings that an earlier run has left.
  var waiting: Int { Int(log.next - log.watermark.next) }

  static let ending = "-spill"

  /// The folder of the log of an output.
  static func path(of output: RecordingOutput, _ plan: SpillPlan) throws(SluiceError) -> String {
    var address = output.path
    while address.count > 1, address.hasSuffix("/") { address.removeLast() }
    guard output.path != "-", output.kind.hasFiles else {
      throw SluiceError(
        .usage, "spill the readings of", output.path == "-" ? "standard output" : output.path,
        because: "only readings for files can go on in a later run",
        remedy: "write to a file, or choose another policy for a full buffer")
    }
    guard let folder = plan.folder else { return address + ending }
    let name = address.split(separator: "/").last.map(String.init) ?? address
    return "\(folder.hasSuffix("/") ? folder : folder + "/")\(name)\(ending)"
  }

  /// Opens the log, and makes its folder.
  /// - Parameters:
  ///   - file: The file that the output appends to; nil if it begins a new one.
  ///   - streams: The streams of the output.
  /// - Throws: Also if the log has readings that do not belong into the output.
  init(
    of output: RecordingOutput, appendingTo file: String?, _ plan: SpillPlan, _ streams: [StreamDescription], _ disk: Disk
  ) throws(SluiceError) {
    let path = try Self.path(of: output, plan)
    self.path = path
    do throws(SystemErrno) { try disk.files.makeFolder(path) } catch  where error.code == EEXIST {
    } catch {
      throw SluiceError(
        "make the folder", path, errno: error.code, remedy: "give --spill a folder that this user may write to")
    }
    let bytes = Self.described(streams)
    log = try SegmentLog(path, files: disk.files, streams: bytes)
    let mark = log.watermark
    let waiting = Int(log.next - mark.next)
    do throws(SluiceError) {
      // Damage never keeps a recording from beginning.
      let hasSameStreams = log.describedStreams.map { $0 == bytes } ?? true
      if waiting > 0 { try Self.check(waiting, of: output, file, path, hasSameStreams) }
    } catch {
      log.close()
      throw error
    }
    (cut, mayBeTwice) = Self.known(log, in: file.flatMap { try? disk.files.status(at: $0) })
  }

  private static func check(
    _ waiting: Int, of output: RecordingOutput, _ file: String?, _ path: String, _ hasSameStreams: Bool
  ) throws(SluiceError) {
    let readings = "\(grouped(waiting)) reading\(waiting == 1 ? "" : "s") of an earlier recording"
    let remedy = "write them to a file with: sluice replay \(quotedForShell(path)) -o FILE; then remove the folder"
    guard output.existing == .append else {
      throw SluiceError(
        .alreadyExists, "begin", output.path, because: "\(path) still has \(readings)",
        remedy: "continue it with --append, or \(remedy)")
    }
    guard hasSameStreams else {
      throw SluiceError(
        .usage, "append to", output.path, because: "\(path) has \(readings), with other streams", remedy: remedy)
    }
  }

  /// What the watermark says of a file.
  private static func known(
    _ log: SegmentLog, in file: FileStatus?
  ) -> (cut: (file: FileIdentity, length: Int64)?, mayBeTwice: Int) {
    let (mark, waiting) = (log.watermark, Int(log.next - log.watermark.next))
    guard waiting > 0, mark.isDraining || !log.hadWatermark, let file else { return (nil, 0) }
    let identity = FileIdentity(device: mark.device, inode: mark.inode)
    guard log.hadWatermark, mark.inode != 0, file.identity == identity else { return (nil, waiting) }
    return ((identity, Int64(clamping: mark.length)), 0)
  }

  /// The streams as the log keeps them: a document of metadata.
  static func described(_ streams: [StreamDescription]) -> [UInt8] {
    var document = MetadataDocument()
    document.streams = streams.map { .init($0) }
    document.values = .init(.raw)
    return Array(document.text.utf8)
  }
}
