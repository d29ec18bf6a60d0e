import SluiceLog
import SluiceReadings
import SluiceRecording
import SluiceSystem

/// The log of one output: where it is, and what an earlier run has left in it.
struct SpillFolder {
  let path: String
  let log: SegmentLog
  /// The files that are cut back to a length, because the readings behind this length are given again from the log.
  let cuts: [(file: FileIdentity, length: Int64)]
  /// The number of readings that may be in the output already and are given again, because the length of the output is not
  /// known.
  let mayBeTwice: Int

  /// The number of the first reading of a new log. It is not 0, because a run may put readings before all others at its
  /// end.
  private static let firstNumber: UInt64 = 1 << 32

  /// The readings that an earlier run has left.
  var waiting: Int { Int(log.next - log.watermark.next) }

  /// By its number, the last reading of each stream. The whole log is read. What cannot be read is left out.
  var lastReadings: [UInt16: Reading] {
    guard waiting > 0 else { return [:] }
    var last: [UInt16: Reading] = [:]
    var reader = log.reader()
    defer { reader.close() }
    while let item = try? reader.next(), item != .end {
      guard case .readings(_, let readings) = item else { continue }
      for reading in readings { last[reading.stream.index] = reading }
    }
    return last
  }

  /// The folder of the log of an output.
  /// - Parameter address: The path of the output in the plan. The path of its open file may be that of a part.
  static func path(
    of output: RecordingOutput, _ address: String, _ plan: SpillPlan
  ) throws(SluiceError) -> String {
    guard let path = path(of: output, address, plan, ending: SpillPath.ending) else {
      throw SluiceError(
        .usage, "spill the readings of", outputTitle(address),
        because: "only an output that is one file can have a spill",
        remedy: "write to a file, or give another --when-full or --pause-mode")
    }
    return path
  }

  /// The folder for something beside an output; nil if the output is not one file.
  static func path(of output: RecordingOutput, _ address: String, _ plan: SpillPlan, ending: String) -> String? {
    guard address != "-", output.kind.hasFiles, output.folder == nil, FileIdentity(path: address)?.isRegular ?? true
    else { return nil }
    return SpillPath.path(of: address, in: plan.folder, ending: ending)
  }

  /// Opens the log, and makes its folder.
  /// - Parameters:
  ///   - address: The path of the output in the plan.
  ///   - recorded: The files of the recording that the output appends to, in their order; none if it begins a new one.
  ///   - empty: The parts behind them that have no row.
  ///   - streams: The streams of the output.
  /// - Throws: Also if the log has readings that do not belong to the output.
  init(
    of output: RecordingOutput, _ address: String, appendingTo recorded: [String], empty: [String] = [],
    _ plan: SpillPlan, _ streams: [StreamDescription], _ disk: Disk
  ) throws(SluiceError) {
    let path = try Self.path(of: output, address, plan)
    self.path = path
    for folder in [plan.folder, path].compactMap({ $0 }) {
      do throws(SystemErrno) { try disk.files.makeFolder(folder) } catch  where error.code == EEXIST {
      } catch {
        throw SluiceError(
          "make the folder", folder, errno: error.code,
          remedy: "give --wait-on-disk a folder that this user may write to")
      }
      try disk.files.checkOwner(of: folder, "spill into")
    }
    let bytes = Self.described(streams, of: Self.name(address, isBeside: plan.folder == nil))
    var limits = SegmentLog.Limits()
    limits.segment = min(limits.segment, max(64 << 10, (plan.size?.bytes ?? SpillPlan.standardSize) / 8))
    log = try SegmentLog(path, files: disk.files, limits: limits, streams: bytes, first: Self.firstNumber)
    let mark = log.watermark
    let waiting = Int(log.next - mark.next)
    do throws(SluiceError) {
      // A damaged log must not prevent a recording.
      let hasSameStreams = log.describedStreams.map { $0 == bytes } ?? true
      if waiting > 0 { try Self.check(waiting, of: output, path, hasSameStreams) }
    } catch {
      log.close()
      throw error
    }
    (cuts, mayBeTwice) = Self.known(log, in: recorded, empty, disk)
  }

