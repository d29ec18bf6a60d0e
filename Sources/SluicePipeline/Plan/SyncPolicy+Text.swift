public import SluiceRecording

/// The text form: `1s`, `batch`, `none`.
extension SyncPolicy: LosslessStringConvertible {
  /// Parses a text; nil if it is malformed.
  public init?(_ text: String) {
    switch text {
    case "batch": self = .batch
    case "none": self = .never
    default:
      guard let time = TimeSpan(period: text) else { return nil }
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

extension SyncPolicy: PlanText {
  static var form: String { "\(RowPeriod.form), batch or none" }
}

extension ValueForm {
  static let sync = ValueForm.either([.choice(["batch", "none"]), .period])
}
