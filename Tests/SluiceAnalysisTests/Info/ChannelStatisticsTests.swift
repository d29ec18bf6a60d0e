import SluiceReadings
import XCTest

@testable import SluiceAnalysis
@testable import SluicePipeline

final class ChannelStatisticsTests: XCTestCase {
  private func statistics(_ texts: [String]) throws -> ChannelStatistics {
    var statistics = ChannelStatistics()
    for text in texts { statistics.add(text.isEmpty ? .missing : try XCTUnwrap(ExactDecimal(text))) }
    return statistics
  }

  func testValuesOfDifferentExponents() throws {
    let found = try statistics(["1.5", "-2", "0.125", "", "1e3", "-2.00", "7e-10"])
    XCTAssertEqual(found.count, 6)
    XCTAssertEqual(found.missing, 1)
    XCTAssertEqual(found.smallest.description, "-2")
    XCTAssertEqual(found.largest.description, "1000")
    XCTAssertEqual(try XCTUnwrap(found.mean), (1.5 - 2 + 0.125 + 1_000 - 2 + 7e-10) / 6, accuracy: 1e-12)
  }

  func testNothing() throws {
    XCTAssertNil(try statistics([]).mean)
    XCTAssertTrue(try statistics([""]).smallest.isMissing)
  }

  func testASumThatDoesNotFitIn64Bits() throws {
    let large = Array(repeating: "9223372036854775807", count: 5) + ["1"]
    let mean = try XCTUnwrap(try statistics(large).mean)
    XCTAssertEqual(mean, 5 * 9.223372036854775807e18 / 6, accuracy: 1e4)
  }

  /// A plain sum of floating-point numbers would lose the small ones.
  func testSmallValuesBesideLargeOnes() throws {
    let found = try statistics(["1e17", "0.5", "-1e17", "0.5"])
    XCTAssertEqual(try XCTUnwrap(found.mean), 0.25, accuracy: 1e-9)
  }

  func testComparingIsExact() throws {
    let pairs = [
      ("0.1", "0.10000000000000001"), ("900719925474099.3", "900719925474099.301"), ("-1", "1"),
      ("0", "1e-90"), ("-1e-90", "0.0"),
    ]
    for pair in pairs {
      let (a, b) = (try XCTUnwrap(ExactDecimal(pair.0), pair.0), try XCTUnwrap(ExactDecimal(pair.1), pair.1))
      XCTAssertTrue(a.isLess(than: b), "\(a) \(b)")
      XCTAssertFalse(b.isLess(than: a), "\(a) \(b)")
    }
    let (one, same) = (try XCTUnwrap(ExactDecimal("1.0")), try XCTUnwrap(ExactDecimal("1")))
    XCTAssertFalse(one.isLess(than: same))
    XCTAssertFalse(same.isLess(than: one))
  }
}
