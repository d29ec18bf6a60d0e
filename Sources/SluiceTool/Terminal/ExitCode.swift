/// Ends the command with this status. Its messages are already printed.
struct ExitCode: Error, Equatable {
  static let success = ExitCode(0)
  /// The arguments are wrong (EX_USAGE of sysexits.h).
  static let wrongUsage = ExitCode(64)

  let status: Int32

  init(_ status: Int32) { self.status = status }
}
