/// How much a command says.
enum Verbosity: Int, Comparable {
  /// Errors and warnings.
  case quiet
  case normal
  /// Also devices, settings, outputs, and how it is going.
  case verbose

  static func < (a: Verbosity, b: Verbosity) -> Bool { a.rawValue < b.rawValue }
}
