package import Dispatch
import Sluice
package import SluiceDispatch
package import SluiceReadings
import SluiceRecording
import Synchronization

/// Notices during a run that the wall clock was set or became synchronised, and that the machine was suspended.
///
/// A run keeps its offset from the monotonic clock, so that its times have no step. The new offset is noted, so that
/// the times can be corrected later.
///
/// A suspend moves CLOCK_BOOTTIME against CLOCK_MONOTONIC. Setting the clock moves CLOCK_REALTIME against
/// CLOCK_BOOTTIME. Nothing else moves them against each other, because a change of the clock rate affects all three. So
/// two comparisons distinguish a suspend from a set clock, even if both have happened.
package final class ClockWatch: @unchecked Sendable {
  // Everything that changes is used only on `queue`, or is atomic.

  /// The smallest difference that counts as a change. A smaller one may be a measurement error.
  static let least: Int64 = 1_000_000
  /// The time between two queries of the synchronisation.
  static let patience: Int64 = 5_000_000_000

  private let clocks: any MachineClocks
  private let epoch: EpochClock
  private let queue: DispatchQueue
  private var changes = ClockChanges()
  /// The state at the last comparison.
  private var slept: Int64
  private var wall: Int64
  /// Whether the clock was unsynchronised at the last query, and the time of that query.
  private var isUnsynchronised: Bool
  private var asked: Int64
  private var isWritten = true
  /// The greatest error that the recording allows, and the time of the last comparison with it.
  private let maxError: Int64?
  private var looked: Int64
  private let worse = Atomic(false)
  private var suspended: (Int64) -> Void = { _ in }
  private var changed: (ClockChanges) -> Bool = { _ in true }
  private var running: [any Cancellable] = []

  /// Reads the clocks at the start of a run.
  /// - Parameters:
  ///   - isSynchronised: Whether the system says that the clock is synchronised.
  ///   - maxError: The greatest error of the wall clock that the recording allows; nil if it does not matter.
  package init(
    _ clocks: any MachineClocks, _ epoch: EpochClock, isSynchronised: Bool?, maxError: Int64? = nil,
    on queue: DispatchQueue
  ) {
    self.clocks = clocks
    self.epoch = epoch
    self.queue = queue
    slept = EpochClock.difference({ clocks.boottime }, from: { clocks.monotonic })
    wall = epoch.offset &- slept
    isUnsynchronised = isSynchronised == false
    asked = clocks.monotonic
    (self.maxError, looked) = (maxError, asked)
  }

  deinit { for task in running { task.cancel() } }

  /// Compares the clocks once per second, and at once when the wall clock is set.
  /// - Parameters:
  ///   - interval: The time between comparisons. Tests set a long one and call `look()`.
  ///   - suspended: Called with the time of each suspend by the clock of the run.
  ///   - changed: Called with all changes after each change that is listed. If it returns false, it is called again.
  package func start(
    every interval: DispatchQueue.SchedulerTimeType.Stride = .seconds(1), suspended: @escaping (Int64) -> Void,
    changed: @escaping (ClockChanges) -> Bool
  ) {
    queue.sync {
      (self.suspended, self.changed) = (suspended, changed)
      if let watch = clocks.whenSet(on: queue, { [weak self] in self?.examine() }) { running.append(watch) }
      running.append(
        queue.schedule(after: queue.now.advanced(by: interval), interval: interval, tolerance: .milliseconds(200)) {
          [weak self] in self?.examine()
        })
      // Finds changes between `init` and the start.
      examine()
    }
  }

  /// Whether the wall clock was worse than allowed when it was last looked at. Any thread may ask.
  package var isWorse: Bool { worse.load(ordering: .relaxed) }

  /// Compares the clocks a last time.
  package func end() -> ClockChanges {
    queue.sync {
      for task in running { task.cancel() }
      running = []
      isWritten = true
      changed = { _ in true }
      examine()
      suspended = { _ in }
      return changes
    }
  }

  /// Compares the clocks now. Tests call it, because they must not wait for the timer.
  func look() { queue.sync { examine() } }

  private func examine() {
    let slept = EpochClock.difference({ clocks.boottime }, from: { clocks.monotonic })
    let offset = EpochClock.difference({ clocks.realtime }, from: { clocks.monotonic })
    let now = clocks.monotonic
    let wall = offset &- slept
    func note(_ cause: TraceMetadata.ClockChange.Cause, suspended: Int64? = nil) {
      let change = TraceMetadata.ClockChange(
        time: now &+ epoch.offset, cause: cause, offset: offset, suspended: suspended, errors: clocks.quality?.errors)
      if changes.add(change) { isWritten = false }
    }
    let sleep = slept &- self.slept
    if sleep >= Self.least {
      note(.suspend, suspended: sleep)
      suspended(now &+ epoch.offset)
    }
    let isSet = (wall &- self.wall).magnitude >= Self.least
    if isSet { note(.set) }
    (self.slept, self.wall) = (slept, wall)
    if isUnsynchronised, isSet || now &- asked >= Self.patience {
      asked = now
      isUnsynchronised = clocks.isSynchronised != true
      if !isUnsynchronised { note(.synchronised) }
    }
    if let maxError { compare(maxError, at: now) }
    if !isWritten { isWritten = changed(changes) }
  }

  private func compare(_ maxError: Int64, at now: Int64) {
    let error = clocks.quality?.errors.greatest
    let isGood = (error ?? .max) <= maxError
    let isNew =
      isGood
      ? changes.recover(at: now &+ epoch.offset)
      : changes.exceed(from: looked &+ epoch.offset, error ?? TraceMetadata.ClockErrors.unsynchronised)
    worse.store(!isGood, ordering: .relaxed)
    if isNew { isWritten = false }
    looked = now
  }
}
