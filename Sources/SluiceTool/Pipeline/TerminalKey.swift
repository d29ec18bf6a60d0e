/// A key of a replay with a rate.
enum TerminalKey: Equatable {
  /// Pauses, and resumes.
  case space
  /// Gives one reading while paused.
  case right
  /// Ends the replay.
  case quit
}
