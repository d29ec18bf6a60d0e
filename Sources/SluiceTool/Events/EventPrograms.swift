import Dispatch
import Sluice
@_spi(Preview) import SluicePipeline
import SluiceReadings
import SluiceSystem

/// Runs a program for events of a recording, with the event as JSON on its standard input.
///
/// It is started without a shell, one at a time per kind of event; further events of the kind are skipped meanwhile, and
/// counted. A program that takes too long gets TERM, and KILL two seconds later. What it prints goes to standard error.
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

  /// Waits for the programs that run, each as long as it may take.
  func end() {
    running.wait()
    for (kind, count) in machine.withLock({ $0.skipped }) {
      tell(
        "\(grouped(count)) event\(count == 1 ? "" : "s") of the kind \(kind) came while the program of --on-event still "
          + "ran for another, and started none")
    }
  }

  private func run(_ text: String, _ name: String) {
    let process: pid_t
    do throws(SystemErrno) {
      let ends = try pipeEnds()
      // It is shorter than what a pipe holds, so this does not wait for the program. One that does not read it is no
      // fault.
      _ = fcntl(ends.writing, F_SETFL, O_NONBLOCK)
      do throws(SystemErrno) {
        process = try spawnProgram(words, input: ends.reading, output: STDERR_FILENO, errors: STDERR_FILENO)
      } catch {
        closeFile(ends.reading)
        closeFile(ends.writing)
        throw error
      }
      closeFile(ends.reading)
      var text = text
      text.withUTF8 { bytes in _ = write(ends.writing, bytes.baseAddress, bytes.count) }
      closeFile(ends.writing)
    } catch {
      let refused = SluiceError("start", "the program \(words[0]) of --on-event", errno: error.code)
      return tell("\(refused)")
    }
    wait(for: process, name)
  }

  private func wait(for process: pid_t, _ name: String) {
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
        // What it has left behind in its group.
        kill(-process, SIGKILL)
        return report(ProgramEnd(status), isAsked, name)
      }
      poll(nil, 0, pause)
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
