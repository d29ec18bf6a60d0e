/// A key of a terminal. Its meaning depends on what the command shows.
enum TerminalKey: Equatable {
  case up, down, left, right
  case enter, escape, backspace
  /// Ctrl-C, which is a byte only if the terminal does not turn it into a signal.
  case interrupt
  /// A printable character.
  case character(Unicode.Scalar)
}
