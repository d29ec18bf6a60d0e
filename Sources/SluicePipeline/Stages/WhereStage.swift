package import SluiceReadings
public import SluiceStages

/// Passes the readings for which a condition is true.
package struct WhereStage: ProcessingStage {
  package static let name = "where"
  package static let leavesOut = true
  package static let word: StageWord? = StageWord(
    "where", "CONDITION", "Keep only readings for which a condition is true: 'voltage0 > 1.5 and accel_x < 0'.",
    isRepeated: true,
    commas: .condition,
    why: { text in StageWord.cause { () throws(SluiceError) in _ = try Expression(text) } }
  ) { (try? Expression($0)).map { Self($0) } }
  package static let settings = Settings<Self>(.required("condition", \.condition, .condition)) { Self($0) }

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

extension Form where Value == Expression {
  /// A condition: `accel_x > 20`.
  static var condition: Form {
    Form(.text) { node throws(Fault) in
      let text = try node.text()
      do throws(SluiceError) {
        return try Expression(text)
      } catch {
        throw node.fault(": \(error)")
      }
    } json: {
      .string($0.text)
    }
  }
}
