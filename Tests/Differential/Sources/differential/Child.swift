import Glibc

/// Swift hides it because of threads; this program has none.
@_silgen_name("fork") private func fork() -> pid_t

/// A copy of this process, which may trap or hang.
struct Child {
  enum End { case done, trapped, hung }

  private let pid: pid_t

  init(_ body: () -> Void) {
    fflush(stdout)
    pid = fork()
    precondition(pid >= 0, "fork: errno \(errno)")
    if pid > 0 { return }
    // No backtrace, no core, no message: a trap is a result here.
    for number in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT] { signal(number, SIG_DFL) }
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    let null = open("/dev/null", O_WRONLY)
    dup2(null, STDERR_FILENO)
    body()
    fflush(stdout)
    _exit(0)
  }

  func wait() -> End {
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    if signal == 0 { return status == 0 ? .done : .trapped }
    return signal == SIGALRM ? .hung : .trapped
  }

  /// Lets the process be ended after that many seconds, if it does not say so again.
  static func patience(_ seconds: UInt32) { alarm(seconds) }

  /// What the process printed, and how it ended if it died.
  static func output(_ body: () -> Void) -> String {
    guard let file = tmpfile() else { return "" }
    defer { fclose(file) }
    let end = Child {
      dup2(fileno(file), STDOUT_FILENO)
      body()
    }.wait()
    rewind(file)
    var text = ""
    while let line = readLine(file) { text += line }
    return end == .done ? text : text + "  \(end)\n"
  }

  static func readLine(_ file: UnsafeMutablePointer<FILE>) -> String? {
    var buffer = [CChar](repeating: 0, count: 4_096)
    return fgets(&buffer, 4_096, file).map { String(cString: $0) }
  }
}
