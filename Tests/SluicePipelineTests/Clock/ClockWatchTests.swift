import Dispatch
import Sluice
import SluiceReadings
import SluiceRecording
import XCTest

@testable import SluicePipeline

final class ClockWatchTests: XCTestCase {
  private typealias Change = TraceMetadata.ClockChange

  /// The offset that a run begins with, by the fake clocks.
  private let offset: Int64 = 1_007_000_000_000
  private let began: Int64 = 50_000_000_000
  private let told = Locked<[ClockChanges]>([])
  private let suspends = Locked<[Int64]>([])
  private let isWritable = Locked(true)

  private func watch(_ clocks: FakeClocks, isSynchronised: Bool?, maxError: Int64? = nil) -> ClockWatch {
    let epoch = EpochClock(
      offset: EpochClock.difference({ clocks.realtime }, from: { clocks.monotonic }))
    XCTAssertEqual(epoch.offset, offset)
    let watch = ClockWatch(
      clocks, epoch, isSynchronised: isSynchronised, maxError: maxError,
      on: DispatchQueue(label: "test.clock-watch"))
    watch.start(every: .seconds(86_400), suspended: { time in self.suspends.withLock { $0.append(time) } }) { changes in
      self.told.withLock { $0.append(changes) }
      return self.isWritable.withLock { $0 }
    }
    return watch
  }

  func testNothingHappens() {
    let clocks = FakeClocks(isSynchronised: true)
    let watch = watch(clocks, isSynchronised: true)
    for _ in 0..<100 {
      clocks.pass(1_000_000_000)
      // Less than what is taken for the noise of a measurement.
      clocks.set(999_999)
      clocks.suspend(999_999)
      watch.look()
    }
    XCTAssertEqual(watch.end(), ClockChanges())
    XCTAssertEqual(told.withLock { $0 }, [])
    XCTAssertEqual(clocks.asked, 0, "it was synchronised")
  }

  func testTheClockIsSet() {
    let clocks = FakeClocks(isSynchronised: true)
    let watch = watch(clocks, isSynchronised: true)
    clocks.pass(3)
    clocks.set(3_600_000_000_000)
    let first = Change(time: began + offset + 3, cause: .set, offset: offset + 3_600_000_000_000)
    XCTAssertEqual(told.withLock { $0.map(\.first) }, [[first]], "at once")
    clocks.pass(4)
    // A machine that cannot say it is asked all the same.
    clocks.set(-1_000_000, isSaid: false)
    watch.look()
    watch.look()
    let second = Change(time: began + offset + 7, cause: .set, offset: offset + 3_599_999_000_000)
    XCTAssertEqual(watch.end().first, [first, second])
    XCTAssertEqual(told.withLock { $0.count }, 2)
    XCTAssertEqual(suspends.withLock { $0 }, [])
  }

  func testTheMachineIsSuspended() {
    let clocks = FakeClocks(isSynchronised: true)
    let watch = watch(clocks, isSynchronised: true)
    clocks.pass(10)
    clocks.suspend(60_000_000_000)
    // As the kernel says it after a suspend, with nothing but the suspend to see.
    clocks.set(0)
    XCTAssertEqual(
      watch.end().first,
      [Change(time: began + offset + 10, cause: .suspend, offset: offset + 60_000_000_000, suspended: 60_000_000_000)])
    XCTAssertEqual(suspends.withLock { $0 }, [began + offset + 10])
  }

  /// As a machine without a clock of its own does, when it is woken.
  func testBothAtOnceAreTwo() {
    let clocks = FakeClocks(isSynchronised: false)
    let watch = watch(clocks, isSynchronised: false)
    clocks.suspend(5_000_000_000)
    clocks.set(-2_000_000_000, isSaid: false)
    watch.look()
    XCTAssertEqual(
      watch.end().first,
      [
        Change(time: began + offset, cause: .suspend, offset: offset + 3_000_000_000, suspended: 5_000_000_000),
        Change(time: began + offset, cause: .set, offset: offset + 3_000_000_000),
      ])
  }

  func testTheClockBecomesSynchronised() {
    let clocks = FakeClocks(isSynchronised: false)
    let watch = watch(clocks, isSynchronised: false)
    for _ in 0..<9 {
      clocks.pass(1_000_000_000)
      watch.look()
    }
    XCTAssertEqual(clocks.asked, 1, "after five seconds")
    clocks.synchronise()
    clocks.pass(1_000_000_000)
    watch.look()
    let change = Change(time: began + offset + 10_000_000_000, cause: .synchronised, offset: offset)
    XCTAssertEqual(told.withLock { $0.map(\.first) }, [[change]])
    clocks.pass(100_000_000_000)
    watch.look()
    XCTAssertEqual(clocks.asked, 2, "never again")
  }

  /// A service sets the clock and says in the same call that it is right.
  func testItIsAskedWhenTheClockIsSet() {
    let clocks = FakeClocks(isSynchronised: false)
    let watch = watch(clocks, isSynchronised: false)
    clocks.synchronise()
    clocks.set(9_000_000)
    XCTAssertEqual(watch.end().first.map(\.cause), [.set, .synchronised])
    XCTAssertEqual(told.withLock { $0.map { $0.first.count } }, [2], "in one document")
  }

  func testWhatIsNotSaidIsNotAskedFor() {
    let clocks = FakeClocks(isSynchronised: nil)
    let watch = watch(clocks, isSynchronised: nil)
    clocks.pass(100_000_000_000)
    clocks.set(1_000_000)
    XCTAssertEqual(watch.end().first.map(\.cause), [.set])
    XCTAssertEqual(clocks.asked, 0)
  }

