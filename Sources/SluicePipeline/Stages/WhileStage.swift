package import SluiceReadings
public import SluiceStages

/// Passes the readings of all streams while a condition is true.
package struct WhileStage: WindowStage {
  package typealias Processor = While

  package static let name = "while"
  package static let word: StageWord? = StageWord(
    "while", "CONDITION",
    "Keep only the readings of all streams while a condition is true: 'pump == 1'. The channel window has the number of the window.",
    commas: .condition,
    why: { text in StageWord.cause { () throws(SluiceError) in _ = try Expression(text) } }
  ) { (try? Expression($0)).map { Self($0) } }
  package static let settings = Settings<Self>(.required("condition", \.condition, .condition)) { Self($0) }

  package var condition: Expression
  package var last: Int64 = 0

  package init(_ condition: Expression) { self.condition = condition }

  package func numbering(for inputs: InputStreams) throws(SluiceError) -> While {
    try While(condition, inputs: inputs)
  }
}

extension StagePlan {
  /// Passes the readings of all streams while a condition is true.
  public static func `while`(_ condition: Expression) -> StagePlan { StagePlan(WhileStage(condition)) }
}
