import SluiceReadings
@_spi(Preview) import SluiceRecording
import SluiceSystem

/// A file with the readings that a server refuses, as JSON Lines, which `sluice replay` reads.
final class RefusedReadings: @unchecked Sendable {
  // The mutex of the sender protects it.

  let path: String
  private let files: any FileSystem
  private let limit: Int64
  private let streams: EncoderStreams
  private let encoder: any RecordingEncoder

  static let name = "refused.jsonl"

  /// - Parameters:
  ///   - folder: The folder of the spool.
  ///   - limit: The bytes above which nothing is added.
  init(in folder: String, _ streams: EncoderStreams, limit: Int64, _ files: any FileSystem) {
    path = "\(folder)/\(Self.name)"
    (self.files, self.limit, self.streams) = (files, limit, streams)
    encoder = JSONLinesFormat().encoder(streams)
  }

  func describe(_ streams: [StreamDescription]) { encoder.describe(streams) }

  /// Appends readings.
  /// - Returns: The path; nil if they could not be appended.
  func add(_ readings: [Reading]) -> String? {
    let rows = EncodedRows()
    _ = readings.withUnsafeBufferPointer { encoder.encode($0, into: rows, until: .max) }
    encoder.endRow(into: rows)
    do throws(SystemErrno) {
      let descriptor = try files.open(path, O_WRONLY | O_CREAT | O_APPEND)
      defer { try? files.close(descriptor) }
      guard try files.status(of: descriptor).size < limit else { return nil }
      let error = rows.text.withBytes { files.write(all: UnsafeRawBufferPointer($0), to: descriptor).error }
      return error == nil ? path : nil
    } catch {
      return nil
    }
  }
}
