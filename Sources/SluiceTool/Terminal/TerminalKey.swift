/// A key of a replay with a rate.
enum TerminalKey: Equatable {
  /// Pauses, and resumes.
  case space
  /// Delivers one reading during a pause.
  case right
  /// Ends the replay.
  case quit
}
