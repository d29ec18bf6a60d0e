package import SluiceReadings

/// Turns readings into the bytes of one file, and says which reading ends where.
///
/// An encoder touches no file. One thread at a time uses it. A new format is a file with a type of this protocol and one
/// of ``OutputFormat``, and its line in ``OutputFormats``.
package protocol RecordingEncoder: AnyObject {
  /// What a new file begins with.
  var header: [UInt8] { get }

  /// Why its rows cannot follow those of a file that begins so; nil if they can.
  func fault(inFileThatBegins beginning: [UInt8]) -> String?

  /// Appends readings until `rows` has `length` bytes of text, and calls ``EncodedRows/end(_:)`` after each reading.
  ///
  /// It gets many readings at a time, by a pointer, because copying a reading counts references.
  /// - Returns: How many readings it took.
  func encode(_ readings: UnsafeBufferPointer<Reading>, into rows: EncodedRows, until length: Int) -> Int

  /// Whether a row waits for readings that may still join it.
  var hasOpenRow: Bool { get }
  /// Ends that row. It is also called at the end, whether a row is open or not.
  func endRow(into rows: EncodedRows)

  /// How many channels of a stream it knows; 0 if it does not know the stream.
  func channels(of stream: Int) -> Int
  /// Gets all streams when streams or channels have come since the beginning.
  func describe(_ streams: [StreamDescription])
}

extension RecordingEncoder {
  /// A file with the same header can be appended to.
  package func fault(inFileThatBegins beginning: [UInt8]) -> String? {
    if beginning.starts(with: header) { return nil }
    return "its first line is not \(String(decoding: header.dropLast(), as: UTF8.self))"
  }

  package var hasOpenRow: Bool { false }
  package func endRow(into rows: EncodedRows) {}
}

/// What an encoder is made with.
package struct EncoderStreams: Sendable {
  /// Those of one file.
  package var streams: [StreamDescription]
  /// The number of the first of them.
  package var base: Int
  /// Values are written without offset and scale.
  package var raw: Bool
  package var style: RowStyle

  package init(
    _ streams: [StreamDescription], from base: Int = 0, raw: Bool = false, style: RowStyle = RowStyle()
  ) {
    self.streams = streams
    self.base = base
    self.raw = raw
    self.style = style
  }
}
