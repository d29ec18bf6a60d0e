import Sluice
import SluiceReadings

extension AnyPublisher where Output == Reading, Failure == SluiceError {
  /// Flags the first reading of each stream, because readings may be missing before it. Use it only for a recording
  /// that continues, because it costs time for each reading.
  func flaggingFirst(_ streams: Range<Int>) -> AnyPublisher<Reading, SluiceError> {
    var waiting = Set(streams)
    return map { reading in
      guard !waiting.isEmpty, waiting.remove(Int(reading.stream.index)) != nil else { return reading }
      var first = reading
      first.flags.formUnion([.gapBefore, .restart])
      return first
    }.eraseToAnyPublisher()
  }
}
