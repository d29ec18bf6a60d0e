import ArgumentParser
import SluicePipeline

/// What is noted about a recording: `site=Cellar, left wall`.
struct MetaArgument: ExpressibleByArgument, Hashable {
  let note: RecordingMetadata.Note

  init?(argument: String) {
    guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex else { return nil }
    note = RecordingMetadata.Note(
      key: String(argument[..<equals]), value: String(argument[argument.index(after: equals)...]))
  }
}
