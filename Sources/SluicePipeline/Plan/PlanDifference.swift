import SluiceReadings
import SluiceRecording

/// What is different between the plan of a recording that runs and another one, and what of it the recording can take over.
/// It opens nothing.
///
/// ```swift
/// let difference = PlanDifference(from: plan, to: changed, places)
/// print(difference.kept)  // what a recording has to be started anew for
/// ```
package struct PlanDifference {
  /// A list of stages.
  package enum Place: Hashable, Sendable {
    /// Those of a source, by its number in the plan.
    case source(Int)
    case shared
    /// Those of an output, by its path.
    case output(String)
  }

  /// The stages between two that stay, exchanged for others.
  struct Exchange {
    var place: Place
    /// Which of the regions of ``StageRegions``.
    var region: Int
    var stages: [any RecordingStage]
    var sentence: String
  }

  struct NewRotation {
    var path: String
    var rotation: Rotation
    var sentence: String
  }

  /// What a recording that runs can take over.
  struct Places {
    /// The lists of stages whose regions can be exchanged.
    var exchangeable: Set<Place>
    /// Whether the time passes for stages also while no reading comes.
    var hasMarks: Bool
    /// Why stages do not fit into a place that can be exchanged; nil if they do.
    /// - Throws: The fault of a stage that does not fit its streams.
    var reason: (_ place: Place, _ region: Int, _ stages: [any RecordingStage]) throws(SluiceError) -> String? = {
      (_, _, _) throws(SluiceError) in nil
    }
  }

  private(set) var exchanges: [Exchange] = []
  private(set) var rotations: [NewRotation] = []
  private(set) var newOutputs: [OutputPlan] = []
  /// What stays as it is, each as a sentence with its reason.
  private(set) var kept: [String] = []
  /// The former plan with everything that can change.
  private(set) var plan: RecordingPlan

  var isEmpty: Bool { exchanges.isEmpty && rotations.isEmpty && newOutputs.isEmpty && kept.isEmpty }

  private let places: Places

  /// The settings of a plan that are compared by their parts. The others count at a start only.
  private static let compared = ["sources", "replay", "stages", "outputs"]

  /// - Throws: The fault of a stage of the other plan that does not fit the streams.
  init(from old: RecordingPlan, to new: RecordingPlan, _ places: Places) throws(SluiceError) {
    (plan, self.places) = (old, places)
    if case .sources(let sources) = new.input {
      try compare(sources)
    } else {
      kept.append("a recording does not become a replay")
    }
    plan.stages = try compare(.shared, "the stages of all readings", old.stages, new.stages)
    try compare(new.outputs)
    let different = RecordingPlan.settings.different(old, new).filter { !Self.compared.contains($0) }.map {
      "\"\($0)\""
    }
    if !different.isEmpty {
      kept.append("\(listed(different)) \(different.count == 1 ? "counts" : "count") at a start only")
    }
  }

  // MARK: Sources

  private mutating func compare(_ new: [SourcePlan]) throws(SluiceError) {
    guard case .sources(var sources) = plan.input else { return }
    let specs = (sources.map(\.spec), new.map(\.spec))
    guard specs.0 == specs.1 else {
      // Their stages belong to sources that may be others.
      return kept.append("the sources and their settings stay: they are opened at a start")
    }
    for (number, source) in new.enumerated() {
      sources[number].stages = try compare(
        .source(number), "the stages of \(source.spec.name ?? "\(source.spec.kind.name):\(source.spec.what)")",
        sources[number].stages, source.stages)
    }
    plan.input = .sources(sources)
  }

  // MARK: Stages

  /// - Returns: The stages that there are then.
  private mutating func compare(
    _ place: Place, _ name: String, _ old: [StagePlan], _ new: [StagePlan]
  ) throws(SluiceError) -> [StagePlan] {
    let (former, next) = (StageRegions(old.map(\.stage)), StageRegions(new.map(\.stage)))
    guard !former.stages.isSame(as: next.stages) else { return old }
    guard former.fixed.isSame(as: next.fixed) else {
      kept.append(
        "\(name) stay: a buffer, and a stage with a total or with windows, cannot be changed, added or taken away "
          + "while they run")
      return old
    }
    guard places.exchangeable.contains(place) else {
      kept.append(
        "\(name) stay: "
          + (place.isOfSource
            ? "a source that had none at the start gets none"
            : "an output that had none at the start gets its readings together with others"))
      return old
    }
    var result = former
    for (region, (stages, others)) in zip(former.regions, next.regions).enumerated() {
      guard !stages.isSame(as: others) else { continue }
      var reason = reason(against: others, insteadOf: stages, place)
      if reason == nil { reason = try places.reason(place, region, others) }
      if let reason {
        kept.append("\(name) stay: \(reason)")
        continue
      }
      result.regions[region] = others
      exchanges.append(
        Exchange(
          place: place, region: region, stages: others,
          sentence: "\(name): \(others.planText) instead of \(stages.planText)"))
    }
    return result.stages.map { StagePlan($0) }
  }

  private func reason(
    against new: [any RecordingStage], insteadOf old: [any RecordingStage], _ place: Place
  ) -> String? {
    guard new.making == old.making else {
      return "a stage that makes readings can be changed while they run, but not added, taken away or moved"
    }
    // The stages of a source always have marks.
    if !places.hasMarks, !place.isOfSource, let stage = new.first(where: \.endsByTime) {
      return "\(type(of: stage).name) needs the time to pass also without readings, which no stage needed at the start"
    }
    return nil
  }

  // MARK: Outputs

  private mutating func compare(_ new: [OutputPlan]) throws(SluiceError) {
    for number in plan.outputs.indices {
      let old = plan.outputs[number]
      guard let next = new.first(where: { $0.path == old.path }) else {
        kept.append("\(old.path) goes on: an output cannot be taken away while it is written")
        continue
      }
      plan.outputs[number].stages = try compare(
        .output(old.path), "the stages of \(old.path)", old.stages, next.stages)
      if old.buffer != next.buffer { kept.append("the buffer of \(old.path) stays: it may hold readings") }
      compareRotation(old, next, number)
      if old.settings != next.settings {
        kept.append("the format of \(old.path), and how it writes times and values, stay: it has rows already")
      }
    }
    let added = new.filter { next in !plan.outputs.contains { $0.path == next.path } }
    for output in added {
      if !places.hasMarks, let stage = output.stages.map(\.stage).first(where: \.endsByTime) {
        kept.append(
          "\(output.path) is not added: \(type(of: stage).name) needs the time to pass also without readings, which no "
            + "stage needed at the start")
        continue
      }
      newOutputs.append(output)
      plan.outputs.append(output)
    }
  }

  private mutating func compareRotation(_ old: OutputPlan, _ next: OutputPlan, _ number: Int) {
    guard old.rotation != next.rotation else { return }
    guard old.rotation != nil, let rotation = next.rotation else {
      return kept.append("\(old.path) stays \(old.rotation == nil ? "one file" : "cut into parts"), as it began")
    }
    plan.outputs[number].rotation = rotation
    rotations.append(
      NewRotation(
        path: old.path, rotation: rotation,
        sentence: "the rotation of \(old.path): \(rotation.planText) instead of \(old.rotation?.planText ?? "none")"))
  }
}

extension PlanDifference.Place {
  var isOfSource: Bool { if case .source = self { true } else { false } }
}

extension OutputPlan {
  /// What an output has had since it began. What was there before it does not matter any more.
  fileprivate var settings: OutputPlan {
    var plan = self
    (plan.stages, plan.buffer, plan.rotation, plan.existing) = ([], nil, nil, .refuse)
    return plan
  }
}

extension Rotation {
  /// For a sentence: `1h,100M, keep 7d`.
  fileprivate var planText: String { description + (keep.map { ", keep \($0)" } ?? "") }
}
