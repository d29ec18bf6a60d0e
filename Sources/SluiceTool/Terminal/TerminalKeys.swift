import Dispatch
import Sluice
import SluiceSystem
import Synchronization

/// Reads the keys of the terminal at standard input. The mode of the terminal is restored at the end, and when Ctrl-Z
/// stops the process or Ctrl-\ ends it.
final class TerminalKeys: Sendable {
  /// The interval in milliseconds for the check whether the process is in the foreground or has ended.
  private static let look: Int32 = 100

  private let mode = TerminalMode(STDIN_FILENO)
  private let watchedSignals: [Int32]
  private let hasEnded = Atomic(false)
  private let signals: Locked<[any DispatchSourceSignal]> = Locked([])

  /// - Parameters:
  ///   - queue: The queue that handles keys, one at a time.
  ///   - handle: Called with the keys of each read.
  /// - Returns: Nil if standard input is not a terminal.
  init?(on queue: DispatchQueue, _ handle: @escaping @Sendable ([TerminalKey]) -> Void) {
    guard isatty(STDIN_FILENO) == 1 else { return nil }
    let registered = DispatchSemaphore(value: 0)
    let watched = DispatchQueue(label: "sluice.terminal.signals")
    // If no shell could resume a stopped process, these signals are ignored.
    watchedSignals = [SIGTSTP, SIGQUIT].filter { !Signals.ignores($0) }
    let sources = watchedSignals.map { number in
      signal(number, SIG_IGN)  // otherwise it would have its effect before its source gets it
      let source = DispatchSource.makeSignalSource(signal: number, queue: watched)
      source.setEventHandler { [mode] in
        mode.restore(forGood: number == SIGQUIT)
        guard number == SIGTSTP else {
          signal(number, SIG_DFL)
          kill(getpid(), number)
          return
        }
        // This thread stops with the process, with any signal mask. So the next line runs after SIGCONT.
        Console.stopping { _ = raise(SIGSTOP) }
        mode.unlock()
      }
      source.setRegistrationHandler { registered.signal() }
      source.activate()
      return source
    }
    // A source receives signals only after the system has registered it.
    for _ in sources { registered.wait() }
    signals.withLock { $0 = sources }
    DispatchQueue(label: "sluice.terminal").async { [self] in listen { keys in queue.async { handle(keys) } } }
  }

  private func listen(_ handle: ([TerminalKey]) -> Void) {
    var decoder = TerminalKeyDecoder()
    // As much as a terminal holds, so that a text that is pasted comes as one.
    var bytes = [UInt8](repeating: 0, count: 4_096)
    while !hasEnded.load(ordering: .relaxed) {
      guard mode.set() else {
        poll(nil, 0, Self.look)
        continue
      }
      var waiting = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      // The process may have gone to the background in the meantime.
      let ready = poll(&waiting, 1, Self.look)
      if ready == 0 {
        let keys = decoder.keysOfPause()
        if !keys.isEmpty { handle(keys) }
      }
      guard ready > 0, mode.set() else { continue }
      let count = read(STDIN_FILENO, &bytes, bytes.count)
      // The terminal has gone.
      guard count > 0 else { return }
      let keys = decoder.keys(in: bytes[..<count])
      if !keys.isEmpty { handle(keys) }
    }
  }

  /// Ends the reading of keys, and restores the terminal. It may be called more than once, from any thread.
  func end() {
    hasEnded.store(true, ordering: .relaxed)
    mode.restore(forGood: true)
    let sources = signals.withLock { signals in
      defer { signals = [] }
      return signals
    }
    for source in sources { source.cancel() }
    // Ctrl-Z and Ctrl-\ have their effects again.
    if !sources.isEmpty { for number in watchedSignals { signal(number, SIG_DFL) } }
  }
}
