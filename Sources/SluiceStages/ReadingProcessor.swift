public import SluiceExtras
public import SluiceReadings

/// A state machine that makes new readings from readings, for the operator `process(by:)`.
///
/// An output has the stream number of its input. A reading of no stream only shows a time, and passes.
public protocol ReadingProcessor: ElementProcessor<Reading, Reading> {
  /// The descriptions of its outputs, by `Reading.stream`, as for its inputs. A stream without channels has no
  /// readings.
  var streams: [StreamDescription] { get }
  /// Whether the outputs of a stream are new readings. If not, its readings pass or are left out.
  func makes(_ stream: StreamID) -> Bool
}
