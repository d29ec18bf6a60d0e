import Dispatch
import Sluice
import SluiceAnalysis
import SluicePipeline
import SluiceReadings
import SluiceRecording
import SluiceSystem

/// Shows a recording while it runs: a view of its streams or one line on a terminal, four times per second, or a line
/// in a log, every ten seconds.
final class Progress: @unchecked Sendable {
  // `keys` and `free` have their locks. The rest is set before the timer begins, or used on `queue` only.

  /// The place of what is shown.
  enum Place: Hashable {
    /// The streams, on a terminal.
    case view
    /// One line, on a terminal.
    case line
    case log
    case nowhere

    var isTerminal: Bool { self == .view || self == .line }
  }

  private let recording: Recording
  private let place: Place
  private let queue = DispatchQueue(label: "sluice.progress")
  private var timer: (any DispatchSourceTimer)?
  private var signals: [any DispatchSourceSignal] = []
  private let reader: LiveReader?
  private let rate: RateWindow
  /// Nil if there are no keys.
  private let keys: Locked<LiveKeys?>
  /// The next time, in nanoseconds since the boot, at which it may draw.
  private var next: UInt64 = 0
  private let free = FreeBytes()

  /// - Parameter hasKeys: Whether keys of the terminal control the recording.
  init(_ recording: Recording, _ place: Place, hasKeys: Bool) {
    (self.recording, self.place) = (recording, place)
    rate = RateWindow(length: place == .log ? 10 : 1)
    let isReplay = recording.plan.replay != nil
    keys = Locked(hasKeys ? LiveKeys(hasView: place == .view, isReplay: isReplay) : nil)
    // Braille has two dots per column.
    reader =
      place == .view ? .looking(at: recording, dots: 2 * TerminalWindow.of(STDERR_FILENO).columns) : nil
    guard place != .nowhere else { return }
    let timer = DispatchSource.makeTimerSource(queue: queue)
    let step = DispatchTimeInterval.milliseconds(place == .log ? 10_000 : 250)
    timer.schedule(deadline: .now() + step, repeating: step, leeway: .milliseconds(20))
    timer.setEventHandler { [weak self] in self?.draw() }
    self.timer = timer
    timer.activate()
    if place == .view { listen() }
  }

  /// Draws at once after the window has another size, or the process was stopped and goes on.
  private func listen() {
    for number in [SIGWINCH, SIGCONT] {
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { [weak self] in
        if number == SIGCONT { Console.hasContinued() }
        self?.draw(atOnce: true)
      }
      source.activate()
      signals.append(source)
    }
  }

  /// Takes keys, and draws what they change.
  /// - Returns: What they ask for.
  func press(_ pressed: [TerminalKey]) -> [LiveKeys.Action] {
    let actions = keys.withLock { $0?.press(pressed) ?? [] }
    return actions
  }

  /// Draws at once what a key has changed.
  func update() {
    guard place.isTerminal else { return }
    queue.async { [weak self] in self?.draw(atOnce: true) }
  }

  private func draw(atOnce: Bool = false) {
    guard timer != nil else { return }
    // A picture that takes long is drawn less often, so that a hundredth of a core is enough for all of it.
    let begin = Self.processorTime
    guard atOnce || DispatchTime.now().uptimeNanoseconds >= next else { return }
    defer {
      let cost = min(Self.processorTime &- begin, 10_000_000)
      next = DispatchTime.now().uptimeNanoseconds + cost * 200
    }
    let standing = recording.standing
    let rate = rate.rate(received: standing.received, at: standing.seconds)
    switch place {
    case .view: drawView(standing, rate)
    case .line: drawLine(standing, rate)
    case .log: Console.detail(standing.text(rate: rate))
    case .nowhere: break
    }
  }

  private static var processorTime: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }

  private func drawLine(_ standing: RecordingStanding, _ rate: Double) {
    let keys = keys.withLock { $0 }
    if let entry = keys?.entry {
      return Console.show(LiveView.promptText(entry, TerminalWindow.of(STDERR_FILENO)))
    }
    let names = keys?.text(isPaused: standing.isPaused) ?? ""
    Console.show(standing.text(rate: rate, keys: names, columns: Console.columns))
  }

  private func drawView(_ standing: RecordingStanding, _ rate: Double) {
    guard let reader else { return }
    let free = free.known(of: recording.plan.outputs.map(\.path))
    let window = TerminalWindow.of(STDERR_FILENO)
    let marks = recording.marks
    let lines = reader.streams.withLock { streams in
      if standing.account?.trace == nil { streams.advance(to: standing.now) }
      let keys = keys.withLock { keys in
        keys?.setCount(streams.streams.count)
        return keys
      }
      if let keys, keys.isOpen { streams.draw(keys.selection) }
      // A replay knows the marks of its whole trace.
      let latest = standing.account?.trace == nil ? .max : streams.times?.upperBound ?? .min
      let status = RecordingStatus(
        standing, rate: rate, marks: marks.filter { $0.time <= latest }, latest: streams.times?.upperBound,
        free: { free[$0] })
      return LiveView.lines(
        streams, status, keys, window,
        happened: PlotFeed.Happened(
          pauses: recording.pauses, losses: standing.account?.losses ?? [], marks: marks, times: streams.times))
    }
    Console.show(lines)
  }

  func stop() {
    guard let timer else { return }
    timer.cancel()
    for source in signals { source.cancel() }
    reader?.cancel()
    // Waits until what is being shown is complete.
    queue.sync { self.timer = nil }
    if place == .line { Console.show("") }
    if place == .view { Console.show([]) }
  }
}
