import Dispatch
import Sluice
import SluicePipeline
import SluiceSystem

/// What a signal asks a recording to do. Pausing and resuming are two signals and no toggle: signals coalesce.
enum SignalRequest {
  case stop, stopAtOnce, pause, resume
}

/// Hears SIGINT, SIGTERM and SIGHUP (stop), SIGUSR1 (pause) and SIGUSR2 (resume).
final class Signals {
  private let sources: [any DispatchSourceSignal]

  /// On a queue of their own.
  convenience init(_ handle: @escaping @Sendable (SignalRequest) -> Void) {
    self.init(queue: DispatchQueue(label: "sluice.signals"), handle)
  }

  /// - Parameters:
  ///   - queue: Where signals are handled, one at a time; not the caller's own.
  ///   - stops: After this many SIGINT and SIGTERM, the next has its default action. The second stops at once.
  ///   - echo: Until when a SIGTERM after another one is the same: timeout(1) signals the process, and then its group.
  init(
    queue: DispatchQueue, stops: Int = 1, echo: DispatchTimeInterval = .milliseconds(300),
    _ handle: @escaping @Sendable (SignalRequest) -> Void
  ) {
    signal(SIGPIPE, SIG_IGN)  // a reader that has gone is a failed write
    var requests: [(Int32, SignalRequest)] = [
      (SIGINT, .stop), (SIGTERM, .stop), (SIGUSR1, .pause), (SIGUSR2, .resume),
    ]
    // nohup(1) has it ignored: then the session's end is not to be this one's.
    if !Self.ignores(SIGHUP) { requests.append((SIGHUP, .stop)) }
    let heard = Locked((count: 0, last: DispatchTime?.none))
    let registered = DispatchSemaphore(value: 0)
    sources = requests.map { number, request in
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        // A terminal that closes sends SIGHUP twice, once from the kernel and once from the shell.
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
        if count >= stops { for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) } }
        handle(count > 1 ? .stopAtOnce : .stop)
      }
      source.setRegistrationHandler { registered.signal() }
      source.activate()
      return source
    }
    // A source hears nothing until the system knows of it, which happens on another thread: whoever sees that this
    // process has begun may signal it at once.
    for _ in sources { registered.wait() }
    // Until here a signal has its default action: nothing is open, so it may end the process. It is not ignored before,
    // because the kernel discards an ignored signal. libdispatch sets a handler of its own when it registers.
  }

  /// Whether this process was started with a signal ignored.
  static func ignores(_ number: Int32) -> Bool {
    typealias Handler = (@convention(c) (Int32) -> Void)?
    let before: Handler = signal(number, SIG_IGN)
    signal(number, before)
    return unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN as Handler, to: Int.self)
  }

  /// From here on a signal that would stop the recording ends the process.
  func cancel() {
    for source in sources { source.cancel() }
    for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
  }
}