  private static func check(
    _ waiting: Int, of output: RecordingOutput, _ path: String, _ hasSameStreams: Bool
  ) throws(SluiceError) {
    let readings = "\(grouped(waiting)) reading\(waiting == 1 ? "" : "s") of an earlier recording"
    let remedy = "write them to a file with: sluice spool \(quotedForShell(path)) -o FILE"
    guard output.existing == .append else {
      throw SluiceError(
        .alreadyExists, "begin", output.path, because: "\(path) still has \(readings)",
        remedy: "give --append, which writes them first, or \(remedy)")
    }
    guard hasSameStreams else {
      throw SluiceError(
        .usage, "append to", output.path,
        because: "\(path) is for other streams or another file, and still has \(readings)", remedy: remedy)
    }
  }

  /// What the watermark says about the files of the output. The file that was open is cut back to the length in the
  /// watermark. Parts that the same run has begun later have only readings that the log still has, so they are cut back
  /// to 0.
  private static func known(
    _ log: SegmentLog, in recorded: [String], _ empty: [String], _ disk: Disk
  ) -> (cuts: [(file: FileIdentity, length: Int64)], mayBeTwice: Int) {
    let (mark, waiting) = (log.watermark, Int(log.next - log.watermark.next))
    guard waiting > 0, mark.isDraining || !log.hadWatermark, !recorded.isEmpty else { return ([], 0) }
    guard log.hadWatermark, log.isWholeFromWatermark, mark.inode != 0 else { return ([], waiting) }
    let open = FileIdentity(device: mark.device, inode: mark.inode)
    // A new file may get the inode of one that was removed, so the number of the part counts too.
    func isOpen(_ path: String, _ identity: FileIdentity?) -> Bool {
      identity == open && (mark.part == 0 || mark.part == UInt16((PartName(fileName(of: path))?.number ?? 0) & 0x7fff))
    }
    // This part was open, and has no row.
    if empty.contains(where: { isOpen($0, (try? disk.files.status(at: $0))?.identity) }) { return ([], 0) }
    var cuts: [(file: FileIdentity, length: Int64)] = []
    var number: Int?
    for path in recorded.reversed() {
      guard let status = try? disk.files.status(at: path) else { break }
      let length = Int64(clamping: mark.length)
      // If another run has written the file since the watermark, a cut would remove good rows.
      let isOfRun = UInt64(bitPattern: (try? MetadataFile(beside: path, disk).read())?.began ?? 0) == mark.run
      let part = PartName(fileName(of: path))?.number
      if isOpen(path, status.identity) {
        guard isOfRun || status.size == length else { break }
        return (cuts + [(open, length)], 0)
      }
      // A part that somebody has moved away may have some of the readings.
      guard isOfRun || status.size == 0, let part, number.map({ part == $0 - 1 }) ?? true else { break }
      number = part
      cuts.append((status.identity, 0))
    }
    return ([], waiting)
  }

  /// What a log calls its output. A folder may have logs of several outputs, so it is the whole path. Beside its output it is
  /// the name, so that both can be moved to another folder, and a copy beside another file is refused.
  static func name(_ address: String, isBeside: Bool) -> String {
    isBeside ? fileName(of: address) : realPath(address)
  }

  /// The streams as the log keeps them: a document of metadata.
  /// - Parameter output: What the log calls its output.
  static func described(_ streams: [StreamDescription], of output: String) -> [UInt8] {
    var document = MetadataDocument()
    document.format = "spill"
    document.url = .init(output)
    document.streams = streams.map { .init($0) }
    document.values = .init(.raw)
    return Array(document.text.utf8)
  }
}

/// The path, with the symbolic links of its folder resolved.
private func realPath(_ path: String) -> String {
  let folder = folder(of: path)
  guard let resolved = realpath(folder.isEmpty ? "." : folder, nil) else { return path }
  defer { free(resolved) }
  return "\(String(cString: resolved))/\(fileName(of: path))"
}
