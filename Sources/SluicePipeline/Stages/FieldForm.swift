public import SluiceReadings
import SluiceRecording

/// How the value of a setting is written in a plan.
public struct FieldForm<Value: Sendable>: Sendable {
  /// For the schema.
  let form: ValueForm
  /// Returns nil if the key is missing, or null. Its errors are sentences about the key.
  let decode: @Sendable (PlanObject, PlanKey) throws -> Value?
  /// What is written in a plan.
  let json: @Sendable (Value) -> JSON

  init(
    _ form: ValueForm, _ decode: @escaping @Sendable (PlanObject, PlanKey) throws -> Value?,
    json: @escaping @Sendable (Value) -> JSON
  ) {
    (self.form, self.decode, self.json) = (form, decode, json)
  }
}

extension FieldForm where Value == String {
  /// A text.
  public static var text: FieldForm {
    FieldForm(.text) { object, key in
      try object.text(key)
    } json: {
      .string($0)
    }
  }

  /// A path or a name, which has no control characters.
  public static var name: FieldForm {
    FieldForm(.text) { object, key in
      try object.name(key)
    } json: {
      .string($0)
    }
  }
}

extension FieldForm where Value == TimeSpan {
  /// A time: `10ms`.
  public static var time: FieldForm {
    FieldForm(.time) { object, key in
      try object.value(key)
    } json: {
      $0.json
    }
  }

  /// A time that repeats: `10ms`, or a rate such as `100Hz`.
  public static var period: FieldForm {
    FieldForm(.period) { object, key in
      guard let value = object.member(key) else { return nil }
      if case .string(let text) = value.json, let period = TimeSpan(period: text) { return period }
      throw value.fault(" takes \(RowPeriod.form), not \(value.json.shown)")
    } json: {
      $0.json
    }
  }
}

extension FieldForm where Value == ByteSize {
  /// An amount of data: `100M`.
  static var size: FieldForm {
    FieldForm(.size) { object, key in
      try object.value(key)
    } json: {
      $0.json
    }
  }
}

extension FieldForm where Value == Bool {
  /// True or false.
  public static var flag: FieldForm {
    FieldForm(.flag) { object, key in
      try object.flag(key)
    } json: {
      .bool($0)
    }
  }
}

extension FieldForm where Value == Int {
  /// A whole number.
  public static var integer: FieldForm {
    FieldForm(.wholeNumber(from: nil)) { object, key in
      try object.integer(key)
    } json: {
      JSON($0)
    }
  }

  /// A whole number in a range.
  public static func count(_ range: PartialRangeFrom<Int>) -> FieldForm {
    FieldForm(.wholeNumber(from: range.lowerBound)) { object, key in
      try object.number(key, range)
    } json: {
      JSON($0)
    }
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
      guard let value = object.member(key) else { return nil }
      let text = if case .number(let digits) = value.json { digits } else { value.json.written }
      if let number = text.flatMap({ ExactDecimal($0) }), !number.isMissing, isRight(number) { return number }
      throw value.fault(" takes \(sentence), not \(value.json.shown)")
    } json: {
      .string($0.description)
    }
  }
}

extension FieldForm where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
  /// One of the cases.
  public static var choice: FieldForm {
    FieldForm(.choice(Value.allCases.map(\.rawValue))) { object, key in
      try object.choice(key)
    } json: {
      .string($0.rawValue)
    }
  }
}

extension FieldForm where Value: Hashable {
  /// One of these texts, with the value that it means.
  static func choice(_ choices: [(String, Value)]) -> FieldForm {
    FieldForm(.choice(choices.map(\.0))) { object, key in
      try object.choice(key, choices)
    } json: { value in
      JSON(choices.first { $0.1 == value }?.0)
    }
  }
}
