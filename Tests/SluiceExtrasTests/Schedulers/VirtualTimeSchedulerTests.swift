import Sluice
import SluiceExtras
import XCTest

private func at(_ seconds: Int) -> VirtualTimeScheduler.SchedulerTimeType {
  VirtualTimeScheduler.SchedulerTimeType(nanoseconds: Int64(seconds) * 1_000_000_000)
}

final class VirtualTimeSchedulerTests: XCTestCase {
  func testRunsInOrderOfTimeThenOfScheduling() {
    let time = VirtualTimeScheduler()
    var log: [String] = []
    time.schedule(after: at(2)) { log.append("b at \(time.now.nanoseconds / 1_000_000_000)") }
    time.schedule(after: at(1)) {
      log.append("a")
      time.schedule { log.append("from within") }
      time.schedule(after: at(9)) { log.append("too late") }
    }
    time.schedule(after: at(2)) { log.append("c") }
    time.schedule { log.append("now") }
    XCTAssertEqual(log, [], "time stands still")
    time.advance(by: .seconds(3))
    XCTAssertEqual(log, ["now", "a", "from within", "b at 2", "c"])
    XCTAssertEqual(time.now, at(3))
    time.advance(to: at(1))
    XCTAssertEqual(time.now, at(3), "time does not go back")
    time.run()
    XCTAssertEqual(time.now, at(9))
  }

  func testRepeatsUntilCancelled() {
    let time = VirtualTimeScheduler()
    var count = 0
    let repetition = time.schedule(after: at(1), interval: .seconds(2)) { count += 1 }
    time.advance(to: at(6))
    XCTAssertEqual(count, 3)
    repetition.cancel()
    time.advance(to: at(60))
    XCTAssertEqual(count, 3)
  }

  func testStridesSaturate() {
    XCTAssertEqual(
      DispatchQueue.SchedulerTimeType.Stride.seconds(.max), DispatchQueue.SchedulerTimeType.Stride(nanoseconds: .max))
    XCTAssertEqual(
      DispatchQueue.SchedulerTimeType.Stride.seconds(1e300) + .seconds(1),
      DispatchQueue.SchedulerTimeType.Stride(nanoseconds: .max))
    XCTAssertEqual(
      DispatchQueue.SchedulerTimeType.Stride.seconds(-1e300) - .seconds(1),
      DispatchQueue.SchedulerTimeType.Stride(nanoseconds: .min))
    XCTAssertEqual(DispatchQueue.SchedulerTimeType.Stride.seconds(0.25), .milliseconds(250))
    XCTAssertEqual(1.5 as DispatchQueue.SchedulerTimeType.Stride, .milliseconds(1_500))
  }
}
