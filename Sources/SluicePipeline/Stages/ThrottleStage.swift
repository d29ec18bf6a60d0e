import Sluice
import SluiceExtras
import SluiceReadings
package import SluiceStages

/// Passes one reading of each stream per interval of the readings' own time.
package struct ThrottleStage: RecordingStage {
  package static let name = "throttle"
  package static let leavesOut = true
  package static let word: StageWord? = StageWord(
    "throttle", "T[:first]",
    "Write the first reading of each stream at once, then the latest reading of each interval (100ms, 10Hz). T:first writes the first reading of each interval.",
    why: TimeReason.why
  ) { text in
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 1 || parts.dropFirst() == ["first"] else { return nil }
    return TimeSpan(period: parts[0]).map { Self(interval: $0, latest: parts.count == 1) }
  }
  package static let settings = Settings<Self>(
    .required("interval", \.interval, .period), .optional("keep", \.latest, keep)
  ) { Self(interval: $0) }

  private static let keep = Form<Bool>.choice([("latest", true), ("first", false)])

  package var interval: TimeSpan
  /// Whether the latest reading of each interval passes, instead of the first.
  package var latest = true

  package var endsByTime: Bool { true }

  package func prepared(for inputs: InputStreams) -> PreparedStage {
    PreparedStage(streams: inputs) { readings, context in
      readings.throttle(
        for: Int(interval.nanoseconds), latest: latest, by: ReadingStamps(), onDiscard: context.leaveOut
      ).eraseToAnyPublisher()
    }
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
