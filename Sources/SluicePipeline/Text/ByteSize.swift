import SluiceReadings

/// An amount of data in its text form: `512k`, `64M`, `1G`, in powers of 1,024.
///
/// Use it for ``RecordingPlan/Limits/minFree``.
///
/// ```swift
/// ByteSize("64M")?.bytes  // 67108864
/// ByteSize.megabytes(100).description  // 100M
/// ```
public struct ByteSize: Hashable, Sendable, LosslessStringConvertible {
  /// The number of bytes.
  public let bytes: Int

  package init(bytes: Int) { self.bytes = bytes }

  /// A number of bytes; at least 1.
  public static func bytes(_ count: Int) -> ByteSize { ByteSize(bytes: max(1, count)) }

  /// A number of megabytes of 1,048,576 bytes; at least 1 byte.
  public static func megabytes(_ count: Int) -> ByteSize {
    let (bytes, overflow) = max(0, count).multipliedReportingOverflow(by: 1 << 20)
    return .bytes(overflow ? .max : bytes)
  }

  /// Parses a whole number of 1 or more, followed by nothing, `B`, `k`, `M` or `G`. Nil if it is something else.
  public init?(_ argument: String) {
    let digits = argument.prefix { $0.isASCII && $0.isNumber }
    guard let number = Int(digits), number > 0, let scale = Self.units[String(argument[digits.endIndex...])] else {
      return nil
    }
    let (bytes, overflow) = number.multipliedReportingOverflow(by: scale)
    guard !overflow else { return nil }
    self.bytes = bytes
  }

  private static let units = ["": 1, "B": 1, "k": 1 << 10, "M": 1 << 20, "G": 1 << 30]

  /// The size in the largest unit that gives a whole number. Parsing it gives the same size.
  public var description: String {
    // Not a loop: see TimeSpan.description.
    if bytes % (1 << 30) == 0 { return "\(bytes / (1 << 30))G" }
    if bytes % (1 << 20) == 0 { return "\(bytes / (1 << 20))M" }
    if bytes % (1 << 10) == 0 { return "\(bytes / (1 << 10))k" }
    // The unit is needed, because a number without a unit is unclear, and options refuse it.
    return "\(bytes)B"
  }
}

/// A size is a text, such as `"100M"`, or a number of bytes.
extension ByteSize: PlanText {
  init(plan node: PlanNode) throws(Fault) {
    guard let size = node.json.written.flatMap(Self.init) else {
      throw node.fault(" takes \(Self.form), not \(node.json.shown)")
    }
    self = size
  }

  /// The part of a regular expression for a size with its unit.
  static let pattern = "[0-9]+[BkMG]"
  package static let form = "an amount of data, such as 512k, 100M or 1G"
}

extension ByteSize {
  /// Why a text of the command line is refused: a number without a unit could be bytes or megabytes.
  package static func refusal(of text: String) -> String? {
    !text.isEmpty && text.allSatisfy { $0.isASCII && $0.isNumber }
      ? "a size has a unit, such as \(text)k, \(text)M or \(text)G" : nil
  }
}

extension ValueForm {
  static let size = ValueForm.either([
    .grammar(pattern: "^\(ByteSize.pattern)$", words: ByteSize.form), .wholeNumber(from: 1),
  ])
}
