import ArgumentParser
import SluicePipeline

/// Whether a plan is shown instead of run.
struct PrintOptions: ParsableArguments {
  @Flag(help: "Print the plan of these arguments as JSON, and open nothing.")
  var printPlan = false

  @Flag(help: "Print the plan of these arguments as a station file, and open nothing.")
  var printStation = false

  func validate() throws {
    if printPlan, printStation {
      throw ValidationError("--print-plan and --print-station print the same plan; give one of them")
    }
  }

  /// - Returns: Whether the plan was printed.
  func prints(_ plan: RecordingPlan) throws -> Bool {
    if printPlan { try printOutput(plan.text + "\n") }
    if printStation { try printOutput(plan.station) }
    return printPlan || printStation
  }
}
