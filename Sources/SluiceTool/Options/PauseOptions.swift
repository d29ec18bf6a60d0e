import SluiceArguments
import SluicePipeline
import SluiceRecording

extension PauseMode: NamedChoice {}

/// What happens to readings while a recording is paused.
struct PauseOptions: ArgumentGroup {
  var pauseMode: PauseMode?
  var spill: String?
  var spillSize: ByteSize?
  var startPaused = false

  static var rows: [ArgumentRow<Self>] {
    [
      .option(
        "pause-mode", "hold|discard|spill",
        "While paused: hold readings in the buffer, discard and count them, or write them to the spill. (default: hold)",
        \.pauseMode),
      .option(
        "spill", "DIR",
        "The folder for the spills, which is made if it does not exist. Without it, FILE-spill is beside FILE.",
        \.spill, completion: .folders),
      .option("spill-size", "SIZE", "The largest size of the spill of an output. (default: 1G)", \.spillSize),
      .flag("start-paused", "Begin paused; SIGUSR2 resumes.", \.startPaused),
    ]
  }

  var isEmpty: Bool { (pauseMode ?? .hold) == .hold && spill == nil && spillSize == nil && !startPaused }

  /// Sets what the options say.
  func set(in plan: inout RecordingPlan) {
    plan.pauseMode = pauseMode ?? .hold
    if spill != nil || spillSize != nil { plan.spill = SpillPlan(folder: spill, size: spillSize) }
    plan.startPaused = startPaused
  }
}
