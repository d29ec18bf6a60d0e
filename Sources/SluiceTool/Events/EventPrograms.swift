import Dispatch
import Sluice
import SluicePipeline
import SluiceReadings
import SluiceSystem

/// Runs a program for events of a recording, with the event as JSON on its standard input.
///
/// The program is started without a shell. For each kind of event, one program runs at a time; further events of the
/// kind are skipped meanwhile, and counted. A program that takes too long gets SIGTERM, and SIGKILL two seconds later.
/// Its output goes to standard error.
final class EventPrograms: Sendable {
  private let words: [String]
  private let kinds: Set<String>
  /// The time that a program has, in nanoseconds.
  private let limit: Int64
  private let tell: @Sendable (String) -> Void
  private let machine = Locked(EventMachine())
  /// A thread for each program that runs: at most one per kind.
  private let queue = DispatchQueue(label: "sluice.events", attributes: .concurrent)
  private let running = DispatchGroup()

  /// - Parameters:
  ///   - words: The program and its arguments.
  ///   - kinds: The names of the kinds of event.
  ///   - limit: The time that a program has, in nanoseconds.
  ///   - tell: Called with a sentence if a program could not be started, failed or was ended.
  init(_ words: [String], kinds: Set<String>, limit: Int64, tell: @escaping @Sendable (String) -> Void) {
    (self.words, self.kinds, self.limit, self.tell) = (words, kinds, limit, tell)
  }

  func happened(_ event: RecordingEvent) {
    let name = event.kind.name
    guard kinds.contains(name), let skipped = machine.withLock({ $0.happened(name) }) else { return }
    guard case .object(let members) = event.json else { return }
    let text = JSON.object(members + [("skipped", .number("\(skipped)"))]).text + "\n"
    queue.async(group: running) { [self] in
      run(text, name)
      machine.withLock { $0.ended(name) }
    }
  }

  /// Waits for the programs that still run, each until its time limit.
  func end() {
    running.wait()
    for (kind, count) in machine.withLock({ $0.skipped }) {
      tell(
        "\(grouped(count)) event\(count == 1 ? "" : "s") of the kind \(kind) started no program, because the program "
          + "of --on-event still ran for another event")
    }
  }

  private func run(_ text: String, _ name: String) {
    let process: pid_t
    var input: ProgramInput
    do throws(SystemErrno) {
      let ends = try pipeEnds()
      do throws(SystemErrno) {
        process = try spawnProgram(words, input: ends.reading, output: STDERR_FILENO, errors: STDERR_FILENO)
      } catch {
        closeFile(ends.reading)
        closeFile(ends.writing)
        throw error
      }
      closeFile(ends.reading)
      input = ProgramInput(ends.writing, text)
    } catch {
      let refused = SluiceError("start", "the program \(words[0]) of --on-event", errno: error.code)
      return tell("\(refused)")
    }
    wait(for: process, &input, name)
    input.close()
  }

  private func wait(for process: pid_t, _ input: inout ProgramInput, _ name: String) {
    let begin = DispatchTime.now().uptimeNanoseconds
    var pause: Int32 = 1
    var isAsked = false
    while true {
      let waited = Int64(clamping: DispatchTime.now().uptimeNanoseconds - begin)
      if waited >= limit, !isAsked {
        isAsked = true
        kill(-process, SIGTERM)
      }
      let isOver = waited >= limit && waited - limit >= 2_000_000_000
      if isOver { kill(-process, SIGKILL) }
      var status: Int32 = 0
      let ended = waitpid(process, &status, isOver ? 0 : WNOHANG)
      if ended == process || (ended < 0 && errno != EINTR) {
        // Ends the processes that the program has left behind in its group.
        kill(-process, SIGKILL)
        return report(ProgramEnd(status), isAsked, name)
      }
      input.wait(pause)
      pause = min(pause * 2, 100)
    }
  }

  private func report(_ end: ProgramEnd, _ isAsked: Bool, _ name: String) {
    let program = "the program \(words[0]) of --on-event, for \(name),"
    if isAsked { return tell("\(program) was ended, because it took longer than --on-event-limit allows") }
    switch end {
    case .exited(0): break
    case .exited(let status): tell("\(program) ended with status \(status)")
    case .killed(let signal): tell("\(program) was ended by signal \(signal)")
    }
  }
}
