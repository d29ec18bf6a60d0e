/// A key that a paced replay knows.
enum TerminalKey: Equatable {
  /// Pauses, and goes on.
  case space
  /// Gives one reading while paused.
  case right
  /// Ends the replay.
  case quit
}
