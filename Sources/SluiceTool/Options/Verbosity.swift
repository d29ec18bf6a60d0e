/// The amount of output of a command.
enum Verbosity: Int, Comparable {
  /// Errors and warnings.
  case quiet
  case normal
  /// Also devices, settings, outputs, and the progress.
  case verbose

  static func < (a: Verbosity, b: Verbosity) -> Bool { a.rawValue < b.rawValue }
}
