import SluiceArguments
import SluicePipeline

/// A note about a recording, with its key: `site=Cellar, left wall`.
struct MetaArgument: ArgumentValue, Equatable {
  let note: RecordingPlan.Note

  init?(argument: String) {
    guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex else { return nil }
    note = RecordingPlan.Note(
      key: String(argument[..<equals]), value: String(argument[argument.index(after: equals)...]))
  }
}
