public import SluiceReadings
import SluiceRecording

/// How the value of a setting is written in a plan.
public struct FieldForm<Value: Sendable>: Sendable {
  /// For the schema.
  let form: ValueForm
  /// Returns nil if the key is missing, or null. Its errors are sentences about the key.
  let decode: @Sendable (PlanObject<PlanKey>, PlanKey) throws -> Value?
  let encoded: @Sendable (Value) -> any Encodable

  init(
    _ form: ValueForm, _ decode: @escaping @Sendable (PlanObject<PlanKey>, PlanKey) throws -> Value?,
    encoded: @escaping @Sendable (Value) -> any Encodable
  ) {
    (self.form, self.decode, self.encoded) = (form, decode, encoded)
  }
}

extension FieldForm where Value: Encodable {
  init(_ form: ValueForm, _ decode: @escaping @Sendable (PlanObject<PlanKey>, PlanKey) throws -> Value?) {
    self.init(form, decode) { $0 }
  }
}

extension FieldForm where Value == String {
  /// A text.
  public static var text: FieldForm { FieldForm(.text) { object, key in try object.text(key) } }

  /// A path or a name, which has no control characters.
  public static var name: FieldForm { FieldForm(.text) { object, key in try object.name(key) } }
}

extension FieldForm where Value == TimeSpan {
  /// A time: `10ms`.
  public static var time: FieldForm { FieldForm(.time) { object, key in try object.value(key) } }

  /// A time that repeats: `10ms`, or a rate such as `100Hz`.
  public static var period: FieldForm {
    FieldForm(.period) { object, key in
      guard let value: PlanValue = try object.value(key) else { return nil }
      if case .text(let text) = value, let period = TimeSpan(period: text) { return period }
      throw object.error(key, " takes \(RowPeriod.form), not \(value)")
    }
  }
}

extension FieldForm where Value == ByteSize {
  /// An amount of data: `100M`.
  static var size: FieldForm { FieldForm(.size) { object, key in try object.value(key) } }
}

extension FieldForm where Value == Bool {
  /// True or false.
  public static var flag: FieldForm { FieldForm(.flag) { object, key in try object.flag(key) } }
}

extension FieldForm where Value == Int {
  /// A whole number.
  public static var integer: FieldForm {
    FieldForm(.wholeNumber(from: nil)) { object, key in try object.integer(key) }
  }

  /// A whole number in a range.
  public static func count(_ range: PartialRangeFrom<Int>) -> FieldForm {
    FieldForm(.wholeNumber(from: range.lowerBound)) { object, key in try object.number(key, range) }
  }
}

extension FieldForm where Value == ExactDecimal {
  /// A number with all its digits. It is encoded as a string, which keeps them.
  public static var decimal: FieldForm { decimal("a number") { _ in true } }

  /// A number that fulfils a condition.
  /// - Parameter sentence: What it takes: `a number greater than 0`.
  public static func decimal(
    _ sentence: String, where isRight: @escaping @Sendable (ExactDecimal) -> Bool
  ) -> FieldForm {
    FieldForm(.number) { object, key in
      guard let value: PlanValue = try object.value(key) else { return nil }
      if let number = value.written.flatMap({ ExactDecimal($0) }), !number.isMissing, isRight(number) { return number }
      throw object.error(key, " takes \(sentence), not \(value)")
    } encoded: {
      $0.description
    }
  }
}

extension FieldForm where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
  /// One of the cases.
  public static var choice: FieldForm {
    FieldForm(.choice(Value.allCases.map(\.rawValue))) { object, key in
      try object.choice(key)
    } encoded: {
      $0.rawValue
    }
  }
}

extension FieldForm where Value: Hashable {
  /// One of these texts, with the value that it means.
  static func choice(_ choices: [(String, Value)]) -> FieldForm {
    FieldForm(.choice(choices.map(\.0))) { object, key in
      try object.choice(key, choices)
    } encoded: { value in
      choices.first { $0.1 == value }?.0
    }
  }
}
