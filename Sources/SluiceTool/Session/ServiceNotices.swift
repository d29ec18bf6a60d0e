import Dispatch
import Sluice
import SluicePipeline
import SluiceSystem

/// Tells systemd the state of a recording: that it is ready, its status line, and that it is alive (sd_notify(3)).
///
/// Answers of the queues that write feed the watchdog, never a timer alone. It is no fault of the recording if the
/// service manager cannot be reached, so there is no message about that.
final class ServiceNotices: @unchecked Sendable {
  // Only `queue` uses the variables, except the subscription and the timers, which are set once.

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

  /// - Parameter variable: Returns the value of a variable of the environment.
  /// - Returns: Nil if there is no service manager to tell.
  init?(_ recording: Recording, _ variable: (String) -> String?) {
    guard let socket = variable("NOTIFY_SOCKET").flatMap({ NotifySocket($0) }) else { return nil }
    (self.socket, self.recording) = (socket, recording)
    watchdog = Watchdog(period: variable("WATCHDOG_USEC"), process: variable("WATCHDOG_PID"))
    watching = recording.events.sink { [weak self] event in
      guard let self else { return }
      queue.async { self.happened(event.kind) }
    }
  }

  /// Tells systemd that all sources and outputs are open and the recording runs, or that a reload is over.
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

  /// Tells systemd that the plan is being read again. ``ready()`` must follow.
  func reloading() {
    queue.async { [self] in
      guard !isStopping else { return }
      send("RELOADING=1\nMONOTONIC_USEC=\(DispatchTime.now().uptimeNanoseconds / 1_000)\nSTATUS=Reading the plan again")
    }
  }

  /// Tells systemd that the recording ends. The readings that were received are still written.
  func stopping() {
    queue.async { [self] in
      guard !isStopping else { return }
      isStopping = true
      send("STOPPING=1\nSTATUS=Writing the rest")
    }
  }

  /// Ends the notices, because the recording has ended.
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
