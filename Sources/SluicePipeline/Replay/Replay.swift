package import Sluice
package import SluiceReadings
package import SluiceRecording

/// A recorded trace that is replayed: its readings, and what its metadata says of the recording. It waits for demand, so
/// it loses nothing here.
package struct Replay {
  package var streams: [StreamDescription]
  /// Returns the streams known so far; nil if no more may come. If it is set, ``streams`` are those known at the start.
  package var moreStreams: (@Sendable () -> [StreamDescription])?
  /// Whether all readings are available at once, like those of a file that is replayed without a pace.
  package var isAtOnce = false
  /// Makes the publisher.
  package var publisher: () -> AnyPublisher<Reading, SluiceError>
  /// Ends the stream where it waits for more of the trace.
  package var finish: () -> Void = {}
  /// The losses of the recording, and the rows that could not be read, with their reasons.
  package var losses: () -> [Loss] = { [] }
  /// Whether none, some or all of the losses show.
  package var lossCoverage = LossCoverage.all
  /// The trace, and the facts from its metadata.
  package var trace: ReplayedTrace
  /// The end time of the recording; nil if it is not known, or if only a part of the recording is replayed.
  package var ended: Int64?
  /// The pace of a replay with a rate; nil if readings come as fast as possible.
  package var pace: Pace?
  /// Counts of a replay with `--reorder`; nil otherwise.
  package var reorder: (() -> ReorderAccount)?
  /// The number of rounds.
  package var rounds = 1
  /// By stream, the number of rows of the trace in its metadata; nil if only a part of them is replayed.
  package var writtenRows: [ExactName: Int]?
  /// Counts the rows of the trace that were left out because they could not be read; nil if rows are never left out.
  package var skippedRows: (@Sendable () -> Int)?
  /// The pauses of the recording.
  package var pauses: [Pause] = []
  /// The marks of the recording.
  package var marks: [Mark] = []
  /// The restarts of the recording.
  package var restarts: [TraceMetadata.Restart] = []
  /// By stream, readings with a flag whose times the metadata of the trace does not list.
  package var unlisted: [ExactName: StreamFlags] = [:]

  package init(
    streams: [StreamDescription], trace: ReplayedTrace, publisher: @escaping () -> AnyPublisher<Reading, SluiceError>
  ) {
    (self.streams, self.trace, self.publisher) = (streams, trace, publisher)
  }
}
