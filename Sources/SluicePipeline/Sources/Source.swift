package import Sluice
package import SluiceDevices
package import SluiceReadings
package import SluiceRecording

/// Something that readings come from: a device, a timer, a trace.
package struct Source {
  package var streams: [StreamDescription]
  /// Gives the streams that there are by now, if more may come; then ``streams`` are those of the beginning.
  package var moreStreams: (@Sendable () -> [StreamDescription])?
  /// How many streams there may be.
  package var capacity: Int { moreStreams == nil ? streams.count : TraceReader.limit }
  /// Values are whole numbers before offset and scale.
  package var isWhole = true
  /// A trace waits until it is asked; a device does not, so that what is not asked for is lost.
  package var waits = false
  /// How long after its time a reading comes at the latest, in nanoseconds: what the device gathers, and time for this
  /// process to be scheduled.
  package var lateness: Int64 = 200_000_000
  /// Makes the publisher; its readings' streams are numbered from the given one, and timed by the clock of the recording.
  package var publisher: (StreamID, EpochClock) -> AnyPublisher<Reading, SluiceError>
  /// Ends the stream where it begins; nil where the pipeline is to cut it off.
  package var finish: (() -> Void)?
  /// What was lost before it came, and how that is known.
  package var losses: () -> [Loss] = { [] }
  /// How much of what was lost shows.
  package var lossCoverage = DeviceLosses.Coverage.all
  /// Why no loss of a device shows, to stand before that: `with libgpiod 1.6.3 and edges of one direction`.
  package var coverageReason: String?
  /// What would let losses show.
  package var coverageRemedy: String?
  /// What is replayed; nil for a device.
  package var trace: ReplayedTrace?
  /// When a recording ended that is replayed; nil if that is not known, or if not all of it is replayed.
  package var ended: Int64?
  /// The pace of a replay with a rate; nil if readings come as fast as possible.
  package var pace: Pace?
  /// Counts of a replay with `--reorder`; nil otherwise.
  package var reorder: (() -> ReorderAccount)?
  /// How often a trace is replayed.
  package var rounds = 1
  /// By stream, how many rows the trace has by its metadata; nil if only a part of them is replayed.
  package var writtenRows: [String: Int]?
  /// Counts the rows of the trace that were left out because they could not be read; nil if rows are never left out.
  package var skippedRows: (@Sendable () -> Int)?
  /// When the recording was paused that is replayed.
  package var pauses: [TraceMetadata.Pause] = []
  /// By stream, readings with a flag whose times the metadata of the trace does not list.
  package var unlisted: [String: FlaggedReadings] = [:]
  /// Whether the device was removed and has not come back.
  package var isAway: () -> Bool = { false }
  /// The kernel's buffer of the device.
  package var fifo: FIFOLevel?
  /// Waits until the device is as it was before; to be called after the stream has ended.
  package var closed: () -> Void = {}

  /// The same, with what the device says of its losses.
  package func accounting(for losses: DeviceLosses) -> Source {
    var source = self
    source.losses = { losses.accounted }
    source.lossCoverage = losses.coverage
    source.coverageReason = losses.coverageReason
    source.coverageRemedy = losses.coverageRemedy
    source.isAway = { losses.isAway }
    return source
  }
}
