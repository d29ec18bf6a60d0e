import Dispatch

#if canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#endif

/// What a signal asks a recording to do. Pausing and resuming are two signals and no toggle: signals coalesce.
enum SignalRequest {
  case stop, pause, resume
}

/// Hears SIGINT and SIGTERM (stop), SIGUSR1 (pause) and SIGUSR2 (resume).
final class Signals {
  private let sources: [any DispatchSourceSignal]

  /// - Parameter queue: Where signals are handled; not the caller's own.
  init(queue: DispatchQueue, _ handle: @escaping @Sendable (SignalRequest) -> Void) {
    signal(SIGPIPE, SIG_IGN)  // a reader that has gone is a failed write
    let requests: [(Int32, SignalRequest)] = [
      (SIGINT, .stop), (SIGTERM, .stop), (SIGUSR1, .pause), (SIGUSR2, .resume),
    ]
    let registered = DispatchSemaphore(value: 0)
    sources = requests.map { number, request in
      signal(number, SIG_IGN)  // or it would end the process before its source hears of it
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        // Whoever asks a second time does not want to wait for the disk.
        if request == .stop { signal(number, SIG_DFL) }
        handle(request)
      }
      source.setRegistrationHandler { registered.signal() }
      source.activate()
      return source
    }
    // A source hears nothing until the system knows of it, which happens on another thread: whoever sees that this
    // process has begun may signal it at once.
    for _ in sources { registered.wait() }
  }

  func cancel() {
    for source in sources { source.cancel() }
  }
}
