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
    /// The same, and a comparison with `=` is no setting: `"a,b" >= 2`.
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
  /// What the stage does, as a sentence.
  package let sentence: String
  /// Whether it may be given several times.
  package let isRepeated: Bool
  private let commas: Commas
  private let parse: @Sendable (String) -> (any RecordingStage)?
  private let reason: @Sendable (String) -> String?

  /// Makes the word of a stage.
  ///
  /// ```swift
  /// static let word: StageWord? = StageWord("maximum", "CH", "Pass a reading only if the channel is larger than ever before.") {
  ///   Self(channel: $0)
  /// }
  /// ```
  /// - Parameters:
  ///   - form: The form of the value, for the help: `[LINE=]T`; nil for a flag, whose value is not parsed.
  ///   - sentence: What the stage does.
  ///   - why: Why a text is no such value; nil if the form alone explains it.
  ///   - parse: Makes the stage of a value; nil if the text does not have the form.
  public init(
    _ name: String, _ form: String?, _ sentence: String, isRepeated: Bool = false, commas: Commas = .none,
    why: @escaping @Sendable (String) -> String? = { _ in nil },
    parse: @escaping @Sendable (String) -> (any RecordingStage)?
  ) {
    (self.name, self.form, self.sentence, self.isRepeated) = (name, form, sentence, isRepeated)
    (self.commas, self.parse, reason) = (commas, parse, why)
  }

  /// The stage of a value; nil if the text does not have the form.
  package func stage(_ value: String) -> StagePlan? { parse(value).map { StagePlan($0) } }

  /// Why a text is no value; nil if the form alone explains it.
  package func why(_ value: String) -> String? { reason(value) }

  /// What is wrong with a value, behind the name: ` takes T, not "5": a time has a unit, such as 5ms, 5s or 5m`.
  func fault(_ value: String) -> String {
    " takes \(form ?? "no value"), not \(quoted(value, atMost: 64))\(why(value).map { ": \($0)" } ?? "")"
  }

  /// Why a text is no condition, or what else cannot be made of it.
  static func cause(_ body: () throws(SluiceError) -> Void) -> String? {
    do throws(SluiceError) {
      try body()
      return nil
    } catch {
      return error.cause + (error.remedy.map { "; \($0)" } ?? "")
    }
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
