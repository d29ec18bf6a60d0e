import SluiceReadings

/// A simple value of a plan.
enum PlanValue: Decodable, CustomStringConvertible {
  case null
  case flag(Bool)
  /// A number with all its digits.
  case number(String)
  case text(String)
  case list
  case object

  init(from decoder: any Decoder) throws {
    if let decoder = decoder as? JSONTreeDecoder {
      self = Self.value(decoder.json)
    } else if (try? decoder.container(keyedBy: PlanKey.self)) != nil {
      self = .object
    } else if (try? decoder.unkeyedContainer()) != nil {
      self = .list
    } else {
      self = try Self.scalar(decoder.singleValueContainer())
    }
  }

  /// Decodes a setting that is written as a text, such as a time.
  /// - Parameter form: The allowed form, for the error.
  static func parsed<Setting: LosslessStringConvertible>(from decoder: any Decoder, _ form: String) throws -> Setting {
    let value = try PlanValue(from: decoder)
    if case .text(let text) = value, let setting = Setting(text) { return setting }
    throw DecodingError.plan(decoder.codingPath, " takes \(form), not \(value)")
  }

  private static func value(_ json: JSON) -> PlanValue {
    switch json {
    case .null: .null
    case .bool(let flag): .flag(flag)
    // `1e3` and `2.0` are whole numbers.
    case .number(let digits): .number(ExactDecimal(digits)?.whole(power: 0).map { "\($0)" } ?? digits)
    case .string(let text): .text(text)
    case .array: .list
    case .object: .object
    }
  }

  private static func scalar(_ container: any SingleValueDecodingContainer) throws -> PlanValue {
    if container.decodeNil() { return .null }
    if let text = try? container.decode(String.self) { return .text(text) }
    if let flag = try? container.decode(Bool.self) { return .flag(flag) }
    if let number = try? container.decode(Int64.self) { return .number("\(number)") }
    if let number = try? container.decode(UInt64.self) { return .number("\(number)") }
    return .number("\(try container.decode(Double.self))")
  }

  /// The text that the command line would have; nil if it is not a simple value.
  var written: String? {
    switch self {
    case .flag(let flag): "\(flag)"
    case .number(let digits): digits
    case .text(let text): text
    case .null, .list, .object: nil
    }
  }

  /// The text as it is in the plan, for an error.
  var description: String {
    switch self {
    case .null: "null"
    case .flag(let flag): "\(flag)"
    case .number(let digits): digits
    case .text(let text): quoted(text, atMost: 64)
    case .list: "a list"
    case .object: "an object"
    }
  }
}
