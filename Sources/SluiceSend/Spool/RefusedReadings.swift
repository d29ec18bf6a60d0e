import SluiceReadings
import SluiceRecording
import SluiceSystem

/// A file with the readings that a server refuses, as JSON Lines, which `sluice replay` reads.
final class RefusedReadings: @unchecked Sendable {
  // The mutex of the sender protects it.

  let path: String
  private let files: any FileSystem
  private let limit: Int64
  private let encoder: any RecordingEncoder

  static let name = "refused.jsonl"

  /// - Parameters:
  ///   - folder: The folder of the spool.
  ///   - limit: The bytes above which nothing is added.
  init(in folder: String, _ streams: EncoderStreams, limit: Int64, _ files: any FileSystem) {
    path = "\(folder)/\(Self.name)"
    (self.files, self.limit) = (files, limit)
    encoder = JSONLinesFormat().encoder(streams)
  }

  func describe(_ streams: [StreamDescription]) { encoder.describe(streams) }

  /// Appends readings, and syncs them.
  /// - Returns: The path; nil if the file has its largest size.
  func add(_ readings: [Reading]) throws(SluiceError) -> String? {
    let rows = EncodedRows()
    _ = readings.withUnsafeBufferPointer { encoder.encode($0, into: rows, until: .max) }
    encoder.endRow(into: rows)
    var bytes = rows.text.withBytes { Array($0) }
    do throws(SystemErrno) {
      let descriptor = try files.open(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW)
      defer { try? files.close(descriptor) }
      let size = try files.status(of: descriptor).size
      guard size < limit else { return nil }
      // A run that was killed may have left the beginning of a line.
      if size > 0, try last(of: descriptor, size) != UInt8(ascii: "\n") { bytes.insert(UInt8(ascii: "\n"), at: 0) }
      if let error = bytes.withUnsafeBytes({ files.write(all: $0, to: descriptor).error }) {
        try? files.truncate(descriptor, to: size)
        throw error
      }
      try files.sync(descriptor)
      if size == 0 { try files.sync(folder: folder(of: path)) }
      return path
    } catch {
      throw SluiceError(
        "keep refused readings in", path, errno: error.code, remedy: "they are only counted until this is mended")
    }
  }

  private func last(of descriptor: Int32, _ size: Int64) throws(SystemErrno) -> UInt8 {
    var byte: [UInt8] = [0]
    _ = try byte.withUnsafeMutableBytes { room in
      Result { () throws(SystemErrno) in try files.read(descriptor, at: size - 1, fill: room) }
    }.get()
    return byte[0]
  }
}
