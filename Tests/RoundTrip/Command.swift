import SluicePipeline
import SluiceRecording

/// A command of `sluice` that records, replays or converts: its words, and the plan that they mean.
///
/// The plan runs in this process. RoundTripTests checks that the words mean it.
struct Command {
  var name: String
  var words: [String]
  var plan: RecordingPlan

  /// The line that a user can paste into a shell.
  var line: String { Self.line([name] + words) }

  static func line(_ words: [String]) -> String {
    (["sluice"] + words).map { quotedForShell($0) }.joined(separator: " ")
  }
}
