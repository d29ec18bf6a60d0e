package import SluiceReadings
public import SluiceStages

/// Passes the readings of some time before and after each event: a reading for which a condition is true, or a mark.
package struct AroundStage: WindowStage {
  package typealias Processor = Around

  package static let name = "around"
  package static let word: StageWord? = StageWord(
    "around", form,
    "Keep only the readings around each event, which is a true condition or a mark: 'door == 1,10s,60s'. The channel window has the number of each window.",
    commas: .condition,
    why: { text in StageWord.cause { () throws(SluiceError) in _ = try Self(text) } }
  ) { try? Self($0) }
  package static let settings = Settings<Self>(
    .required("condition", \.condition, .condition), .optional("before", \.before, .time),
    .optional("after", \.after, .time)
  ) { Self($0) }

  package var condition: Expression
  /// The times before and after an event; nil for none.
  package var before, after: TimeSpan?
  package var last: Int64 = 0
  // A mark is an event also if the sources are silent.
  package var endsByTime: Bool { true }

  package init(_ condition: Expression, before: TimeSpan? = nil, after: TimeSpan? = nil) {
    (self.condition, self.before, self.after) = (condition, before, after)
  }

  package func numbering(for inputs: InputStreams) throws(SluiceError) -> Around {
    try Around(
      condition, before: before?.nanoseconds ?? 0, after: after?.nanoseconds ?? 0, inputs: inputs)
  }
}

extension AroundStage {
  package static let form = "CONDITION,BEFORE,AFTER"

  /// `door == 1,10s,60s`. The times are behind the last two commas, because a condition may have others.
  /// - Throws: If the condition or a time is malformed.
  package init(_ argument: String) throws(SluiceError) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false).map { $0.drop { $0 == " " } }
    func refused(_ cause: String) -> SluiceError {
      SluiceError(
        .usage, "keep what is around", "\"\(argument)\"", because: cause,
        remedy: "give \(Self.form), such as 'door == 1,10s,60s'; a time may be 0s")
    }
    guard parts.count > 2 else {
      throw refused(parts.count == 2 ? "it has one time, and takes two" : "it has no times")
    }
    func time(_ index: Int, _ name: String) throws(SluiceError) -> TimeSpan? {
      guard let time = Self.time(parts[index]) else {
        throw refused(
          parts[index].isEmpty
            ? "the time \(name) the event is missing" : "\"\(parts[index])\" is no time \(name) the event")
      }
      return time
    }
    let (before, after) = (try time(parts.count - 2, "before"), try time(parts.count - 1, "after"))
    self.init(try Expression(parts.dropLast(2).joined(separator: ",")), before: before, after: after)
  }

  /// `10s`, or `0s` for no time.
  private static func time(_ text: Substring) -> TimeSpan?? {
    ["0", "0s", "0ms"].contains(text) ? .some(nil) : TimeSpan(String(text)).map { .some($0) }
  }
}

extension StagePlan {
  /// Passes the readings of some time before and after each event.
  /// - Parameters:
  ///   - condition: The event. A mark is one, too.
  ///   - before: The time before it; nil for none.
  ///   - after: The time after it; nil for none.
  public static func around(_ condition: Expression, before: TimeSpan?, after: TimeSpan?) -> StagePlan {
    StagePlan(AroundStage(condition, before: before, after: after))
  }
}
