/// Starts a program without a shell, with the usual effect of all signals.
///
/// It gets no descriptors but the three standard ones, and none of the ``SecretVariables``.
/// - Parameters:
///   - words: The name of the program, which is looked for in PATH unless it has a slash, and its arguments.
///   - input: What it reads; nil for nothing.
///   - output: Where its standard output goes; nil for nowhere.
///   - errors: Where its standard error goes; nil for nowhere.
///   - inGroup: Whether it leads a process group of its own. A program that asks at the terminal must not.
/// - Returns: Its process.
package func spawnProgram(
  _ words: [String], input: Int32? = nil, output: Int32? = nil, errors: Int32? = nil, inGroup: Bool = true
) throws(SystemErrno) -> pid_t {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  let standard: [(own: Int32, given: Int32?)] = [
    (STDIN_FILENO, input), (STDOUT_FILENO, output), (STDERR_FILENO, errors),
  ]
  for (own, given) in standard {
    if let given {
      posix_spawn_file_actions_adddup2(&actions, given, own)
    } else {
      posix_spawn_file_actions_addopen(&actions, own, "/dev/null", own == STDIN_FILENO ? O_RDONLY : O_WRONLY, 0)
    }
  }
  posix_spawn_file_actions_addclosefrom_np(&actions, 3)
  var attributes = posix_spawnattr_t()
  posix_spawnattr_init(&attributes)
  defer { posix_spawnattr_destroy(&attributes) }
  var signals = sigset_t()
  sigemptyset(&signals)
  posix_spawnattr_setsigmask(&attributes, &signals)
  // This process handles or ignores some signals, which must have their usual effect on the program.
  sigfillset(&signals)
  posix_spawnattr_setsigdefault(&attributes, &signals)
  posix_spawnattr_setpgroup(&attributes, 0)
  let group = inGroup ? POSIX_SPAWN_SETPGROUP : 0
  posix_spawnattr_setflags(&attributes, Int16(group | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
  let arguments = words.map { strdup($0) } + [nil]
  defer { for argument in arguments { free(argument) } }
  var process: pid_t = 0
  let code = posix_spawnp(&process, words.first ?? "", &actions, &attributes, arguments, SecretVariables.otherVariables)
  guard code == 0 else { throw SystemErrno(code) }
  return process
}

/// How a program ended.
package enum ProgramEnd: Equatable, Sendable {
  case exited(Int32)
  case killed(signal: Int32)

  /// - Parameter status: What waitpid(2) gives.
  package init(_ status: Int32) {
    self = status & 0x7f == 0 ? .exited(status >> 8 & 0xff) : .killed(signal: status & 0x7f)
  }
}

/// Runs a program to its end.
/// - Parameter limit: The bytes of its standard output above which the rest is thrown away; nil leaves standard output,
///   standard error and standard input to the program.
/// - Returns: How it ended, and its standard output.
package func runProgram(_ words: [String], limit: Int?) throws(SystemErrno) -> (end: ProgramEnd, output: [UInt8]) {
  var all: [UInt8] = []
  var process: pid_t = 0
  if let limit {
    let ends = try pipeEnds()
    defer { closeFile(ends.reading) }
    do throws(SystemErrno) {
      process = try spawnProgram(words, output: ends.writing, errors: STDERR_FILENO)
    } catch {
      closeFile(ends.writing)
      throw error
    }
    closeFile(ends.writing)
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = try readBytes(ends.reading, into: &bytes)
      if count == 0 { break }
      all += bytes[..<min(count, max(0, limit - all.count))]
    }
  } else {
    process = try spawnProgram(
      words, input: STDIN_FILENO, output: STDOUT_FILENO, errors: STDERR_FILENO, inGroup: false)
  }
  var status: Int32 = 0
  let child = process
  _ = try valueOrErrno { waitpid(child, &status, 0) }
  return (ProgramEnd(status), all)
}

/// The two ends of a pipe, which no program inherits.
package func pipeEnds() throws(SystemErrno) -> (reading: Int32, writing: Int32) {
  var ends: [Int32] = [-1, -1]
  _ = try valueOrErrno { pipe(&ends) }
  for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  return (ends[0], ends[1])
}
