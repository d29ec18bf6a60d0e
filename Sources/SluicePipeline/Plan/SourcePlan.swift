public import SluiceReadings

/// A source of a recording, and the stages that only its streams pass.
///
/// Use it in ``RecordingPlan/input`` if sources are to be treated apart: a fast sensor and a slow one. Its stages come
/// before those of all sources, and see only its streams.
///
/// ```swift
/// let slow = SourcePlan(try SourceSpec("iio:bme280"), stages: [.throttle(for: .seconds(10))])
/// let plan = RecordingPlan(
///   input: .sources([try SourcePlan("imu=iio:bmi160"), slow]), outputs: [OutputPlan("all.csv")])
/// ```
public struct SourcePlan: Hashable, Sendable {
  /// The source.
  public var spec: SourceSpec
  /// The stages, in the order in which its readings pass them. A buffer is for all sources, or for one output.
  public var stages: [StagePlan]

  /// Plans a source.
  public init(_ spec: SourceSpec, stages: [StagePlan] = []) {
    self.spec = spec
    self.stages = stages
  }

  /// Parses a source with its stages, without I/O.
  /// - Parameter text: The text, such as `imu=iio:bmi160,sample-rate=400,every=10`.
  /// - Throws: A `SluiceError` with the fault of the text.
  public init(_ text: String) throws(SluiceError) {
    do throws(Fault) {
      try self.init(argument: text)
    } catch {
      throw SluiceError(.usage, "use", "a source", because: error.description)
    }
  }

  /// Parses the argument `imu=iio:bmi160,every=10`.
  package init(argument text: String) throws(Fault) {
    let (rest, stages) = try Self.split(text)
    self.init(try SourceSpec(argument: rest), stages: stages)
  }

  /// Parses the value of `--iio`: `imu=bmi160,every=10`.
  package init(_ text: String, of kind: any SourceKind.Type) throws(Fault) {
    let (rest, stages) = try Self.split(text, "--\(kind.name) ")
    self.init(try SourceSpec(rest, of: kind), stages: stages)
  }

  private static func split(_ text: String, _ head: String = "") throws(Fault) -> (String, [StagePlan]) {
    let split = StageText.split(text) { SourceSettings.Key(named: String($0)) != nil }
    if let key = split.rest.dropFirst().compactMap({ $0.split(separator: "=").first }).first(where: isOfBuffer) {
      throw Fault("\(head)\(text): \(key) is for all sources, or for one output; give --\(key) instead")
    }
    guard !split.words.isEmpty else { return (text, []) }
    do throws(Fault) {
      return (split.rest.joined(separator: ","), try StageText.stages(split.words))
    } catch {
      throw Fault("\(head)\(text): \(error)")
    }
  }
}

private func isOfBuffer(_ key: Substring) -> Bool { key == "buffer" || key == "when-full" }

/// The JSON has the stages beside the members of the source:
/// `{"kind": "iio", "what": "bmi160", "stages": [{"stage": "every", "count": 10}]}`.
extension SourcePlan: PlanPart {
  init(plan node: PlanNode) throws(Fault) {
    let object = try PlanObject(node, keys: ["stages"])
    // It checks the keys.
    spec = try SourceSpec(plan: node)
    stages = try object.list("stages")
    if let index = stages.firstIndex(where: { $0.stage is BufferStage }) {
      throw object.error(
        at: ["stages", PlanKey(index)],
        ": a buffer is for all sources, or for one output; write it into the \"stages\" of the plan")
    }
  }

  var json: JSON {
    stages.isEmpty ? spec.json : .object(spec.json.members + [("stages", .array(stages.map(\.json)))])
  }
}
