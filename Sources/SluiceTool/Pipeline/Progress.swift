import Dispatch

#if canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#endif

/// A live line on a terminal, four times a second; nothing where standard error is no terminal.
final class Progress {
  private let timer: (any DispatchSourceTimer)?

  init(_ pipeline: Pipeline, quiet: Bool, since start: DispatchTime) {
    guard !quiet, isatty(STDERR_FILENO) == 1 else {
      timer = nil
      return
    }
    let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "sluice.progress"))
    timer.schedule(deadline: .now() + .milliseconds(250), repeating: .milliseconds(250))
    timer.setEventHandler {
      let received = pipeline.ledgers.reduce(0) { $0 + $1.received.load(ordering: .relaxed) }
      let dropped = pipeline.ledgers.reduce(0) { $0 + $1.dropped.load(ordering: .relaxed) }
      let seconds = Double(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds) / 1e9
      printText("\r\u{1b}[K\(grouped(received)) readings, \(grouped(dropped)) dropped, \(fixed(seconds, 1)) s")
    }
    timer.activate()
    self.timer = timer
  }

  func stop() {
    guard let timer else { return }
    timer.cancel()
    printText("\r\u{1b}[K")
  }
}
