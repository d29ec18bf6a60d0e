package import SluiceReadings
package import SluiceRecording
package import SluiceStages

/// Decodes position and speed of an encoder with two lines.
package struct QuadratureStage: TotalStage {
  package static let name = "quadrature"
  package static let makes = true
  package static let word: StageWord? = StageWord(
    "quadrature", "[STREAM=]A,B[,start=STEPS]",
    "Decode position and speed of an encoder with the lines A and B into a stream.",
    isRepeated: true, commas: .listBefore("start=")
  ) { Self($0) }
  package static let settings = Settings<Self>(
    .required("a", \.a, .text), .required("b", \.b, .text), .optional("stream", \.stream, .text),
    .optional("start", \.start, .integer)
  ) { Self($0, $1) }

  /// The lines A and B. A leads if the position increases.
  package var a, b: String
  /// The name of the output stream.
  package var stream: String
  /// The position before the first step of a new recording.
  package var start: Int
  /// The position of an earlier run; not in the plan.
  private var earlier: TraceMetadata.Total?

  package static let standardStream = "quadrature"

  package init(_ a: String, _ b: String, stream: String = standardStream, start: Int = 0) {
    (self.a, self.b, self.stream, self.start) = (a, b, stream, start)
  }

  /// `A,B`, `knob=A,B`, `A,B,start=400`.
  package init?(_ argument: String) {
    guard let (argument, start) = Self.split(argument, { Int($0) }) else { return nil }
    let sign = argument.firstIndex(of: "=")
    let lines = (sign.map { argument[argument.index(after: $0)...] } ?? argument[...]).split(
      separator: ",", omittingEmptySubsequences: false)
    guard lines.count == 2, !lines.contains(""), sign != argument.startIndex else { return nil }
    self.init(
      String(lines[0]), String(lines[1]), stream: sign.map { String(argument[..<$0]) } ?? Self.standardStream,
      start: start ?? 0)
  }

  package func processor(for inputs: InputStreams) throws(SluiceError) -> Quadrature {
    var processor = try Quadrature(a: a, b: b, name: stream, start: Int64(start), inputs: inputs)
    if let earlier, let (position, errors) = values(of: earlier) {
      processor.goOn(position: position, errors: errors, isAtLeast: earlier.isAtLeast)
    }
    return processor
  }

  /// The position and the errors of an earlier run; nil if it is not one of this stage.
  private func values(of total: TraceMetadata.Total) -> (position: Int64, errors: Int64)? {
    guard total.stream.isExactly(stream), let position = total.count("position"),
      let errors = total.count("errors")
    else { return nil }
    return (position, errors)
  }

  package func reason(againstGoingOnFrom total: TraceMetadata.Total) -> String? { nil }

  package func text(of total: TraceMetadata.Total) -> String? {
    values(of: total).map { position, _ in "position \(position)" }
  }

  /// Steps go in both directions.
  package static let cutOffText = "it may be off, because later steps are missing"
  package var startText: String? { start == 0 ? nil : "start=\(start)" }

  package func total(
    ofRow row: TraceMetadata.Total, from start: TraceMetadata.Total?, scaled: Set<String>, isRounded: Bool
  ) -> TraceMetadata.Total? {
    scaled.isDisjoint(with: ["position", "errors"]) && values(of: row) != nil ? row : nil
  }

  package func goingOn(from totals: [TraceMetadata.Total]) -> QuadratureStage {
    var stage = self
    stage.earlier = totals.first { values(of: $0) != nil }
    return stage
  }
}

extension StagePlan {
  /// Decodes position and speed of an encoder with two lines.
  /// - Parameters:
  ///   - a: The line that leads if the position increases.
  ///   - b: The other line.
  ///   - stream: The name of the output stream.
  ///   - start: The position before the first step of a new recording.
  public static func quadrature(
    _ a: String, _ b: String, stream: String = "quadrature", start: Int = 0
  ) -> StagePlan {
    StagePlan(QuadratureStage(a, b, stream: stream, start: start))
  }
}
