import Sluice
import SluiceExtras
import SluiceReadings

/// Hands the readings of each stream down in groups: so many, or those of an interval of the readings' own time.
package struct CollectStage: PipelineStage {
  package static let name = "collect"

  package var limit: CollectLimit

  package init(_ limit: CollectLimit) { self.limit = limit }

  package var settings: [(String, JSON?)] {
    [
      ("count", limit.count.map { JSON($0) }),
      ("interval_ns", limit.interval.map { .number("\($0.nanoseconds)") }),
    ]
  }
  package var endsByTime: Bool { limit.interval != nil }

  package func act(
    on readings: AnyPublisher<Reading, Never>, in context: StageContext
  ) -> AnyPublisher<Reading, Never> {
    readings.collect(for: limit.interval.map { Int($0.nanoseconds) }, count: limit.count, by: ReadingStamps())
      .joined(ahead: context.ahead / (limit.count ?? context.ahead)).eraseToAnyPublisher()
  }
}
