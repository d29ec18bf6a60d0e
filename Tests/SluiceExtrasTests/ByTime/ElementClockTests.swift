import XCTest

@testable import SluiceExtras

final class ElementClockTests: XCTestCase {
  private func course<Time: Strideable>(of times: [Time], _ interval: Time.Stride?) -> String {
    var clock = ElementClock<Time>(interval: interval)
    return times.map { time in
      switch clock.advance(to: time, isMark: false) {
      case .onward: "onward"
      case .late: "late"
      case .anew: "anew"
      }
    }.joined(separator: " ")
  }

  func testLateByOneIntervalAtMost() {
    XCTAssertEqual(course(of: [10, 15, 12, 10, 15, 9, 12] as [Int64], 5), "onward onward late late onward anew onward")
    XCTAssertEqual(course(of: [1.0, 2.0, 1.5, 1.4], 0.5), "onward onward late anew")
    XCTAssertEqual(course(of: [10, 0] as [Int64], nil), "onward onward", "nothing is late where no interval ends")
    XCTAssertEqual(course(of: [10, 10, 9], 0), "onward onward anew")
    XCTAssertEqual(course(of: [10, 10, 9], -5), "onward onward anew")
  }

  func testTheEndsOfEveryInteger() {
    XCTAssertEqual(course(of: [Int64.max, .min, .max], .max), "onward anew onward")
    XCTAssertEqual(course(of: [Int64(-1), .min], .max), "onward late")
    XCTAssertEqual(course(of: [Int64(0), .min], .max), "onward anew")
    XCTAssertEqual(course(of: [Int.max, .min], 1), "onward anew")
    XCTAssertEqual(course(of: [.max, .max - 5, .max - 6, 0] as [UInt64], 5), "onward late anew anew")
    let clock = ElementClock<Int64>(interval: .max)
    XCTAssertFalse(clock.hasEnded(.min, at: -2))
    XCTAssertTrue(clock.hasEnded(.min, at: -1))
    XCTAssertTrue(clock.hasEnded(.min, at: .max))
    XCTAssertFalse(clock.hasEnded(.max, at: .max))
  }
}
