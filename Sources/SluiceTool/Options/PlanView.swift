import SluiceArguments
import SluiceDevices
import SluicePipeline
import SluiceReadings

/// What is shown of a plan, instead of running it. Nothing is opened.
enum PlanView: String, CaseIterable {
  case json, station, check, explain

  /// What `sluice plan VIEW` does.
  var summary: String {
    switch self {
    case .json: "Print the plan as JSON."
    case .station: "Print the plan as a station file."
    case .check: "Check the plan, and say what is wrong with it."
    case .explain:
      "Say in sentences what would happen, and how long the outputs and this program may stand still before a reading is lost."
    }
  }

  /// The option of a recording that did the same.
  var option: String {
    switch self {
    case .json: "print-plan"
    case .station: "print-station"
    case .check: "check"
    case .explain: "explain"
    }
  }

  /// - Parameter title: What was given, with its verb: `the plan is`.
  func show(_ plan: RecordingPlan, _ roots: DeviceRoots, title: String) throws {
    // A run checks its plan itself.
    try plan.validate()
    switch self {
    case .json: try printOutput(plan.text + "\n")
    case .station: try printOutput(plan.station)
    case .check: try printText(plan.checked(title) + "\n")
    case .explain:
      _ = try plan.checked(title)
      try printText(Explanation(plan, roots: roots).text)
    }
  }
}

extension Array {
  /// The options that show a plan instead of running it, which `sluice plan` does now.
  static func views<Owner>(
    _ views: [PlanView], _ place: @autoclosure @escaping () -> WritableKeyPath<Owner, PlanView?>
  ) -> [ArgumentRow<Owner>] where Element == ArgumentRow<Owner> {
    views.map { view in
      .option(view.option, nil, view.summary, isRepeated: false) { (owner: inout Owner, _) throws(Fault) in
        if let other = owner[keyPath: place()], other != view {
          throw Fault("--\(other.option) and --\(view.option) each take the place of the run; give one of them")
        }
        owner[keyPath: place()] = view
        return true
      }
      .written { _ in "'sluice plan \(view.rawValue) COMMAND ...'" }
    }
  }
}
