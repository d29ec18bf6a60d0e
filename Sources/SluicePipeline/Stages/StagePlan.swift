/// A stage on the way of the readings to the outputs, with its settings.
///
/// Use it in ``RecordingPlan/stages``, in the order in which the stages act. Each stage has a function here. docs/Record.md
/// says what the stages do.
///
/// ```swift
/// let stages: [StagePlan] = [.buffer(1_000, whenFull: .fail), .throttle(for: .milliseconds(100)), .collect(50)]
/// ```
public struct StagePlan: Hashable, Sendable {
  package let stage: any RecordingStage

  /// A stage that your program has added: see ``Stages/add(_:)``.
  public init(_ stage: any RecordingStage) { self.stage = stage }

  public static func == (a: StagePlan, b: StagePlan) -> Bool { AnyHashable(a.stage) == AnyHashable(b.stage) }

  public func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(stage)) }
}

/// The JSON has the settings beside the name: `{"stage": "throttle", "interval": "100ms"}`.
extension StagePlan: Codable {
  static let key = CodingKeys.stage.rawValue

  private enum CodingKeys: String, CodingKey, CaseIterable { case stage }

  public init(from decoder: any Decoder) throws {
    let object = try PlanObject<CodingKeys>(decoder)
    let name = try object.required(.stage, object.text(.stage))
    guard let type = Stages.named(name) else {
      throw object.error(.stage, ": there is no stage \(unknown(name, among: Stages.names))")
    }
    stage = try type.init(plan: decoder)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(type(of: stage).name, forKey: .stage)
    try stage.encode(plan: encoder)
  }
}
