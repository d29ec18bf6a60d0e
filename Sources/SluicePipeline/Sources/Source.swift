package import Sluice
package import SluiceDevices
package import SluiceReadings
import SluiceRecording

/// A source whose readings come at their own times: a device or a timer. Readings without demand are lost, unless the
/// source ``waits``.
package struct Source {
  package var streams: [StreamDescription]
  /// Whether the values are whole numbers before offset and scale.
  package var isWhole = true
  /// The longest delay of a reading after its time, in nanoseconds. It covers the watermark of the device, and the
  /// scheduling of this process.
  package var lateness: Int64 = 200_000_000
  /// Whether the times of its readings are those of another clock, which may be behind.
  package var hasOwnClock = false
  /// Makes the publisher. The streams of its readings are numbered from the given one, and the clock of the recording
  /// gives their times.
  package var publisher: (StreamID, EpochClock) -> AnyPublisher<Reading, SluiceError>
  /// Ends the stream at the source; nil if the pipeline must cut it off.
  package var finish: (() -> Void)?
  /// Whether readings wait in the source while there is no demand.
  package var waits = false
  /// The losses before the pipeline, with their reasons.
  package var losses: () -> [Loss] = { [] }
  /// Whether none, some or all of the losses show.
  package var lossCoverage = LossCoverage.all
  /// The reason why losses do not show, for the start of a sentence: `with libgpiod 1.6.3 and edges of one direction`.
  package var coverageReason: String?
  /// The remedy that makes losses show.
  package var coverageRemedy: String?
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
    (lateness, hasOwnClock) = (source.lateness.nanoseconds, source.hasOwnClock)
    if type(of: source).finishes { finish = source.finish }
    waits = source.waits
    losses = { source.lossReport.losses }
    let report = source.lossReport
    (lossCoverage, coverageReason, coverageRemedy) = (report.coverage, report.reason, report.remedy)
    isAway = { source.isAway }
    fifo = source.kernelFIFO
    closed = source.waitUntilClosed
  }
}
