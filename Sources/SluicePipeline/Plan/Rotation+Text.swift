public import SluiceRecording

/// The text form: `100M`, `1h`, or `1h,100M`, whichever comes first. The retention is a separate text.
extension Rotation: LosslessStringConvertible {
  /// Parses a text; nil if it is malformed.
  public init?(_ text: String) {
    self.init()
    for word in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
      if period == nil, let time = TimeSpan(word) {
        period = .nanoseconds(time.nanoseconds)
      } else if size == nil, let size = ByteSize(withUnit: word) {
        self.size = size.bytes
      } else {
        return nil
      }
    }
  }

  public var description: String {
    [
      period.map { TimeSpan(nanoseconds: max(1, $0.nanoseconds)).description },
      size.map { ByteSize(bytes: $0).description },
    ]
    .compactMap { $0 }.joined(separator: ",")
  }

  package static let form = "a size, a time, or both, such as 100M, 1h or 1h,100M"
}

extension Rotation: PlanText {}

/// The text form: `7d`, `10G`, `100parts`, or several of them.
extension Retention: LosslessStringConvertible {
  /// Parses a text; nil if it is malformed.
  public init?(_ text: String) {
    self.init()
    for word in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
      if parts == nil, word.hasSuffix("parts"), let count = Int(word.dropLast("parts".count)), count > 0 {
        parts = count
      } else if age == nil, let time = TimeSpan(word) {
        age = .nanoseconds(time.nanoseconds)
      } else if bytes == nil, let size = ByteSize(withUnit: word) {
        bytes = size.bytes
      } else {
        return nil
      }
    }
  }

  public var description: String {
    [
      age.map { TimeSpan(nanoseconds: max(1, $0.nanoseconds)).description },
      bytes.map { ByteSize(bytes: $0).description }, parts.map { "\($0)parts" },
    ]
    .compactMap { $0 }.joined(separator: ",")
  }

  package static let form = "an age, a size, a number of parts, or several of them, such as 7d, 10G or 100parts"
}

extension Retention: PlanText {}

extension ByteSize {
  /// Parses a size that has a unit. A user who writes 100 may mean parts, and removed parts are gone.
  fileprivate init?(withUnit text: String) {
    guard text.last?.isLetter == true else { return nil }
    self.init(text)
  }
}

extension ValueForm {
  static let rotation = list(of: [TimeSpan.pattern, ByteSize.pattern], Rotation.form)
  static let retention = list(of: [TimeSpan.pattern, ByteSize.pattern, "[0-9]+parts"], Retention.form)

  /// Several texts with commas between them.
  private static func list(of patterns: [String], _ words: String) -> ValueForm {
    let one = "(\(patterns.joined(separator: "|")))"
    return .grammar(pattern: "^\(one)(,\(one))*$", words: words)
  }
}
