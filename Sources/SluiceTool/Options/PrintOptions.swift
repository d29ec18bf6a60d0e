import SluiceArguments
import SluicePipeline

/// Whether a plan is shown instead of run.
struct PrintOptions: ArgumentGroup {
  var printPlan = false
  var printStation = false

  static var rows: [ArgumentRow<Self>] {
    [
      .flag("print-plan", PlanForm.json.help, \.printPlan),
      .flag("print-station", PlanForm.station.help, \.printStation),
    ]
  }

  func validate() throws {
    if printPlan, printStation {
      throw ArgumentFault("--print-plan and --print-station print the same plan; give one of them")
    }
  }

  var form: PlanForm? { PlanForm(printPlan, printStation) }
}

/// A form in which a plan is printed instead of run.
enum PlanForm {
  case json, station

  /// - Returns: Nil without a form. Both were refused before.
  init?(_ isJSON: Bool, _ isStation: Bool) {
    guard isJSON || isStation else { return nil }
    self = isJSON ? .json : .station
  }

  var help: String {
    "Print the plan of these arguments as \(self == .json ? "JSON" : "a station file"), and open nothing."
  }

  func print(_ plan: RecordingPlan) throws {
    try printOutput(self == .json ? plan.text + "\n" : plan.station)
  }
}
