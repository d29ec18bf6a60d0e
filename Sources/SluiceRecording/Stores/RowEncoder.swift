public import SluiceReadings

/// An encoder whose rows have one reading each, and depend on no other reading.
public protocol RowEncoder: RecordingEncoder {
  /// The number of its first stream.
  var base: Int { get }
  /// The number of its streams. Readings of other streams are ignored.
  var streamCount: Int { get }
  /// Called with the time of the first of several readings, before they are encoded.
  func begin(at time: Int64)
  /// - Parameter stream: The place of the stream among those of the encoder.
  /// - Returns: False if the format cannot hold the reading. Nothing is appended then.
  func encode(_ reading: UnsafePointer<Reading>, of stream: Int, into text: TextBuffer) -> Bool
}

extension RowEncoder {
  public func begin(at time: Int64) {}

  /// Encodes the readings of its streams one after the other.
  public func encode(_ readings: UnsafeBufferPointer<Reading>, into rows: EncodedRows, until length: Int) -> Int {
    guard let first = readings.baseAddress else { return 0 }
    begin(at: first.pointee.time)
    let known = base..<base + streamCount
    var count = 0
    while count < readings.count, rows.text.count < length {
      let stream = first[count].stream
      if known.contains(Int(stream.index)) {
        if encode(first + count, of: Int(stream.index) - base, into: rows.text) {
          rows.end(stream)
        } else {
          rows.leaveOut(stream)
        }
      }
      count += 1
    }
    return count
  }
}
