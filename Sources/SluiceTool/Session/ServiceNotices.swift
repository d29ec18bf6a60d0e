import Dispatch
import Sluice
@_spi(Preview) import SluicePipeline
import SluiceSystem

/// Tells systemd how a recording of a service is: that it is ready, what it does, and that it is alive (sd_notify(3)).
///
/// The watchdog is fed from the writers' end: by an answer of the queues that write, never by a timer alone. A manager
/// that cannot be reached is no fault of the recording, and is not told of.
final class ServiceNotices: @unchecked Sendable {
  // `queue` is the only place that uses the variables, but for the subscription and the timers, which are set once.

  private let socket: NotifySocket
  private let recording: Recording
  private let queue = DispatchQueue(label: "sluice.service")
  private var watchdog: Watchdog?
  private var status = ServiceStatus()
  private let rate = RateWindow(length: 10)
  private var isStopping = false
  private var watching: AnyCancellable?
  private var timers: [any DispatchSourceTimer] = []

  /// The seconds between two status lines.
  private static var step: Int { 10 }

  /// - Parameter variable: The value of a variable of the environment.
  /// - Returns: nil if no service manager listens.
  init?(_ recording: Recording, _ variable: (String) -> String?) {
    guard let socket = variable("NOTIFY_SOCKET").flatMap({ NotifySocket($0) }) else { return nil }
    (self.socket, self.recording) = (socket, recording)
    watchdog = Watchdog(period: variable("WATCHDOG_USEC"), process: variable("WATCHDOG_PID"))
    watching = recording.events.sink { [weak self] event in
      guard let self else { return }
      queue.async { self.happened(event.kind) }
    }
  }

  /// All sources and outputs are open, and the recording runs; or the plan is read again.
  func ready() {
    queue.async { [self] in
      guard !isStopping else { return }
      send("READY=1\n\(statusLine)")
      guard timers.isEmpty else { return }
      let interval = DispatchTimeInterval.seconds(Self.step)
      add(every: interval) { [weak self] in self?.tellStatus() }
      if let watchdog {
        feed()
        add(every: .nanoseconds(Int(clamping: watchdog.interval))) { [weak self] in self?.feed() }
      }
    }
  }

  /// The plan is being read again. ``ready()`` follows.
  func reloading() {
    queue.async { [self] in
      guard !isStopping else { return }
      send("RELOADING=1\nMONOTONIC_USEC=\(DispatchTime.now().uptimeNanoseconds / 1_000)\nSTATUS=Reading the plan again")
    }
  }

  /// The recording ends: what was received is still written.
  func stopping() {
    queue.async { [self] in
      guard !isStopping else { return }
      isStopping = true
      send("STOPPING=1\nSTATUS=Writing the rest")
    }
  }

  /// The recording has ended, and nothing more is told.
  func end() {
    stopping()
    queue.sync {
      for timer in timers { timer.cancel() }
      timers = []
    }
    watching?.cancel()
  }

  private func add(every interval: DispatchTimeInterval, _ act: @escaping @Sendable () -> Void) {
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now() + interval, repeating: interval)
    timer.setEventHandler(handler: DispatchWorkItem(block: act))
    timers.append(timer)
    timer.activate()
  }

  private func happened(_ event: RecordingEvent.Kind) { if status.happened(event) { tellStatus() } }

  private var statusLine: String {
    let standing = recording.standing
    return "STATUS="
      + status.text(standing, rate: rate.rate(received: standing.received, at: standing.seconds))
  }

  private func tellStatus() { if !isStopping { send(statusLine) } }

  private func feed() {
    guard watchdog?.tick() ?? false else { return }
    recording.ping { [weak self] in
      guard let self else { return }
      queue.async {
        self.watchdog?.answered()
        self.send("WATCHDOG=1")
      }
    }
  }

  private func send(_ state: String) { try? socket.send(state) }
}
