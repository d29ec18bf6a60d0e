package import SluiceReadings
public import SluiceStages

/// Passes the readings for which a condition is true.
package struct WhereStage: ProcessingStage {
  package static let name = "where"
  package static let leavesOut = true
  package static let fields = StageFields<Self>(.required("condition", \.condition, .condition)) { Self($0) }

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

extension FieldForm where Value == Expression {
  /// A condition: `accel_x > 20`.
  static var condition: FieldForm {
    FieldForm(.text) { object, key in
      guard let text = try object.text(key) else { return nil }
      do throws(SluiceError) {
        return try Expression(text)
      } catch {
        throw object.error(key, ": \(error)")
      }
    } json: {
      .string($0.text)
    }
  }
}
