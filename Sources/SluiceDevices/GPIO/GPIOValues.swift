public import Dispatch
public import Sluice
import SluiceExtras
public import SluiceReadings

extension Publishers {
  /// Publishes the levels of GPIO lines of one chip, read at intervals. A reading has one channel per line.
  ///
  /// ```swift
  /// let lines = GPIOLines(chip: "gpiochip0", lines: ["3", "4"])
  /// let levels = try Publishers.GPIOValues(lines, every: .milliseconds(100))
  /// ```
  ///
  /// It is for lines without interrupts, or with too many edges to report each of them. Two changes within a period
  /// that cancel each other are not seen. The initializer requests the lines. There may be one subscriber. The lines
  /// are released when ``teardown`` was left, soon after the end of the stream or a cancel. It reads all lines at once,
  /// on its own queue, only while there is demand. A failed read, as on the bus of an expander, is a gap and not the
  /// end. ``losses`` counts it, and also periods without a read, and the next reading has `Reading.Flags.gapBefore`.
  /// If the chip is removed, it fails with `SluiceError.Code.disconnected`; with `whenRemoved` it instead searches
  /// for the chip every period.
  public struct GPIOValues: Publisher {
    public typealias Output = Reading
    /// An error of the device.
    public typealias Failure = SluiceError

    /// The time from one read to the next.
    public let period: DispatchTimeInterval
    /// The stream and its channels.
    public let description: StreamDescription
    /// The losses that are known.
    public let losses = DeviceLosses(coverage: .all)
    /// Left when the lines have been released, after the end of the subscription.
    public let teardown = DispatchGroup()
    /// Called on the queue that reads, with the error of the first failed read after a good one.
    public var whenFailed: (@Sendable (SluiceError) -> Void)?
    private var stream = StreamID(0)
    private var clock = EpochClock()
    private let poll: ValuePoll

    /// - Parameters:
    ///   - root: The folder of device files.
    ///   - sys: The root of sysfs, which has the bus identity of the chip; nil for the `sys` beside `root`.
    ///   - whenRemoved: As for ``GPIOEdges``.
    public init(
      _ lines: GPIOLines, every period: DispatchTimeInterval, bias: GPIOOptions.Bias = .asIs, isActiveLow: Bool = false,
      consumer: String = "sluice", root: String = "/dev", sys: String? = nil,
      whenRemoved: (@Sendable (SluiceError?) -> Void)? = nil
    ) throws(SluiceError) {
      var options = GPIOOptions()
      options.bias = bias
      options.isActiveLow = isActiveLow
      let open = { [options] () throws(SluiceError) -> GPIORequest in
        try GPIORequest(lines, for: .values, options: options, consumer: consumer, root: root, sys: sys)
      }
      let request = try open()
      self.period = period
      description = StreamDescription(
        name: request.chipName,
        channels: request.lines.map {
          StreamDescription.Channel(name: $0.name ?? String($0.offset), format: StreamDescription.Channel.level)
        },
        device: request.device)
      let reconnection = whenRemoved.map {
        DeviceReconnection(period: 0, report: $0, isAbsence: lines.isAbsence, open: open)
      }
      poll = ValuePoll(request, losses, teardown, reconnection)
    }

    /// The same lines with another stream number.
    /// - Parameter clock: A clock for several publishers, so that they have the same offset.
    public func stream(_ stream: StreamID, clock: EpochClock? = nil) -> GPIOValues {
      var other = self
      (other.stream, other.clock) = (stream, clock ?? self.clock)
      return other
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Reading, S.Failure == SluiceError {
      let (poll, stream, clock, whenFailed) = (poll, stream, clock, whenFailed)
      poll.begin()
      Publishers.timer(interval: period).ticks
        .tryCompactMap { try poll.read($0, stream, clock, whenFailed) }
        .mapError { ($0 as? SluiceError) ?? SluiceError(.failed, "read", "GPIO values", because: "\($0)") }
        .handleEvents(receiveCompletion: { _ in poll.close() }, receiveCancel: { poll.close() })
        .receive(subscriber: subscriber)
    }
  }
}

/// The reads of one subscription. The ticks of the timer are serial.
final class ValuePoll {
  private enum State { case unsubscribed, idle, reading, closing, closed }

