public import SluiceReadings

/// Makes readings from the lines of a text. ``LineDecoder`` reads the lines.
public protocol LineReadings {
  /// The streams.
  var list: StreamList { get }
  /// Nil for a line without a reading.
  mutating func reading(
    _ line: UnsafeBufferPointer<UInt8>, of lines: TraceLines
  ) throws(SluiceError) -> Reading?
}
