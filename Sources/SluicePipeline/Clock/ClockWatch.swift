import Dispatch
import Sluice
import SluiceDispatch
import SluiceReadings
import SluiceRecording

/// Notices during a run that the wall clock was set or became synchronised, and that the machine was suspended.
///
/// A run keeps its offset from the monotonic clock whatever happens, so that its times have no step. What would be added
/// now is noted, so that they can be corrected later.
///
/// A suspend moves CLOCK_BOOTTIME against CLOCK_MONOTONIC. To set the clock moves CLOCK_REALTIME against CLOCK_BOOTTIME.
/// Nothing else moves them: a clock that runs slower or faster takes all three with it. So two comparisons tell the one
/// from the other, also where both have happened.
package final class ClockWatch: @unchecked Sendable {
  // Everything that changes is used on `queue` alone.

  /// A lesser difference may be one of the measurement.
  static let least: Int64 = 1_000_000
  /// From one question whether the clock is synchronised to the next.
  static let patience: Int64 = 5_000_000_000

  private let clocks: any MachineClocks
  private let epoch: EpochClock
  private let queue: DispatchQueue
  private var changes = ClockChanges()
  /// As it was at the last look.
  private var slept: Int64
  private var wall: Int64
  /// Whether it is to be asked if the clock is synchronised, and when it was asked last.
  private var isUnsynchronised: Bool
  private var asked: Int64
  private var isWritten = true
  private var suspended: (Int64) -> Void = { _ in }
  private var changed: (ClockChanges) -> Bool = { _ in true }
  private var running: [any Cancellable] = []

  /// At the start of a run.
  /// - Parameter isSynchronised: What the system has said of the clock.
  package init(_ clocks: any MachineClocks, _ epoch: EpochClock, isSynchronised: Bool?, on queue: DispatchQueue) {
    self.clocks = clocks
    self.epoch = epoch
    self.queue = queue
    slept = EpochClock.difference({ clocks.boottime }, from: { clocks.monotonic })
    wall = epoch.offset &- slept
    isUnsynchronised = isSynchronised == false
    asked = clocks.monotonic
  }

  deinit { for task in running { task.cancel() } }

  /// Looks from now on: each second, and at once when the wall clock was set.
  /// - Parameters:
  ///   - interval: Tests set it, and look themselves.
  ///   - suspended: Told of each suspend, by the clock of the run.
  ///   - changed: Told of all changes after each that is listed. Where it answers false it is told again.
  package func start(
    every interval: SchedulerStride = .seconds(1), suspended: @escaping (Int64) -> Void,
    changed: @escaping (ClockChanges) -> Bool
  ) {
    queue.sync {
      (self.suspended, self.changed) = (suspended, changed)
      if let watch = clocks.whenSet(on: queue, { [weak self] in self?.examine() }) { running.append(watch) }
      running.append(
        queue.schedule(after: queue.now.advanced(by: interval), interval: interval, tolerance: .milliseconds(200)) {
          [weak self] in self?.examine()
        })
      // What has happened between the making and the start of a run.
      examine()
    }
  }

  /// Looks once more, and no more.
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

  /// For tests, which have no seconds to wait.
  func look() { queue.sync { examine() } }

  private func examine() {
    let slept = EpochClock.difference({ clocks.boottime }, from: { clocks.monotonic })
    let offset = EpochClock.difference({ clocks.realtime }, from: { clocks.monotonic })
    let now = clocks.monotonic
    let wall = offset &- slept
    func note(_ cause: TraceMetadata.ClockChange.Cause, suspended: Int64? = nil) {
      let change = TraceMetadata.ClockChange(
        time: now &+ epoch.offset, cause: cause, offset: offset, suspended: suspended)
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
    if !isWritten { isWritten = changed(changes) }
  }
}
