import ArgumentParser
import SluicePipeline
import SluiceRecording

extension PauseMode: NamedChoice {}

/// What happens to readings while a recording is paused.
struct PauseOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "While paused: hold readings in the buffer, discard and count them, or write them to the spill. (default: hold)",
      valueName: "hold|discard|spill"))
  var pauseMode: PauseMode?

  @Option(
    help: ArgumentHelp(
      "The folder for the spills, which is made if it does not exist. Without it, FILE-spill is beside FILE.",
      valueName: "DIR"), completion: .directory)
  var spill: String?

  @Option(
    help: ArgumentHelp("The largest size of the spill of an output. (default: 1G)", valueName: "SIZE"))
  var spillSize: ByteSize?

  @Flag(help: "Begin paused; SIGUSR2 resumes.")
  var startPaused = false

  var isEmpty: Bool { (pauseMode ?? .hold) == .hold && spill == nil && spillSize == nil && !startPaused }

  /// Sets what the options say.
  func set(in plan: inout RecordingPlan) {
    plan.pauseMode = pauseMode ?? .hold
    if spill != nil || spillSize != nil { plan.spill = SpillPlan(folder: spill, size: spillSize) }
    plan.startPaused = startPaused
  }
}
