package import Sluice
@_spi(Preview) package import SluiceDevices
package import SluiceReadings
package import SluiceRecording

/// A source of readings: a device, a timer or a trace.
package struct Source {
  package var streams: [StreamDescription]
  /// Returns the streams known so far; nil if no more may come. If it is set, ``streams`` are those known at the start.
  package var moreStreams: (@Sendable () -> [StreamDescription])?
  /// The largest possible number of streams.
  package var capacity: Int { moreStreams == nil ? streams.count : TraceReader.limit }
  /// Whether the values are whole numbers before offset and scale.
  package var isWhole = true
  /// Whether the source waits for demand, like a trace. A device does not wait, so readings without demand are lost.
  package var waits = false
  /// Whether all its readings are available at once, like those of a file that is replayed without a pace.
  package var isAtOnce = false
  /// The longest delay of a reading after its time, in nanoseconds. It covers the watermark of the device, and the
  /// scheduling of this process.
  package var lateness: Int64 = 200_000_000
  /// Makes the publisher. The streams of its readings are numbered from the given one, and the clock of the recording
  /// gives their times.
  package var publisher: (StreamID, EpochClock) -> AnyPublisher<Reading, SluiceError>
  /// Ends the stream at the source; nil if the pipeline must cut it off.
  package var finish: (() -> Void)?
  /// The losses before the pipeline, with their reasons.
  package var losses: () -> [Loss] = { [] }
  /// Whether none, some or all of the losses show.
  package var lossCoverage = LossCoverage.all
  /// The reason why losses do not show, for the start of a sentence: `with libgpiod 1.6.3 and edges of one direction`.
  package var coverageReason: String?
  /// The remedy that makes losses show.
  package var coverageRemedy: String?
  /// The trace of a replay; nil for a device.
  package var trace: ReplayedTrace?
  /// The end time of the replayed recording; nil if it is not known, or if only a part of the recording is replayed.
  package var ended: Int64?
  /// The pace of a replay with a rate; nil if readings come as fast as possible.
  package var pace: Pace?
  /// Counts of a replay with `--reorder`; nil otherwise.
  package var reorder: (() -> ReorderAccount)?
  /// The number of rounds of a replay.
  package var rounds = 1
  /// By stream, the number of rows of the trace in its metadata; nil if only a part of them is replayed.
  package var writtenRows: [ExactName: Int]?
  /// Counts the rows of the trace that were left out because they could not be read; nil if rows are never left out.
  package var skippedRows: (@Sendable () -> Int)?
  /// The pauses of the replayed recording.
  package var pauses: [Pause] = []
  /// The restarts of the replayed recording.
  package var restarts: [TraceMetadata.Restart] = []
  /// By stream, readings with a flag whose times the metadata of the trace does not list.
  package var unlisted: [ExactName: StreamFlags] = [:]
  /// Whether the device was removed and has not come back.
  package var isAway: () -> Bool = { false }
  /// The kernel's buffer of the device.
  package var fifo: FIFOLevel?
  /// Waits until the device is restored. Call it after the end of the stream.
  package var closed: () -> Void = {}

}

extension Source {
  package init(_ source: any ReadingSource) {
    self.init(streams: source.streams, isWhole: source.isWhole, publisher: source.readings)
    lateness = source.lateness.nanoseconds
    if type(of: source).finishes { finish = source.finish }
    losses = { source.lossReport.losses }
    let report = source.lossReport
    (lossCoverage, coverageReason, coverageRemedy) = (report.coverage, report.reason, report.remedy)
    isAway = { source.isAway }
    fifo = source.kernelFIFO
    closed = source.waitUntilClosed
  }
}
