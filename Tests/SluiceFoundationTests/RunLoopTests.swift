import Foundation
import SluiceFoundation
import SluiceTesting
import XCTest

@testable import Sluice

final class RunLoopTests: XCTestCase {
  /// A run loop on a thread of its own, which waits for ever when there is nothing to do.
  private func waitingRunLoop() -> (RunLoop, end: () -> Void) {
    let started = expectation(description: "started")
    let ended = Locked(false)
    nonisolated(unsafe) var runLoop = RunLoop.main
    Thread {
      runLoop = .current
      runLoop.add(Timer(fire: .distantFuture, interval: 0, repeats: false) { _ in }, forMode: .default)
      started.fulfill()
      while !ended.withLock({ $0 }) { _ = RunLoop.current.run(mode: .default, before: .distantFuture) }
    }.start()
    wait(for: [started], timeout: 60)
    let theRunLoop = runLoop
    return (theRunLoop, { theRunLoop.schedule { ended.withLock { $0 = true } } })
  }

  func testARunLoopThatWaitsIsWoken() {
    let (runLoop, end) = waitingRunLoop()
    defer { end() }
    let ran = DispatchSemaphore(value: 0)
    for round in 1...200 {
      runLoop.schedule { ran.signal() }
      guard ran.wait(timeout: .now() + 60) == .success else { return XCTFail("asleep in round \(round)") }
    }
  }

  func testAnActionThatAnActionSchedulesRuns() {
    let (runLoop, end) = waitingRunLoop()
    defer { end() }
    let done = expectation(description: "all")
    func schedule(_ left: Int) {
      runLoop.schedule { if left > 0 { schedule(left - 1) } else { done.fulfill() } }
    }
    schedule(200)
    wait(for: [done], timeout: 60)
  }

  #if os(Linux)
    /// Foundation for Linux keeps every timer for ever: 330 bytes, which would be 28 GB a day at 1 kHz.
    func testActionsLeaveNothing() throws {
      let (runLoop, end) = waitingRunLoop()
      defer { end() }
      let ran = DispatchSemaphore(value: 0)
      func run(_ count: Int) {
        for _ in 0..<count {
          runLoop.schedule { ran.signal() }
          guard ran.wait(timeout: .now() + 60) == .success else { return XCTFail("an action did not run") }
        }
      }
      run(1_000)
      let before = try residentPages()
      run(30_000)
      let grown = try residentPages() - before
      XCTAssertLessThan(grown, 1_000, "pages of 4 KiB: with a timer for each action it is 2,400")
    }

    private func residentPages() throws -> Int {
      let words = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
      return try XCTUnwrap(Int(words[1]))
    }
  #endif

  func testActionsKeepTheirOrder() {
    let (runLoop, end) = waitingRunLoop()
    defer { end() }
    let done = expectation(description: "all")
    let subscriber = TestSubscriber<Int, Never>(ended: { _ in done.fulfill() })
    (0..<1_000).publisher.receive(on: runLoop).subscribe(subscriber)
    wait(for: [done], timeout: 60)
    XCTAssertEqual(subscriber.values, Array(0..<1_000))
    XCTAssertEqual(subscriber.violations, [])
  }

  func testWhatIsDueLaterRunsOnTheRunLoopAndNotBefore() {
    let ran = expectation(description: "ran")
    let due = RunLoop.main.now.advanced(by: .milliseconds(20))
    DispatchQueue.global().async {
      RunLoop.main.schedule(after: due, tolerance: .milliseconds(1)) {
        XCTAssertTrue(Thread.isMainThread)
        XCTAssertGreaterThanOrEqual(RunLoop.main.now, due)
        ran.fulfill()
      }
    }
    wait(for: [ran], timeout: 60)
  }

  func testRepeatsUntilItIsCancelled() {
    let after = expectation(description: "a while after")
    var count = 0
    var repetition: (any Cancellable)?
    repetition = RunLoop.main.schedule(after: RunLoop.main.now, interval: .milliseconds(2)) {
      count += 1
      guard count == 3 else { return }
      repetition?.cancel()
      RunLoop.main.schedule(after: RunLoop.main.now.advanced(by: .milliseconds(20))) { after.fulfill() }
    }
    XCTAssertEqual(count, 0, "nothing runs at once")
    wait(for: [after], timeout: 60)
    XCTAssertEqual(count, 3)
  }

  func testAnActionIsLetGoOfOnceItHasRunOrIsCancelled() {
    final class Thing {}
    weak var kept: Thing?
    var repetition: (any Cancellable)?
    func start(once: Bool, _ ran: XCTestExpectation) {
      let thing = Thing()
      kept = thing
      let action = { withExtendedLifetime(thing) { ran.fulfill() } }
      if once {
        RunLoop.main.schedule(after: RunLoop.main.now, action)
      } else {
        repetition = RunLoop.main.schedule(after: RunLoop.main.now, interval: .milliseconds(2), action)
      }
    }
    for once in [true, false] {
      let ran = expectation(description: "ran")
      ran.assertForOverFulfill = false
      start(once: once, ran)
      wait(for: [ran], timeout: 60)
      repetition?.cancel()
      XCTAssertNil(kept, "once: \(once)")
    }
  }
}
