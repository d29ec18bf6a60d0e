package import SluiceReadings

/// A problem of a running recording.
package struct HealthFinding: Equatable, Sendable {
  package enum Level: Int, Sendable, Comparable {
    /// Somebody should look at it.
    case warning = 1
    /// Readings are not recorded, or are not kept.
    case failure

    package static func < (first: Level, second: Level) -> Bool { first.rawValue < second.rawValue }
  }

  /// The topic, for programs: `silent`, `loss`, `output`, `disk`, `clock`, `heat`, `power` or `paused`.
  package var topic: String
  package var level: Level
  package var text: String

  package init(_ topic: String, _ level: Level, _ text: String) {
    (self.topic, self.level, self.text) = (topic, level, text)
  }

  package var json: JSON {
    .object([
      ("topic", .string(topic)), ("level", .string(level == .warning ? "warning" : "failure")), ("text", .string(text)),
    ])
  }
}

extension [HealthFinding] {
  /// 0 if all is well, 1 if somebody should look, 2 if readings are not recorded or not kept.
  package var status: Int { self.map(\.level.rawValue).max() ?? 0 }
}
