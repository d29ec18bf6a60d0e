/// What a shell offers for a value.
package enum ArgumentCompletion {
  case none
  case words(() -> [Candidate])
  /// Files, also in other folders.
  /// - Parameter endings: Without dots; empty for all files.
  case files(endings: [String])
  case folders
  /// A file, or what the words get behind one of these commands. Without a command, they are those of the first.
  case commandLine(_ commands: [String], endings: [String])
  /// What depends on the word with the cursor, and on those before it.
  case offering((_ word: String, _ words: [String]) -> [Candidate])

  /// All files.
  package static var file: Self { .files(endings: []) }

  /// The same words each time.
  package static func list(_ words: [String]) -> Self { .words { words.map { Candidate(word: $0) } } }
}
