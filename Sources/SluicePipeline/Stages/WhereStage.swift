package import SluiceReadings
public import SluiceStages

/// Passes the readings for which a condition is true.
package struct WhereStage: ProcessingStage {
  package static let name = "where"
  package static let leavesOut = true
  package static let fields = StageFields<Self>(.required("condition", \.condition, expression)) { Self($0) }

  private static let expression = FieldForm<Expression>(.text) { object, key in
    guard let text = try object.text(key) else { return nil }
    do throws(SluiceError) {
      return try Expression(text)
    } catch {
      throw object.error(key, ": \(error)")
    }
  } encoded: {
    $0.text
  }

  package var condition: Expression

  package init(_ condition: Expression) { self.condition = condition }

  package func processor(for inputs: InputStreams) throws(SluiceError) -> Where {
    try Where(condition, inputs: inputs)
  }
}

extension StagePlan {
  /// Passes the readings for which a condition is true.
  public static func `where`(_ condition: Expression) -> StagePlan { StagePlan(WhereStage(condition)) }
}
