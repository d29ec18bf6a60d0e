import SluiceRecording

/// As people write it: `1s`, `batch`, `none`.
extension SyncPolicy: LosslessStringConvertible {
  public init?(_ text: String) {
    switch text {
    case "batch": self = .batch
    case "none": self = .never
    default:
      guard let time = TimeSpan(text) else { return nil }
      self = .every(.nanoseconds(time.nanoseconds))
    }
  }

  public var description: String {
    switch self {
    case .every(let time): TimeSpan(nanoseconds: max(1, time.nanoseconds)).description
    case .batch: "batch"
    case .never: "none"
    }
  }
}

extension SyncPolicy: Codable {
  public init(from decoder: any Decoder) throws {
    let value = try PlanValue(from: decoder)
    guard case .text(let text) = value, let policy = SyncPolicy(text) else {
      throw DecodingError.plan(decoder.codingPath, " takes \(TimeSpan.form), batch or none, not \(value)")
    }
    self = policy
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
