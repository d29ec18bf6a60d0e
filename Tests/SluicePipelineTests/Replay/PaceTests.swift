import Foundation
import Sluice
import SluiceReadings
import TestFiles
import XCTest

@testable import SluicePipeline

final class PaceTests: XCTestCase {
  private let clock = ScriptedPaceClock()
  /// The time of a recording: so many nanoseconds that a Double would have only each 256th.
  private let first: Int64 = 1_763_800_000_123_456_789

  /// When readings are delivered, after the first one is asked for.
  private func delivered(_ times: [Int64], _ pace: Pace) -> [Int64] {
    let begin = clock.now
    var delivered: [Int64] = []
    let readings = times.map { Reading(time: first + $0, stream: StreamID(0), values: Values(1)) }
    let cancellable = Publishers.Paced(upstream: readings.publisher, pace: pace).sink { [clock] _ in
      delivered.append(clock.now - begin)
    }
    withExtendedLifetime(cancellable) {}
    return delivered
  }

  /// An hour at 20 Hz in which each wait takes up to 80 us too long.
  func testAnHourDoesNotDrift() {
    var state: UInt64 = 1
    clock.oversleep = {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int64(state >> 40) % 80_000
    }
    let pace = Pace(rate: 1, clock: clock)
    let times = (0...72_000).map { Int64($0) * 50_000_000 + Int64($0 % 7) }
    let lateness = zip(times, delivered(times, pace)).map { $1 - $0 }
    XCTAssertGreaterThanOrEqual(lateness.min() ?? -1, 0)
    XCTAssertLessThan(lateness.max() ?? .max, 80_000)
    XCTAssertEqual(pace.account.late, 0)
    XCTAssertEqual(pace.account.greatestLateness, lateness.max())
  }

  /// To the nanosecond, whatever the rate.
  func testEachReadingIsDueByItsDistanceToTheFirst() {
    let hour: Int64 = 3_600_000_000_000
    for rate in [0.1, 0.3, 1, 2.5, 3, 10, 1_000] {
      let times = [0, 1, 999, 1_000_000_007, hour - 1, hour]
      XCTAssertEqual(
        delivered(times, Pace(rate: rate, clock: clock)),
        times.map { Int64((Double($0) / rate).rounded()) }, "\(rate)")
    }
    XCTAssertEqual(delivered([0, hour - 1, hour], Pace(rate: 1, clock: clock)), [0, hour - 1, hour])
  }

  func testWhatIsDueInThePastIsDeliveredAtOnce() {
    let pace = Pace(rate: 1, clock: clock)
    XCTAssertEqual(delivered([0, 100, 50, 90, 110, -5_000, 120], pace), [0, 100, 100, 100, 110, 110, 120])
    XCTAssertEqual(pace.account.greatestLateness, 0, "that is no lateness of the pace")
  }

  /// In the time of the trace, before the rate; also between rounds and behind times that go back.
  func testIdleStretchesAreShortened() {
    let times: [Int64] = [0, 100, 100_000, 100_100, 100_050, 101_101, 102_101]
    XCTAssertEqual(
      delivered(times, Pace(rate: 1, maxGap: 1_000, clock: clock)), [0, 100, 1_100, 1_200, 1_200, 2_200, 3_200])
    XCTAssertEqual(
      delivered(times, Pace(rate: 10, maxGap: 1_000, clock: clock)), [0, 10, 110, 120, 120, 220, 320])
  }

  func testTimesMayBeAnything() {
    var schedule = PaceSchedule(rate: 1)
    XCTAssertEqual([Int64.min, 0, .max].map { schedule.due($0) }, [0, .max, .max])
    var slow = PaceSchedule(rate: 1e-300)
    XCTAssertEqual([0, 1].map { slow.due($0) }, [0, .max])
  }

  func testAReadingThatNobodyWaitsForIsLate() {
    let pace = Pace(rate: 2, clock: clock)
    pace.wait(for: 0)
    // Somebody else, such as a disk, takes 10 ms.
    clock.wait(until: clock.now + 10_000_000)
    pace.wait(for: 17_000_000)
    pace.wait(for: 18_000_000)
    pace.wait(for: 18_000_001)
    pace.wait(for: 40_000_000)
    XCTAssertEqual(pace.account.late, 1, "1 ms is not late yet")
    XCTAssertEqual(pace.account.greatestLateness, 1_500_000)
    XCTAssertEqual(pace.account.text, "1 reading came more than 1 ms late, 1.50 ms at most")
    XCTAssertEqual(PaceAccount(rate: 1).text, "no readings came more than 1 ms late")
  }

