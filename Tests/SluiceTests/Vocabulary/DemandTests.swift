import Foundation
import Sluice
import XCTest

final class DemandTests: XCTestCase {
  typealias Demand = Subscribers.Demand

  func testAddsUpAndSaturates() {
    XCTAssertEqual(Demand.max(2) + .max(3), .max(5))
    XCTAssertEqual(Demand.max(2) + 3 - 1, .max(4))
    XCTAssertEqual(Demand.max(.max) + .max(1), .unlimited)
    XCTAssertEqual(Demand.max(.max) + 1, .unlimited)
    XCTAssertEqual(Demand.unlimited + .unlimited, .unlimited)
    XCTAssertEqual(Demand.max(.max) * 2, .unlimited)
    XCTAssertEqual(Demand.unlimited - .max(5), .unlimited)
    XCTAssertEqual(Demand.unlimited - 5, .unlimited)
    XCTAssertEqual(Demand.max(5) - .unlimited, .none)
  }

  func testComparesWithDemandsAndNumbers() {
    XCTAssertTrue(Demand.max(.max) < .unlimited)
    XCTAssertTrue(Demand.none < .max(1))
    XCTAssertTrue(Demand.unlimited > Int.max)
    XCTAssertTrue(Demand.max(3) == 3 && 3 == Demand.max(3) && Demand.unlimited != 3)
    XCTAssertTrue(2 < Demand.max(3) && Demand.max(3) >= 3 && 4 > Demand.max(3) && Demand.max(3) <= 3)
    XCTAssertFalse(Demand.unlimited <= Int.max)
    XCTAssertTrue(-1 < Demand.none)
    XCTAssertNil(Demand.unlimited.max)
    XCTAssertEqual(Demand.max(7).max, 7)
  }

  func testDescribesAndCodesItself() throws {
    XCTAssertEqual("\(Demand.unlimited) \(Demand.max(2)) \(Demand.none)", "unlimited max(2) max(0)")
    for demand in [Demand.unlimited, .none, .max(42)] {
      let data = try JSONEncoder().encode([demand])
      XCTAssertEqual(try JSONDecoder().decode([Demand].self, from: data), [demand])
    }
  }
}
