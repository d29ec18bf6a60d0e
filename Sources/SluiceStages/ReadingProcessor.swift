public import SluiceExtras
public import SluiceReadings

/// A state machine that makes readings of readings, for the operator `process(by:)`.
///
/// A reading keeps the number of its stream, whatever becomes of its values. A reading of no stream, which only shows a
/// time, is passed on.
public protocol ReadingProcessor: ElementProcessor<Reading, Reading> {
  /// What its readings mean, by ``Reading/stream`` like those of its inputs. A stream without channels has no readings.
  var streams: [StreamDescription] { get }
  /// Whether the readings of a stream are made of others, instead of passed on or left out.
  func makes(_ stream: StreamID) -> Bool
}
