public import SluiceExtras
public import SluiceReadings

/// A state machine that makes readings of readings, for the operator `process(by:)`.
///
/// A reading keeps the number of its stream, whatever becomes of its values. A reading of no stream, which only shows a
/// time, is passed on.
public protocol ReadingProcessor: ElementProcessor<Reading, Reading> {
  /// What its readings mean, by ``Reading/stream`` like those of its inputs. A stream without channels has no readings.
  var streams: [StreamDescription] { get }
}

/// The streams whose readings a processor receives.
public struct InputStreams: Sendable {
  /// Those that are known.
  public var known: [StreamDescription]
  /// Gives those that are known by now; nil if no more will come.
  package var more: (@Sendable () -> [StreamDescription])?

  /// Streams that are all known.
  public init(_ streams: [StreamDescription]) { known = streams }

  /// Streams of a trace that does not list them before its readings.
  package init(_ streams: [StreamDescription], more: (@Sendable () -> [StreamDescription])?) {
    known = streams
    self.more = more
  }
}
