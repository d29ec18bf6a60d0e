import Sluice
import SluiceExtras
import SluiceReadings

/// Lets through one reading of each stream per interval of the readings' own time.
package struct ThrottleStage: PipelineStage {
  package static let name = "throttle"
  package static let leavesOut = true

  package var interval: TimeSpan
  /// Keeps the latest reading of each interval instead of the first.
  package var latest: Bool

  package init(interval: TimeSpan, latest: Bool = true) {
    self.interval = interval
    self.latest = latest
  }

  package var settings: [(String, JSON?)] {
    [("interval_ns", .number("\(interval.nanoseconds)")), ("keeps", .string(latest ? "latest" : "first"))]
  }
  package var endsByTime: Bool { true }

  package func act(
    on readings: AnyPublisher<Reading, Never>, in context: StageContext
  ) -> AnyPublisher<Reading, Never> {
    readings.throttle(
      for: Int(interval.nanoseconds), latest: latest, by: ReadingStamps(), onDiscard: context.leaveOut
    ).eraseToAnyPublisher()
  }
}
