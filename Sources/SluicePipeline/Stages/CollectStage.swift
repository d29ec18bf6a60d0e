import Sluice
import SluiceExtras
import SluiceReadings
package import SluiceStages

/// Passes on the readings of each stream in groups: a number of readings, or an interval of their own time.
package struct CollectStage: RecordingStage {
  package static let name = "collect"
  package static let word: StageWord? = StageWord(
    "collect", "N|T|N,T", "Write each stream in groups of N readings, of T, or whichever comes first.", commas: .list,
    why: TimeReason.why
  ) { text in
    CollectLimit(text).map { Self($0) }
  }
  package static let settings = Settings<Self>(
    .optional("count", \.limit.count, .count(1...)), .optional("interval", \.limit.interval, .period)
  ) { Self(CollectLimit(count: nil, interval: nil)) }

  package var limit: CollectLimit

  package init(_ limit: CollectLimit) { self.limit = limit }

  package var endsByTime: Bool { limit.interval != nil }

  package var conflict: (key: String?, sentence: String)? {
    guard limit.count == nil, limit.interval == nil else { return nil }
    return (nil, " has neither \"count\" nor \"interval\": say when a group is complete")
  }

  package func prepared(for inputs: InputStreams) -> PreparedStage {
    PreparedStage(streams: inputs) { readings, context in
      readings.collect(for: limit.interval.map { Int($0.nanoseconds) }, count: limit.count, by: ReadingStamps())
        .joined(ahead: context.ahead / (limit.count ?? context.ahead)).eraseToAnyPublisher()
    }
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