  private let state = Locked(State.unsubscribed)
  private var request: GPIORequest?  // belongs to the thread that took the state from idle
  private let losses: DeviceLosses
  private let teardown: DispatchGroup
  private var reconnection: DeviceReconnection<GPIORequest>?
  private var gap = false
  private var isFailing = false

  init(
    _ request: GPIORequest, _ losses: DeviceLosses, _ teardown: DispatchGroup,
    _ reconnection: DeviceReconnection<GPIORequest>?
  ) {
    (self.request, self.losses, self.teardown) = (request, losses, teardown)
    self.reconnection = reconnection
  }

  func begin() {
    state.withLock { state in
      guard state == .unsubscribed else { return }
      state = .idle
      teardown.enter()
    }
  }

  func read(
    _ tick: Publishers.Tick, _ stream: StreamID, _ epoch: EpochClock,
    _ whenFailed: (@Sendable (SluiceError) -> Void)? = nil
  ) throws(SluiceError) -> Reading? {
    let isOpen = state.withLock { state in
      guard state == .idle else { return false }
      state = .reading
      return true
    }
    guard isOpen else { return nil }
    defer {
      let isClosing = state.withLock { state in
        defer { state = state == .closing ? .closed : .idle }
        return state == .closing
      }
      if isClosing { release() }
    }
    if tick.missed > 0 {
      losses.add(.missed, Int(clamping: tick.missed), at: epoch.now)
      gap = true
    }
    if request == nil { try reopen() }
    guard let request else { return nil }
    let levels: [Bool]
    do throws(SluiceError) {
      levels = try request.values()
    } catch {
      try miss(error, at: epoch.now, whenFailed)
      return nil
    }
    defer { (gap, isFailing) = (false, false) }
    var values = Values()
    for level in levels { values.append(level ? .one : .zero) }
    return Reading(time: epoch.now, stream: stream, values: values, flags: gap ? .gapBefore : [])
  }

  /// Handles a failed read, of a chip that was removed or not.
  private func miss(
    _ error: SluiceError, at time: Int64, _ whenFailed: (@Sendable (SluiceError) -> Void)?
  ) throws(SluiceError) {
    guard error.code == .disconnected else {
      losses.add(.failed, at: time)
      if !isFailing { whenFailed?(error) }
      (gap, isFailing) = (true, true)
      return
    }
    guard reconnection != nil else { throw error }
    request?.release()
    request = nil
    gap = true
    reconnection?.begin(error, losses, at: time)
  }

  /// Releases the lines, at once or after the current read. Any thread may call it, more than once.
  func close() {
    let isIdle = state.withLock { state in
      let isIdle = state == .idle
      if isIdle { state = .closed } else if state == .reading { state = .closing }
      return isIdle
    }
    if isIdle { release() }
  }

  private func release() {
    request?.release()
    request = nil
    teardown.leave()
  }

  /// Requests the lines again, if the chip is back.
  private func reopen() throws(SluiceError) {
    request = try reconnection?.reopened()
    if request != nil { reconnection?.end(losses) }
  }
}

extension Publishers.GPIOValues: ReadingSource {
  public var streams: [StreamDescription] { [description] }
  public func readings(from first: StreamID, clock: EpochClock) -> AnyPublisher<Reading, SluiceError> {
    stream(first, clock: clock).eraseToAnyPublisher()
  }
  public func waitUntilClosed() { teardown.wait() }
  public var lossReport: LossReport { losses.report }
  public var isAway: Bool { losses.isAway }
  public var isWhole: Bool { true }
}
