import SluiceReadings

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
extension StagePlan: PlanPart {
  static let key: PlanKey = "stage"

  init(plan node: PlanNode) throws(Fault) {
    let object = try PlanObject(node, keys: [Self.key])
    let name = try object.required(Self.key, object.text(Self.key))
    guard let type = Stages.named(name) else {
      throw object.error(Self.key, ": there is no stage \(unknown(name, among: Stages.names))")
    }
    stage = try type.init(plan: node)
  }

  var json: JSON { .object([(Self.key.text, .string(type(of: stage).name))] + stage.members) }
}
