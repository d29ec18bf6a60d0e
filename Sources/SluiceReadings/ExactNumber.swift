/// A decimal number as a member of a document: all its digits are written, and read from a string.
package struct ExactNumber: Equatable, Codable {
  package let value: ExactDecimal

  package init(_ value: ExactDecimal) { self.value = value }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let value = ExactDecimal(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "is \(text), which is no number whose digits fit in 64 bits")
    }
    self.value = value
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value.description)
  }
}
