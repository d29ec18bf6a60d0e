package import SluiceReadings
public import SluiceStages

/// Passes the readings for which a condition is true.
package struct WhereStage: ProcessingStage {
  package static let name = "where"
  package static let leavesOut = true

  package var condition: Expression

  package init(_ condition: Expression) { self.condition = condition }

  package func processor(for inputs: InputStreams) throws(SluiceError) -> Where {
    try Where(condition, inputs: inputs)
  }
}

extension WhereStage {
  private enum CodingKeys: String, CodingKey, CaseIterable { case condition }

  package init(from decoder: any Decoder) throws {
    let object = try PlanObject<CodingKeys>(decoder, of: Self.self)
    let text = try object.required(.condition, object.text(.condition))
    do throws(SluiceError) {
      condition = try Expression(text)
    } catch {
      throw object.error(.condition, ": \(error)")
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(condition.text, forKey: .condition)
  }
}

extension StagePlan {
  /// Passes the readings for which a condition is true.
  public static func `where`(_ condition: Expression) -> StagePlan { StagePlan(WhereStage(condition)) }
}
