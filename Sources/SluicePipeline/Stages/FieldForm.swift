public import SluiceReadings

/// How the value of a setting is written in a plan.
@_spi(Preview) public struct FieldForm<Value: Sendable>: Sendable {
  /// Returns nil if the key is missing, or null. Its errors are sentences about the key.
  let decode: @Sendable (PlanObject<PlanKey>, PlanKey) throws -> Value?
  let encoded: @Sendable (Value) -> any Encodable

  init(
    _ decode: @escaping @Sendable (PlanObject<PlanKey>, PlanKey) throws -> Value?,
    encoded: @escaping @Sendable (Value) -> any Encodable
  ) {
    (self.decode, self.encoded) = (decode, encoded)
  }
}

@_spi(Preview) extension FieldForm where Value: Encodable {
  init(_ decode: @escaping @Sendable (PlanObject<PlanKey>, PlanKey) throws -> Value?) {
    self.init(decode) { $0 }
  }
}

@_spi(Preview) extension FieldForm where Value == String {
  /// A text.
  public static var text: FieldForm { FieldForm { object, key in try object.text(key) } }
}

@_spi(Preview) extension FieldForm where Value == TimeSpan {
  /// A time: `10ms`.
  public static var time: FieldForm { FieldForm { object, key in try object.value(key) } }
}

@_spi(Preview) extension FieldForm where Value == Int {
  /// A whole number.
  public static var integer: FieldForm { FieldForm { object, key in try object.value(key) } }

  /// A whole number in a range.
  public static func count(_ range: PartialRangeFrom<Int>) -> FieldForm {
    FieldForm { object, key in try object.number(key, range) }
  }
}

@_spi(Preview) extension FieldForm where Value == ExactDecimal {
  /// A number with all its digits. It is encoded as a string, which keeps them.
  public static var decimal: FieldForm { decimal("a number") { _ in true } }

  /// - Parameter sentence: What it takes: `a number greater than 0`.
  public static func decimal(
    _ sentence: String, where isRight: @escaping @Sendable (ExactDecimal) -> Bool
  ) -> FieldForm {
    FieldForm { object, key in
      guard let value: PlanValue = try object.value(key) else { return nil }
      if let number = value.written.flatMap({ ExactDecimal($0) }), !number.isMissing, isRight(number) { return number }
      throw object.error(key, " takes \(sentence), not \(value)")
    } encoded: {
      $0.description
    }
  }
}

@_spi(Preview) extension FieldForm where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
  /// One of the cases.
  public static var choice: FieldForm {
    FieldForm { object, key in
      try object.choice(key)
    } encoded: {
      $0.rawValue
    }
  }
}
