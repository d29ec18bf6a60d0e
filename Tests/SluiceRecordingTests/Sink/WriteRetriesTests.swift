import XCTest

@testable import SluiceRecording

final class WriteRetriesTests: XCTestCase {
  private let second: Int64 = 1_000_000_000

  func testThePausesGrowToTheLongest() {
    var retries = WriteRetries(100_000_000...5_000_000_000)
    XCTAssertEqual(
      (0..<8).map { retries.fail(at: $0).pause / 1_000_000 }, [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000])
    _ = retries.succeed(at: 8)
    XCTAssertEqual(retries.fail(at: 9).pause, second / 10)
  }

  func testAMessageComesAtOnceAndThenEachMinute() {
    var retries = WriteRetries(100_000_000...5_000_000_000)
    let told = (0..<150).compactMap { retries.fail(at: Int64($0) * second).awayFor.map { $0 / second } }
    XCTAssertEqual(told, [0, 60, 120])
    XCTAssertEqual(retries.succeed(at: 150 * second), 150 * second)
    XCTAssertNil(retries.succeed(at: 151 * second), "once")
  }

  func testShortInterruptionsAreNotToldOf() {
    var retries = WriteRetries(100_000_000...5_000_000_000)
    XCTAssertEqual(retries.fail(at: 0).awayFor, 0)
    XCTAssertEqual(retries.succeed(at: second), second)
    XCTAssertNil(retries.fail(at: 2 * second).awayFor)
    XCTAssertNil(retries.succeed(at: 3 * second))
    XCTAssertNil(retries.fail(at: 4 * second).awayFor)
    XCTAssertNil(retries.fail(at: 8 * second).awayFor)
    XCTAssertEqual(retries.fail(at: 9 * second).awayFor, 5 * second, "this one lasts")
    XCTAssertEqual(retries.succeed(at: 10 * second), 6 * second)
    XCTAssertNil(retries.fail(at: 68 * second).awayFor)
    XCTAssertEqual(retries.fail(at: 69 * second).awayFor, second, "a minute after the last message")
  }

  func testTheTimeIsNotAskedForWhileAllIsWell() {
    var retries = WriteRetries(100_000_000...5_000_000_000)
    XCTAssertNil(
      retries.succeed(
        at: {
          XCTFail("it was asked")
          return 0
        }()))
  }
}
