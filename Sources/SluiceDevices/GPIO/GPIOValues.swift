public import Dispatch
public import Sluice
import SluiceDispatch
public import SluiceRecording

extension Publishers {
  /// Publishes the levels of GPIO lines of one chip, read again and again: a reading has a channel a line.
  ///
  /// ```swift
  /// let lines = GPIOLines(chip: "gpiochip0", lines: ["3", "4"])
  /// let levels = try Publishers.GPIOValues(lines, every: .milliseconds(100))
  /// ```
  ///
  /// For lines that cannot interrupt, or whose edges are too many to be told one by one; what changes and changes back
  /// within a period is not seen. The lines are requested when this is made, for the one subscriber that it takes, and are
  /// free for others when ``teardown`` has been left, soon after the end of the stream or a cancel. Reads all lines at once, on a queue of its own,
  /// only while there is demand; periods without a read are counted in ``losses``, and the next reading carries
  /// ``Reading/Flags/gapBefore``. Fails with ``SluiceError/Code/disconnected`` when the chip is removed; with `whenRemoved`
  /// it is looked for every period instead.
  public struct GPIOValues: _DirectPublisher {
    public typealias Output = Reading
    public typealias Failure = SluiceError

    public let period: DispatchTimeInterval
    public let description: StreamDescription
    public let losses: DeviceLosses
    /// Left when the lines are free for others again, after the subscription has ended.
    public let teardown: DispatchGroup
    private let stream: StreamID
    private let clock: EpochClock
    private let poll: ValuePoll

    /// - Parameters:
    ///   - root: Where device files are.
    ///   - whenRemoved: Given, a chip that is removed is waited for; told why, and nil when it is back.
    public init(
      _ lines: GPIOLines, every period: DispatchTimeInterval, bias: GPIOOptions.Bias = .asIs, isActiveLow: Bool = false,
      consumer: String = "sluice", root: String = "/dev", whenRemoved: (@Sendable (SluiceError?) -> Void)? = nil
    ) throws(SluiceError) {
      var options = GPIOOptions()
      options.bias = bias
      options.isActiveLow = isActiveLow
      let open = { [options] () throws(SluiceError) -> GPIORequest in
        try GPIORequest(lines, for: .values, options: options, consumer: consumer, root: root)
      }
      let request = try open()
      self.period = period
      stream = StreamID(0)
      clock = EpochClock()
      losses = DeviceLosses(coverage: .all)
      teardown = DispatchGroup()
      description = StreamDescription(
        name: "\(request.chipName) values",
        channels: request.lines.map { StreamDescription.Channel(name: $0.name ?? String($0.offset)) })
      poll = ValuePoll(request, losses, teardown, open, whenRemoved)
    }

    /// The same lines, with another number of their stream.
    /// - Parameter clock: One for several publishers gives them the same offset.
    public func stream(_ stream: StreamID, clock: EpochClock? = nil) -> GPIOValues { GPIOValues(self, stream, clock) }

    private init(_ other: GPIOValues, _ stream: StreamID, _ clock: EpochClock?) {
      (period, description, losses, poll) = (other.period, other.description, other.losses, other.poll)
      teardown = other.teardown
      self.stream = stream
      self.clock = clock ?? other.clock
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Reading, S.Failure == SluiceError {
      let (poll, stream, clock) = (poll, stream, clock)
      poll.begin()
      Publishers.timer(interval: period).ticks
        .tryCompactMap { try poll.read($0, stream, clock) }
        .mapError { ($0 as? SluiceError) ?? SluiceError(.failed, "read", "GPIO values", because: "\($0)") }
        .handleEvents(receiveCompletion: { _ in poll.close() }, receiveCancel: { poll.close() })
        .receive(subscriber: subscriber)
    }
  }
}

/// The reads of one subscription; the timer's ticks are serial.
private final class ValuePoll {
  private enum State { case unsubscribed, idle, reading, closing, closed }

  private let state = Locked(State.unsubscribed)
  private var request: GPIORequest?  // belongs to whoever took the state from idle
  private let losses: DeviceLosses
  private let teardown: DispatchGroup
  private let open: () throws(SluiceError) -> GPIORequest
  private let whenRemoved: (@Sendable (SluiceError?) -> Void)?
  private var gap = false

  init(
    _ request: GPIORequest, _ losses: DeviceLosses, _ teardown: DispatchGroup,
    _ open: @escaping () throws(SluiceError) -> GPIORequest, _ whenRemoved: (@Sendable (SluiceError?) -> Void)?
  ) {
    (self.request, self.losses, self.teardown) = (request, losses, teardown)
    (self.open, self.whenRemoved) = (open, whenRemoved)
  }

  func begin() {
    state.withLock { state in
      guard state == .unsubscribed else { return }
      state = .idle
      teardown.enter()
    }
  }

  func read(_ tick: Publishers.Tick, _ stream: StreamID, _ epoch: EpochClock) throws(SluiceError) -> Reading? {
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
    if request == nil { request = try reopened() }
    guard let request else { return nil }
    let levels: [Bool]
    do throws(SluiceError) {
      levels = try request.values()
    } catch {
      guard let whenRemoved, error.code == .disconnected else { throw error }
      request.release()
      self.request = nil
      losses.add(.removed, at: epoch.now)
      gap = true
      whenRemoved(error)
      return nil
    }
    defer { gap = false }
    var values = Values()
    for level in levels { values.append(level ? .one : .zero) }
    return Reading(time: epoch.now, stream: stream, values: values, flags: gap ? .gapBefore : [])
  }

  /// Lets go of the lines: at once, or after the read that is going on. From any thread, and more than once.
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

  /// - Returns: Nil where the chip is not there yet.
  private func reopened() throws(SluiceError) -> GPIORequest? {
    do throws(SluiceError) {
      let request = try open()
      whenRemoved?(nil)
      return request
    } catch {
      guard error.mayPass else { throw error }
      return nil
    }
  }
}
