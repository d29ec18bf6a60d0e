import SluiceReadings

/// A tag of each row of line protocol, with its value: `site=cellar`.
///
/// Databases select and group by it. Formats without tags leave it out.
///
/// ```swift
/// RowTag("site=cellar")?.value  // cellar
/// ```
public struct RowTag: Hashable, Sendable, LosslessStringConvertible {
  /// The name, not empty.
  public let name: String
  /// The value, not empty: line protocol has no tag without a value.
  public let value: String

  /// Parses `NAME=VALUE`; nil if one of them is missing. The name ends at the first `=`.
  public init?(_ text: String) {
    guard let equals = text.firstIndex(of: "="), equals > text.startIndex else { return nil }
    let value = text[text.index(after: equals)...]
    guard !value.isEmpty, !text.utf8.contains(0) else { return nil }
    (name, self.value) = (String(text[..<equals]), String(value))
  }

  package init(name: String, value: String) { (self.name, self.value) = (name, value) }

  public var description: String { "\(name)=\(value)" }

  /// Why the name cannot be that of a tag; nil if it can.
  package var fault: String? {
    // InfluxDB drops a tag with the name of the time, and keeps names with an underscore for itself.
    if name == "time" { return "time is the name of the time" }
    return name.hasPrefix("_") ? "databases keep names that begin with _ for themselves" : nil
  }
}
