public import SluiceReadings

/// Encodes readings as the bytes of one file, and marks the end of each reading.
///
/// An encoder touches no file. One thread at a time uses it. It is the encoder of an `EncodedFormat`. If its rows have one
/// reading each, it is a ``RowEncoder``.
public protocol RecordingEncoder: AnyObject {
  /// The first bytes of a new file.
  var header: [UInt8] { get }

  /// The reason why its rows cannot follow those of a file with this beginning; nil if they can.
  func fault(inFileThatBegins beginning: [UInt8]) -> String?

  /// Appends readings until `rows` has `length` bytes of text, and calls ``EncodedRows/end(_:)`` after each reading.
  ///
  /// It gets a pointer to many readings at a time, because copying a reading counts references.
  /// - Returns: The number of readings encoded.
  func encode(_ readings: UnsafeBufferPointer<Reading>, into rows: EncodedRows, until length: Int) -> Int

  /// Whether a row waits for readings that may still join it.
  var hasOpenRow: Bool { get }
  /// Ends the open row. It is also called at the end of the recording, even if no row is open.
  func endRow(into rows: EncodedRows)

  /// Called with all streams after streams or channels were added.
  func describe(_ streams: [StreamDescription])
}

extension RecordingEncoder {
  /// A file with the same header can be continued.
  public func fault(inFileThatBegins beginning: [UInt8]) -> String? {
    if beginning.starts(with: header) { return nil }
    return "its first line is not \(String(decoding: header.dropLast(), as: UTF8.self))"
  }

  public var hasOpenRow: Bool { false }
  public func endRow(into rows: EncodedRows) {}
}

/// The streams of an encoder, and how their values are written.
public struct EncoderStreams: Sendable {
  /// The streams of one file.
  public var streams: [StreamDescription]
  /// The number of the first of these streams.
  public var base: Int
  /// Whether values are written without offset and scale.
  public var raw: Bool
  /// The format of times and values.
  public var style: RowStyle

  /// Makes the streams of an encoder.
  public init(
    _ streams: [StreamDescription], from base: Int = 0, raw: Bool = false, style: RowStyle = RowStyle()
  ) {
    self.streams = streams
    self.base = base
    self.raw = raw
    self.style = style
  }
}
