package import Sluice
import SluiceExtras
package import SluiceReadings

/// Passes on the readings of each stream in groups: a number of readings, or an interval of their own time.
package struct CollectStage: PipelineStage {
  package static let name = "collect"

  package var limit: CollectLimit

  package init(_ limit: CollectLimit) { self.limit = limit }

  package var endsByTime: Bool { limit.interval != nil }

  package func act(
    on readings: AnyPublisher<Reading, Never>, in context: StageContext
  ) -> AnyPublisher<Reading, Never> {
    readings.collect(for: limit.interval.map { Int($0.nanoseconds) }, count: limit.count, by: ReadingStamps())
      .joined(ahead: context.ahead / (limit.count ?? context.ahead)).eraseToAnyPublisher()
  }
}

extension CollectStage {
  private enum CodingKeys: String, CodingKey, CaseIterable { case count, interval }

  package init(from decoder: any Decoder) throws {
    let object = try PlanObject<CodingKeys>(decoder, of: Self.self)
    limit = CollectLimit(count: try object.number(.count, 1...), interval: try object.value(.interval))
    if limit.count == nil, limit.interval == nil {
      throw object.error(" has neither \"count\" nor \"interval\": say when a group is complete")
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(limit.count, forKey: .count)
    try container.encodeIfPresent(limit.interval, forKey: .interval)
  }
}

extension StagePlan {
  /// Writes the readings of each stream in groups. A group ends after a number of readings or a time, whichever is
  /// reached first.
  /// - Parameters:
  ///   - count: Readings per group, 1 or more.
  ///   - interval: The interval in the readings' own time; nil for no limit.
  public static func collect(_ count: Int, orFor interval: TimeSpan? = nil) -> StagePlan {
    StagePlan(CollectStage(CollectLimit(count: count, interval: interval)))
  }

  /// Writes the readings of each stream in groups. A group ends after a time.
  /// - Parameter interval: The interval in the readings' own time.
  public static func collect(for interval: TimeSpan) -> StagePlan {
    StagePlan(CollectStage(CollectLimit(count: nil, interval: interval)))
  }
}
