package import SluiceReadings
package import SluiceStages

/// Decodes position and speed of an encoder with two lines.
package struct QuadratureStage: ProcessingStage {
  package static let name = "quadrature"
  package static let makes = true

  /// The lines A and B. A leads if the position increases.
  package var a, b: String
  /// The name of the output stream.
  package var stream: String

  package static let standardStream = "quadrature"

  package init(_ a: String, _ b: String, stream: String = standardStream) {
    (self.a, self.b, self.stream) = (a, b, stream)
  }

  /// `A,B` or `knob=A,B`.
  package init?(_ argument: String) {
    let sign = argument.firstIndex(of: "=")
    let lines = (sign.map { argument[argument.index(after: $0)...] } ?? argument[...]).split(
      separator: ",", omittingEmptySubsequences: false)
    guard lines.count == 2, !lines.contains(""), sign != argument.startIndex else { return nil }
    self.init(String(lines[0]), String(lines[1]), stream: sign.map { String(argument[..<$0]) } ?? Self.standardStream)
  }

  package func processor(for inputs: InputStreams) throws(SluiceError) -> Quadrature {
    try Quadrature(a: a, b: b, name: stream, inputs: inputs)
  }
}

extension QuadratureStage {
  private enum CodingKeys: String, CodingKey, CaseIterable { case a, b, stream }

  package init(from decoder: any Decoder) throws {
    let object = try PlanObject<CodingKeys>(decoder, of: Self.self)
    self.init(
      try object.required(.a, object.text(.a)), try object.required(.b, object.text(.b)),
      stream: try object.text(.stream) ?? Self.standardStream)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(a, forKey: .a)
    try container.encode(b, forKey: .b)
    if stream != Self.standardStream { try container.encode(stream, forKey: .stream) }
  }
}

extension StagePlan {
  /// Decodes position and speed of an encoder with two lines.
  /// - Parameters:
  ///   - a: The line that leads if the position increases.
  ///   - b: The other line.
  ///   - stream: The name of the output stream.
  public static func quadrature(_ a: String, _ b: String, stream: String = "quadrature") -> StagePlan {
    StagePlan(QuadratureStage(a, b, stream: stream))
  }
}