  func testAHundredAreListed() {
    let clocks = FakeClocks(isSynchronised: true)
    let watch = watch(clocks, isSynchronised: true)
    for _ in 0..<102 {
      clocks.pass(1)
      clocks.suspend(1_000_000)
      watch.look()
    }
    XCTAssertEqual(suspends.withLock { $0.count }, 102)
    XCTAssertEqual(told.withLock { $0.count }, 100, "what changes no list is no reason to write")
    let changes = watch.end()
    XCTAssertEqual([changes.first.count, changes.count], [100, 102])
    XCTAssertEqual(changes.first.last?.time, began + offset + 100)
  }

  func testWhatCouldNotBeWrittenIsTriedAgain() {
    let clocks = FakeClocks(isSynchronised: true)
    let watch = watch(clocks, isSynchronised: true)
    isWritable.withLock { $0 = false }
    clocks.set(1_000_000)
    watch.look()
    XCTAssertEqual(told.withLock { $0.map(\.count) }, [1, 1])
    isWritable.withLock { $0 = true }
    watch.look()
    watch.look()
    XCTAssertEqual(told.withLock { $0.map(\.count) }, [1, 1, 1])
  }

  /// It may be opening a FIFO for an hour.
  func testWhatHappensBeforeTheStartIsSeen() {
    let clocks = FakeClocks(isSynchronised: true)
    let watch = ClockWatch(
      clocks, EpochClock(offset: offset), isSynchronised: true, on: DispatchQueue(label: "test.clock-watch"))
    clocks.set(1_000_000)
    let told = told
    watch.start(every: .seconds(86_400), suspended: { _ in XCTFail() }) { changes in
      told.withLock { $0.append(changes) }
      return true
    }
    XCTAssertEqual(told.withLock { $0.map { $0.first.map(\.cause) } }, [[.set]])
  }

  func testTheEndLooksOnceMoreAndLeavesWritingToOthers() {
    let clocks = FakeClocks(isSynchronised: true)
    let watch = watch(clocks, isSynchronised: true)
    clocks.suspend(1_000_000)
    XCTAssertEqual(watch.end().first.map(\.cause), [.suspend])
    XCTAssertEqual(suspends.withLock { $0.count }, 1)
    XCTAssertEqual(told.withLock { $0 }, [])
  }

  // MARK: Errors

  private func quality(_ error: Int64, isSynchronised: Bool = true) -> TraceMetadata.ClockQuality {
    .init(isSynchronised: isSynchronised, maxError: error, estimatedError: 1)
  }

  func testAChangeHasTheErrorsOfTheClock() {
    let clocks = FakeClocks(isSynchronised: true)
    let watch = watch(clocks, isSynchronised: true)
    clocks.quality = quality(7_000)
    clocks.set(3_600_000_000_000)
    XCTAssertEqual(watch.end().first.map(\.errors), [.init(greatest: 7_000, estimated: 1)])
  }

  func testTimesInWhichTheClockIsWorseThanAllowed() {
    let clocks = FakeClocks(isSynchronised: true)
    clocks.quality = quality(10_000_000)
    let watch = watch(clocks, isSynchronised: true, maxError: 10_000_000)
    for error: Int64 in [10_000_000, 10_001_000, 12_000_000, 11_000_000, 9_000_000] {
      clocks.pass(1_000_000_000)
      clocks.quality = quality(error)
      watch.look()
      XCTAssertEqual(watch.isWorse, error > 10_000_000, "\(error)")
    }
    let second: Int64 = 1_000_000_000
    let first = TraceMetadata.ClockExcess(
      from: began + offset + second, to: began + offset + 5 * second, greatest: 12_000_000)
    XCTAssertEqual(
      told.withLock { $0.map(\.excesses) }, [[.init(from: first.from, greatest: 10_001_000)], [first]],
      "when it begins and when it ends")
    clocks.pass(second)
    clocks.quality = quality(1, isSynchronised: false)
    watch.look()
    clocks.quality = nil
    let last = TraceMetadata.ClockExcess(from: began + offset + 5 * second, greatest: 16 * second)
    XCTAssertEqual(watch.end().excesses, [first, last])
  }

  /// The list ends at 100, and its last time covers what has no place in it.
  func testManyTimesInWhichTheClockIsWorse() {
    let clocks = FakeClocks(isSynchronised: true)
    clocks.quality = quality(1)
    let watch = watch(clocks, isSynchronised: true, maxError: 10)
    let second: Int64 = 1_000_000_000
    for number in 0..<150 {
      for error in [Int64(1_000 + number), 1] {
        clocks.pass(second)
        clocks.quality = quality(error)
        watch.look()
        XCTAssertEqual(watch.isWorse, error > 10, "the flag of readings needs no place in the list")
      }
    }
    let changes = watch.end()
    XCTAssertEqual([changes.excesses.count, changes.excessCount], [100, 150])
    XCTAssertEqual(changes.excesses[98].to, began + offset + 198 * second)
    XCTAssertEqual(
      changes.excesses[99],
      .init(from: began + offset + 198 * second, to: began + offset + 300 * second, greatest: 1_149))
    XCTAssertEqual(told.withLock { $0.count }, 201, "when the list changes, and when its last time goes on")
    XCTAssertNil(told.withLock { $0.last?.excesses.last?.to })
  }

  func testWithoutALimitTheErrorsDoNotMatter() {
    let clocks = FakeClocks(isSynchronised: true)
    clocks.quality = quality(.max)
    XCTAssertEqual(watch(clocks, isSynchronised: true).end(), ClockChanges())
    XCTAssertEqual(told.withLock { $0 }, [])
  }
}
