import SluiceReadings

/// How a stage is written as one text: as the option `--throttle 1s`, behind a source or an output as `throttle=1s`, and in a station
/// file as `throttle: 1s`.
public struct StageWord: Sendable {
  /// What a comma in the value does.
  public enum Commas: Sendable {
    /// It ends the value.
    case none
    /// It belongs to the value, unless a setting follows: `a,b`.
    case list
    /// The same, and a comparison with `=` is no setting: `hypot(x, y) >= 2`.
    case condition
    /// It belongs to the value if this follows, which looks like a setting: `start=`.
    case before(String)
    /// Both of `list` and `before`.
    case listBefore(String)
  }

  /// The name, which nearly always is that of the stage.
  package let name: String
  /// The form of the value: `[LINE=]T`; nil for a flag.
  package let form: String?
  /// What it takes, for an error: the form, or other words for it.
  private let takes: String
  /// What the stage does, as a sentence.
  package let sentence: String
  /// Whether it may be given several times.
  package let isRepeated: Bool
  private let commas: Commas
  /// Returns nil if the value has not the form.
  private let parse: @Sendable (String) throws(UsageError) -> (any RecordingStage)?

  /// Makes the word of a stage.
  ///
  /// ```swift
  /// static let word: StageWord? = StageWord("maximum", "CH", "Pass readings with a new maximum of a channel.") {
  ///   Self(channel: $0)
  /// }
  /// ```
  /// - Parameters:
  ///   - form: The form of the value, for the help: `[LINE=]T`; nil for a flag, whose value is not parsed.
  ///   - takes: The form in the words of an error, such as `a number, 1 or more`; nil for the form itself.
  ///   - sentence: What the stage does.
  ///   - parse: Makes the stage of a value; nil if the value has not the form.
  public init(
    _ name: String, _ form: String?, takes: String? = nil, _ sentence: String, isRepeated: Bool = false,
    commas: Commas = .none, parse: @escaping @Sendable (String) -> (any RecordingStage)?
  ) {
    self.init(name, form, takes: takes, sentence, isRepeated: isRepeated, commas: commas, orThrow: parse)
  }

  /// - Parameter parse: Returns nil if the value has not the form, and throws a sentence that begins with a colon if it has another fault.
  package init(
    _ name: String, _ form: String?, takes: String? = nil, _ sentence: String, isRepeated: Bool = false,
    commas: Commas = .none, orThrow parse: @escaping @Sendable (String) throws(UsageError) -> (any RecordingStage)?
  ) {
    (self.name, self.form, self.sentence, self.isRepeated) = (name, form, sentence, isRepeated)
    (self.commas, self.parse) = (commas, parse)
    self.takes = takes ?? form ?? "no value"
  }

  /// The stage of a value.
  /// - Throws: What is wrong with the value, behind the name: ` takes T, not "5"`.
  func stage(_ value: String) throws(UsageError) -> StagePlan {
    guard let stage = try parse(value) else {
      throw UsageError(" takes \(takes), not \(quoted(value, atMost: 64))")
    }
    return StagePlan(stage)
  }

  /// Whether a piece behind a comma goes on with the value.
  func isContinued(by piece: Substring) -> Bool {
    let equals = piece.firstIndex(of: "=")
    switch commas {
    case .none: return false
    case .list: return equals == nil
    case .before(let start): return piece.hasPrefix(start)
    case .listBefore(let start): return equals == nil || piece.hasPrefix(start)
    case .condition:
      guard let equals else { return true }
      let isKey = piece[..<equals].allSatisfy { $0.isLetter || $0 == "-" } && !piece[equals...].hasPrefix("==")
      return !isKey
    }
  }
}
