import SluiceReadings

/// A list of stages, cut at those that cannot be exchanged while readings pass them: a buffer, which holds readings for as
/// long as nobody takes them, and a stage with a total or with windows, which would begin anew.
struct StageRegions {
  /// Between two of the others, before the first, and behind the last: one more than these. They may be empty.
  var regions: [[any RecordingStage]] = [[]]
  /// The stages that stay.
  var fixed: [any RecordingStage] = []

  init(_ stages: [any RecordingStage]) {
    for stage in stages {
      if Self.isFixed(stage) {
        fixed.append(stage)
        regions.append([])
      } else {
        regions[regions.count - 1].append(stage)
      }
    }
  }

  static func isFixed(_ stage: any RecordingStage) -> Bool { stage is BufferStage || stage.totalStage != nil }

  /// The list again.
  var stages: [any RecordingStage] {
    regions.enumerated().flatMap { index, region in
      region + (index < fixed.count ? [fixed[index]] : [])
    }
  }
}

extension [any RecordingStage] {
  /// Whether both lists have the same stages.
  func isSame(as other: [any RecordingStage]) -> Bool { map { StagePlan($0) } == other.map { StagePlan($0) } }

  /// The names of the stages that make readings.
  var making: [String] { map { type(of: $0) }.filter { $0.makes }.map { $0.name } }

  /// As in a plan, for a sentence: `{"stage": "throttle", "interval": "1s"}`.
  var planText: String {
    isEmpty
      ? "none"
      : map { stage in StagePlan(stage).json.text }
        .joined(separator: ", ")
  }
}
