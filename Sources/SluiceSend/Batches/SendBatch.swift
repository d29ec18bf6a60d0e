package import SluiceLog
package import SluiceReadings

/// Readings that are sent in one message, in their order.
package struct SendBatch: Sendable {
  /// The sequence number of the first reading.
  package var first: UInt64
  package var readings: [Reading]
  package var ordinals: ReadingOrdinals
  /// The random number of the run that has numbered them; 0 if it is not known.
  package var run: UInt64

  package init(first: UInt64, readings: [Reading], ordinals: ReadingOrdinals = ReadingOrdinals(), run: UInt64 = 0) {
    (self.first, self.readings, self.ordinals, self.run) = (first, readings, ordinals, run)
  }

  /// The sequence numbers.
  package var numbers: Range<UInt64> { first..<first + UInt64(readings.count) }

  /// The part with these sequence numbers, all of which it has.
  package subscript(numbers: Range<UInt64>) -> SendBatch {
    guard numbers != self.numbers else { return self }
    let places = Int(numbers.lowerBound - first)..<Int(numbers.upperBound - first)
    return SendBatch(
      first: numbers.lowerBound, readings: Array(readings[places]), ordinals: ordinals[places], run: run)
  }

  /// The batch with the readings of another behind its own, which is of the same run.
  package mutating func append(_ other: SendBatch) {
    ordinals.append(other.ordinals, behind: readings.count)
    readings += other.readings
  }

  /// The times of the earliest and the latest reading; nil if there is none.
  package var times: ClosedRange<Int64>? {
    guard var (first, last) = readings.first.map({ ($0.time, $0.time) }) else { return nil }
    for reading in readings { (first, last) = (min(first, reading.time), max(last, reading.time)) }
    return first...last
  }

  /// By stream, the number of readings from a sequence number on.
  package func counts(from number: UInt64 = 0) -> [Int] {
    var counts: [Int] = []
    for reading in number > first ? readings.dropFirst(Int(min(UInt64(readings.count), number - first))) : readings[...]
    {
      let stream = Int(reading.stream.index)
      while counts.count <= stream { counts.append(0) }
      counts[stream] += 1
    }
    return counts
  }
}