  // MARK: Pauses

  /// What would have come 600 ns later comes 600 ns after the pause, and the rest at its distance.
  func testAPauseStopsTheClock() {
    let pace = Pace(rate: 1, clock: clock)
    clock.at(1_400) { pace.pause() }
    clock.at(2_000) { pace.pause() }
    clock.at(50_000) { pace.resume() }
    clock.at(50_100) { pace.resume() }
    XCTAssertEqual(delivered([0, 1_000, 2_000, 3_000, 4_000], pace), [0, 1_000, 50_600, 51_600, 52_600])
    XCTAssertEqual(pace.account.greatestLateness, 0)
  }

  func testAPauseBeforeTheFirstReading() {
    let pace = Pace(rate: 1, clock: clock)
    pace.pause()
    clock.at(500) { pace.resume() }
    XCTAssertEqual(delivered([0, 100], pace), [500, 600])
  }

  func testStepsGiveOneReadingEach() {
    let pace = Pace(rate: 1, clock: clock)
    pace.step()
    clock.at(10) { pace.pause() }
    clock.at(100) { pace.step() }
    clock.at(200) {
      pace.step()
      pace.step()
    }
    clock.at(300) { pace.resume() }
    XCTAssertEqual(
      delivered([0, 1_000, 2_000, 3_000, 4_000, 5_000], pace), [0, 100, 200, 200, 1_300, 2_300],
      "after the pause the next one comes after its distance to the last step")
  }

  func testItsEndLetsEverythingThrough() {
    for isPaused in [false, true] {
      let pace = Pace(rate: 1, clock: clock)
      if isPaused { clock.at(10) { pace.pause() } }
      clock.at(20) { pace.end() }
      XCTAssertEqual(delivered([0, 1_000, 2_000], pace), [0, 20, 20])
    }
  }

  /// Of the machine: woken by another thread, before it waits or while it does.
  func testTheClockOfTheMachineIsWoken() {
    let pace = Pace(rate: 1)
    pace.wait(for: 0)
    let done = expectation(description: "the end")
    DispatchQueue.global().async {
      pace.wait(for: 3_600_000_000_000)
      done.fulfill()
    }
    pace.pause()
    pace.resume()
    pace.end()
    wait(for: [done], timeout: 60)
  }

  // MARK: In a recording

  private lazy var folder = temporaryFolder()

  /// It would come all at once, if only the output were paused.
  func testAPausedReplayGoesOnWhereItStopped() throws {
    let second: Int64 = 1_000_000_000
    let rows = (0..<5).map { "\(first + Int64($0) * second),\($0)\n" }.joined()
    try "time_ns,x\n\(rows)".write(toFile: "\(folder)/in.csv", atomically: false, encoding: .utf8)
    var context = RecordingContext()
    context.paceClock = clock
    let plan = RecordingPlan(
      replay: ReplayPlan("\(folder)/in.csv", rate: 1), outputs: [OutputPlan("\(folder)/out.csv")])
    let recording = try Recording(plan, context)
    var received: [Int] = []
    clock.at(1_500_000_000) { recording.pause() }
    clock.at(60 * second) {
      XCTAssertTrue(recording.isPaused)
      received.append(recording.account.received)
      recording.resume()
    }
    clock.at(60 * second + 400_000_000) { received.append(recording.account.received) }
    clock.at(60 * second + 600_000_000) { received.append(recording.account.received) }
    let begin = clock.now
    recording.start()
    let account = recording.wait()
    XCTAssertEqual(clock.now - begin, 62 * second + 500_000_000)
    XCTAssertEqual(received, [2, 2, 3])
    XCTAssertEqual([account.received, account.written, account.pace?.late], [5, 5, 0])
    XCTAssertEqual(
      try String(contentsOfFile: "\(folder)/out.csv", encoding: .utf8), "time_ns,x\n\(rows)")
  }
}
