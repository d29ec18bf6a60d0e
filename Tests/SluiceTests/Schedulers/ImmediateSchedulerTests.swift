import Foundation
import Sluice
import XCTest

final class ImmediateSchedulerTests: XCTestCase {
  func testItKnowsNoTime() throws {
    typealias Stride = ImmediateScheduler.SchedulerTimeType.Stride
    let scheduler = ImmediateScheduler.shared
    XCTAssertEqual(scheduler.now, scheduler.now.advanced(by: 100))
    XCTAssertEqual(scheduler.now.distance(to: scheduler.now.advanced(by: -1)), 0)
    let units: [Stride] = [.seconds(5), .seconds(1.5), .milliseconds(3), .microseconds(1), .nanoseconds(1)]
    XCTAssertEqual(units, [0, 0, 0, 0, 0])
    XCTAssertEqual(Stride(-4) * 5 + 2 - 1, -19)
    XCTAssertEqual(String(decoding: try JSONEncoder().encode([Stride(-42)]), as: UTF8.self), #"[{"magnitude":-42}]"#)

    var count = 0
    let repetition = scheduler.schedule(after: scheduler.now, interval: 10) { count += 1 }
    XCTAssertEqual(count, 1)
    XCTAssertEqual(String(describing: repetition), "Empty")
  }
}
