import Dispatch
import Sluice
import SluicePipeline
import SluiceSystem

/// The request of a signal to a recording. Pause and resume are two signals, not a toggle, because signals coalesce.
enum SignalRequest {
  case stop, stopAtOnce, pause, resume
  /// Read the plan again.
  case reload
}

/// Handles SIGINT, SIGTERM and SIGHUP (stop, or reload), SIGUSR1 (pause) and SIGUSR2 (resume).
final class Signals {
  private let sources: [any DispatchSourceSignal]

  /// Handles signals on a new queue.
  convenience init(_ handle: @escaping @Sendable (SignalRequest) -> Void) {
    self.init(queue: DispatchQueue(label: "sluice.signals"), handle)
  }

  /// - Parameters:
  ///   - queue: The serial queue that handles signals. It must not be the queue of the caller.
  ///   - stops: After this number of SIGINT and SIGTERM, the next one has its default action. The second one stops at
  ///     once.
  ///   - hangUp: What SIGHUP means.
  ///   - echo: The time in which a second SIGTERM counts as the first one: timeout(1) signals the process, and then its
  ///     group.
  init(
    queue: DispatchQueue, stops: Int = 1, hangUp: SignalRequest = .stop,
    echo: DispatchTimeInterval = .milliseconds(300),
    _ handle: @escaping @Sendable (SignalRequest) -> Void
  ) {
    signal(SIGPIPE, SIG_IGN)  // if a reader has gone, the write fails with EPIPE
    var requests: [(Int32, SignalRequest)] = [
      (SIGINT, .stop), (SIGTERM, .stop), (SIGUSR1, .pause), (SIGUSR2, .resume),
    ]
    // After nohup(1) it is ignored, because the recording must survive the end of the session.
    if !Self.ignoresHangUp { requests.append((SIGHUP, hangUp)) }
    let heard = Locked((count: 0, last: DispatchTime?.none))
    let registered = DispatchSemaphore(value: 0)
    sources = requests.map { number, request in
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        // When a terminal closes, SIGHUP comes twice: from the kernel and from the shell.
        guard request == .stop, number != SIGHUP else { return handle(request) }
        // The second signal means: do not wait for the disk. The third means: do not wait at all.
        let now = DispatchTime.now()
        let count = heard.withLock { heard in
          let isSame = number == SIGTERM && heard.last.map { now < $0 + echo } ?? false
          if number == SIGTERM { heard.last = now }
          heard.count += isSame ? 0 : 1
          return isSame ? 0 : heard.count
        }
        guard count > 0 else { return }
        if count >= stops { Self.end(by: [SIGINT, SIGTERM]) }
        handle(count > 1 ? .stopAtOnce : .stop)
      }
      source.setRegistrationHandler { registered.signal() }
      source.activate()
      return source
    }
    // A source receives nothing before the system has registered it, on another thread. Another process may send a
    // signal as soon as it sees that this one has begun.
    for _ in sources { registered.wait() }
    // Until here a signal to stop has its default action: nothing is open, so it may end the process. It is not ignored
    // before, because the kernel discards an ignored signal. libdispatch sets its own handler when it registers the
    // source.
    Self.change(Self.held, SIG_UNBLOCK)
  }

  /// This is asked before the signal is blocked: the question sets the signal to be ignored for a moment, and then the
  /// kernel discards a signal that is blocked.
  private static let ignoresHangUp = ignores(SIGHUP)

  /// The signals that mean something other than an end.
  private static let held = [SIGUSR1, SIGUSR2, SIGHUP]

  /// Blocks the signals that mean something other than an end until there is a handler, because their default action
  /// would end the process. It is called before there is another thread.
  /// - Parameter withHangUp: Whether SIGHUP is blocked too: for a command that handles it later.
  static func hold(withHangUp: Bool) {
    _ = ignoresHangUp
    change(withHangUp ? held : [SIGUSR1, SIGUSR2], SIG_BLOCK)
  }

  /// Changes which signals are blocked in this thread and in the threads that it starts.
  private static func change(_ numbers: [Int32], _ how: Int32) {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in numbers { sigaddset(&signals, number) }
    pthread_sigmask(how, &signals, nil)
  }

  /// Whether this process was started with a signal ignored.
  static func ignores(_ number: Int32) -> Bool {
    typealias Handler = (@convention(c) (Int32) -> Void)?
    let before: Handler = signal(number, SIG_IGN)
    signal(number, before)
    return unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN as Handler, to: Int.self)
  }

  /// After this, a signal that would have stopped the recording ends the process.
  func cancel() {
    for source in sources { source.cancel() }
    Self.end(by: [SIGINT, SIGTERM])
  }

  /// Lets these signals end the process. libdispatch blocks them on each thread that gets one.
  private static func end(by numbers: [Int32]) {
    for number in numbers { signal(number, SIG_DFL) }
    change(numbers, SIG_UNBLOCK)
  }
}
