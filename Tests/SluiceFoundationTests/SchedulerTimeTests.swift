import Foundation
import Sluice
import SluiceFoundation
import XCTest

/// The times and intervals of both of Foundation's schedulers, which are types of their own with the same arithmetic.
final class SchedulerTimeTests: XCTestCase {
  private func checkTimes<Time: _DateSchedulerTime>(_: Time.Type) throws {
    let time = Time(Date(timeIntervalSinceReferenceDate: 10_000))
    let later = time.advanced(by: .milliseconds(1_500))
    XCTAssertEqual(later.date.timeIntervalSinceReferenceDate, 10_001.5)
    XCTAssertEqual(time.distance(to: later).timeInterval, 1.5)
    XCTAssertEqual(later.distance(to: time).timeInterval, -1.5)
    XCTAssertLessThan(time, later)
    XCTAssertEqual(Set([time, later, time]).count, 2)
    XCTAssertEqual(time.advanced(by: .seconds(.infinity)).date.timeIntervalSinceReferenceDate, .infinity)

    let coded = try JSONEncoder().encode(later)
    XCTAssertEqual(String(decoding: coded, as: UTF8.self), #"{"date":10001.5}"#)
    XCTAssertEqual(try JSONDecoder().decode(Time.self, from: coded), later)
  }

  private func checkStrides<Stride: _TimeIntervalStride>(_: Stride.Type) throws {
    XCTAssertEqual(Stride.seconds(2).timeInterval, 2)
    XCTAssertEqual(Stride.seconds(2.5).magnitude, 2.5)
    XCTAssertEqual(Stride.milliseconds(2).timeInterval, 0.002)
    XCTAssertEqual(Stride.microseconds(2).timeInterval, 2e-6)
    XCTAssertEqual(Stride.nanoseconds(2).timeInterval, 2e-9)
    XCTAssertEqual((1.5 as Stride).timeInterval, 1.5)
    XCTAssertEqual(Stride(exactly: 871 as UInt64)?.timeInterval, 871)
    XCTAssertNil(Stride(exactly: UInt64.max), "not exact as a Double")
    XCTAssertLessThan(Stride.milliseconds(2), .seconds(2))

    var stride: Stride = 3
    stride += 2
    XCTAssertEqual(stride, 5)
    stride -= 1
    XCTAssertEqual(stride, 4)
    stride *= 0.5
    XCTAssertEqual(stride, 2)
    XCTAssertEqual(-stride, -2)

    let coded = try JSONEncoder().encode(Stride.seconds(1024.5))
    XCTAssertEqual(String(decoding: coded, as: UTF8.self), #"{"magnitude":1024.5}"#)
    XCTAssertEqual(try JSONDecoder().decode(Stride.self, from: coded), 1024.5)
  }

  func testTimes() throws {
    try checkTimes(RunLoop.SchedulerTimeType.self)
    try checkTimes(OperationQueue.SchedulerTimeType.self)
  }

  func testStrides() throws {
    try checkStrides(RunLoop.SchedulerTimeType.Stride.self)
    try checkStrides(OperationQueue.SchedulerTimeType.Stride.self)
  }
}
