package import Sluice
import SluiceExtras
package import SluiceReadings

/// Passes one reading of each stream per interval of the readings' own time.
package struct ThrottleStage: PipelineStage {
  package static let name = "throttle"
  package static let leavesOut = true

  package var interval: TimeSpan
  /// Whether the latest reading of each interval passes, instead of the first.
  package var latest: Bool

  package init(interval: TimeSpan, latest: Bool = true) {
    self.interval = interval
    self.latest = latest
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

extension ThrottleStage {
  private enum CodingKeys: String, CodingKey, CaseIterable { case interval, keep }
  private enum Keep: String, CaseIterable { case latest, first }

  package init(from decoder: any Decoder) throws {
    let object = try PlanObject<CodingKeys>(decoder, of: Self.self)
    interval = try object.required(.interval, object.value(.interval))
    let keep: Keep? = try object.choice(.keep)
    latest = keep != .first
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(interval, forKey: .interval)
    if !latest { try container.encode(Keep.first.rawValue, forKey: .keep) }
  }
}

extension StagePlan {
  /// Passes one reading of each stream per interval.
  /// - Parameters:
  ///   - interval: The interval in the readings' own time.
  ///   - latest: If true, the first reading passes at once, and then the latest reading of each interval. If false, the
  ///     first reading of each interval passes.
  public static func throttle(for interval: TimeSpan, latest: Bool = true) -> StagePlan {
    StagePlan(ThrottleStage(interval: interval, latest: latest))
  }
}
