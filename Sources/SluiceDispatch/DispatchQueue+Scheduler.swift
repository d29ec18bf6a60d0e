public import Dispatch
public import Sluice

/// A dispatch queue as a scheduler, with Combine's names for its time, its intervals and its options.
extension DispatchQueue: Sluice.Scheduler {
  /// A time on the clock of the queue, which stops while the machine sleeps.
  public struct SchedulerTimeType: Strideable, Hashable, Codable, Sendable {
    /// The time in the type of Dispatch.
    public var dispatchTime: DispatchTime

    /// Makes a time from the type of Dispatch.
    public init(_ time: DispatchTime) { dispatchTime = time }

    /// - Returns: The longest possible interval, in either direction as in Combine, if the distance does not fit into
    ///   64 bits.
    public func distance(to other: Self) -> Stride {
      let (from, to) = (dispatchTime.uptimeNanoseconds, other.dispatchTime.uptimeNanoseconds)
      guard let distance = Int64(exactly: from <= to ? to - from : from - to) else { return .init(nanoseconds: .max) }
      return .init(nanoseconds: from <= to ? distance : -distance)
    }

    /// The time that is an interval later.
    public func advanced(by n: Stride) -> Self {
      n.nanoseconds == .max ? Self(.distantFuture) : Self(dispatchTime + n.timeInterval)
    }

    // Not by the distance, because a distance that is too long loses its sign.
    public static func < (a: Self, b: Self) -> Bool { a.dispatchTime < b.dispatchTime }
    public static func == (a: Self, b: Self) -> Bool { a.dispatchTime == b.dispatchTime }

    public func hash(into hasher: inout Hasher) { hasher.combine(dispatchTime.rawValue) }

    public init(from decoder: any Decoder) throws {
      let nanoseconds = try decoder.singleValueContainer().decode(UInt64.self)
      self.init(DispatchTime(uptimeNanoseconds: nanoseconds))
    }

    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(dispatchTime.uptimeNanoseconds)
    }
  }

  /// The options for running an action.
  public struct SchedulerOptions {
    /// The quality of service of the action.
    public var qos: DispatchQoS
    /// Flags for queueing the action, for example as a barrier.
    public var flags: DispatchWorkItemFlags
    /// The group of the action.
    public var group: DispatchGroup?

    /// Makes options; by default they change nothing.
    public init(qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], group: DispatchGroup? = nil) {
      self.qos = qos
      self.flags = flags
      self.group = group
    }
  }

  /// The scheduler's current time.
  public var now: SchedulerTimeType { SchedulerTimeType(.now()) }
  /// The smallest tolerance that the scheduler accepts.
  public var minimumTolerance: SchedulerTimeType.Stride { .zero }

  /// Runs an action as soon as possible.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    let action = ScheduledAction(run: action)
    guard let options else { return async { action.run() } }
    async(group: options.group, qos: options.qos, flags: options.flags) { action.run() }
  }

  /// Runs an action at a time.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    let action = ScheduledAction(run: action)
    let options = options ?? SchedulerOptions()
    let group = options.group
    group?.enter()
    asyncAfter(deadline: date.dispatchTime, qos: options.qos, flags: options.flags) {
      action.run()
      group?.leave()
    }
  }

  /// Runs an action at a time, and again after each interval.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    let action = ScheduledAction(run: action)
    let timer = DispatchSource.makeTimerSource(queue: self)
    timer.schedule(
      deadline: date.dispatchTime, repeating: Swift.max(interval, .zero).timeInterval,
      leeway: Swift.max(tolerance, minimumTolerance).timeInterval)
    let options = options ?? SchedulerOptions()
    timer.setEventHandler(qos: options.qos, flags: options.flags) { action.run() }
    timer.resume()
    return AnyCancellable { timer.cancel() }
  }
}
