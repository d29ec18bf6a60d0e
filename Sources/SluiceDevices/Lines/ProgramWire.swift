package import SluiceReadings
import SluiceSystem

/// A program that writes lines to its standard output.
///
/// It runs without a shell, in a process group of its own, with an empty standard input and no other descriptors. At
/// the end the group gets TERM, and KILL two seconds later. In these two seconds the program can write its last lines
/// and exit. The same happens to a program that closes its output and goes on. If the program fails, the error says how
/// it ended, with the last lines of its standard error.
package final class ProgramWire: LineWire {
  private let words: [String]
  private let tell: @Sendable (String) -> Void
  private var output: Int32 = -1
  private var errors: Int32 = -1
  private var process: pid_t = 0
  private var lastErrors: [UInt8] = []
  /// When the group got TERM, by CLOCK_MONOTONIC in nanoseconds; nil before.
  private var asked: UInt64?

  /// How long to wait for its last lines and its exit after TERM, in milliseconds.
  private static var patience: Int32 { 2_000 }

  /// - Parameters:
  ///   - words: The program and its arguments.
  ///   - tell: Called with a sentence if the program had to be killed.
  package init(_ words: [String], tell: @escaping @Sendable (String) -> Void) {
    (self.words, self.tell) = (words, tell)
  }

  package var title: String { "the program \(words[0])" }
  package var descriptors: [Int32] { output < 0 ? [] : errors < 0 ? [output] : [output, errors] }
  package var coverage: LossReport {
    LossReport(coverage: .none, reason: "with a program", remedy: "let the program count what it misses")
  }

  package func open(isInterrupted: () -> Bool) throws(SluiceError) {
    func failure(_ error: SystemErrno, _ remedy: String) -> SluiceError {
      SluiceError("start", title, errno: error.code, remedy: remedy)
    }
    let out: (reading: Int32, writing: Int32)
    let err: (reading: Int32, writing: Int32)
    var opened: [Int32] = []
    do throws(SystemErrno) {
      out = try pipeEnds()
      opened = [out.reading, out.writing]
      err = try pipeEnds()
    } catch {
      for descriptor in opened { closeFile(descriptor) }
      throw failure(error, "let this process open more files (ulimit -n)")
    }
    defer {
      closeFile(out.writing)
      closeFile(err.writing)
    }
    do throws(SystemErrno) {
      process = try spawnProgram(words, output: out.writing, errors: err.writing)
    } catch {
      closeFile(out.reading)
      closeFile(err.reading)
      process = 0
      throw failure(error, "give the name of an executable program in PATH, or its full path")
    }
    (output, errors) = (out.reading, err.reading)
    for descriptor in descriptors { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
    (asked, lastErrors) = (nil, [])
  }

  package func read(
    _ ready: [Bool], into bytes: UnsafeMutableRawBufferPointer
  ) throws(SluiceError) -> LineRead {
    if ready.count > 1, ready[1] { readErrors() }
    do throws(SystemErrno) {
      guard let count = try readWithoutWaiting(output, into: bytes) else { return .nothing }
      if count > 0 { return .bytes(count) }
    } catch {
      throw SluiceError("read", title, errno: error.code)
    }
    return try ended()
  }

  private func readErrors() {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    // A program may write errors without end.
    for _ in 0..<16 where errors >= 0 {
      let count = bytes.withUnsafeMutableBytes { try? readWithoutWaiting(errors, into: $0) }
      guard let count, count > 0 else {
        if count == 0 {
          closeFile(errors)
          errors = -1
        }
        return
      }
      lastErrors = (lastErrors + bytes[..<count]).suffix(4_096)
    }
  }

  /// The end of its standard output: the program has ended, or goes on without it.
  private func ended() throws(SluiceError) -> LineRead {
    let isAsked = asked != nil
    let said = reap()
    guard !isAsked else { return .end }
    guard asked == nil else {
      // The exit status says nothing, because sluice has ended the program.
      throw SluiceError(
        .disconnected, "read", title, because: "it closed its output and went on, so it was ended\(errorText)",
        remedy: "let it write as long as it runs, or let the key reconnect start it again")
    }
    switch said {
    case .exited(0): return .end
    case .exited(let code):
      // With `--reconnect`, the source starts it again.
      throw SluiceError(
        .disconnected, "read", title, because: "it ended with status \(code)\(errorText)",
        remedy: "run it by hand to see why, or let the key reconnect start it again")
    case .killed(let signal):
      throw SluiceError(
        .disconnected, "read", title, because: "signal \(signal) ended it\(errorText)",
        remedy: "run it by hand to see why, or let the key reconnect start it again")
    }
  }

  private var errorText: String {
    let lines = String(decoding: lastErrors, as: UTF8.self).split(whereSeparator: \.isNewline).suffix(3)
    let text = lines.joined(separator: " / ").unicodeScalars.map {
      $0.value < 0x20 || $0.value == 0x7f ? "?" : String($0)
    }
    return text.isEmpty ? "" : ", and said: \(text.joined())"
  }

  // MARK: End

  package func finish() -> Int32? {
    guard process > 0 else { return nil }
    ask()
    return Self.patience
  }

  private func ask() {
    guard asked == nil else { return }
    asked = kernelTime(CLOCK_MONOTONIC)
    kill(-process, SIGTERM)
  }

  /// Waits for the program; kills what is left of its group.
  private func reap() -> ProgramEnd {
    guard process > 0 else { return .exited(0) }
    var status: Int32 = 0
    let patience = UInt64(Self.patience) * 1_000_000
    let begin = kernelTime(CLOCK_MONOTONIC)
    while true {
      let now = kernelTime(CLOCK_MONOTONIC)
      let isOver = asked.map { now - $0 >= patience } ?? false
      // It may have left its group.
      if isOver { for target in [-process, process] { kill(target, SIGKILL) } }
      let ended = waitpid(process, &status, isOver ? 0 : WNOHANG)
      if ended == process || (ended < 0 && errno != EINTR) { break }
      // It has closed its output, and goes on running.
      if asked == nil, now - begin >= patience / 2 { ask() }
      if !isOver { poll(nil, 0, 10) }
    }
    // Its children, if they are still there.
    kill(-process, SIGKILL)
    readErrors()
    process = 0
    return ProgramEnd(status)
  }

  package func close() {
    if process > 0 {
      ask()
      let end = reap()
      if end == .killed(signal: SIGKILL) { tell("\(title) did not end after TERM, so it was killed") }
    }
    for descriptor in descriptors { closeFile(descriptor) }
    if errors >= 0, output < 0 { closeFile(errors) }
    (output, errors) = (-1, -1)
  }
}
