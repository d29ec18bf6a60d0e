import XCTest

@testable import SluiceDevices

final class EdgeLossTests: XCTestCase {
  func testGapsInTheNumbersAreExact() {
    var loss = EdgeLoss(alternates: true)
    XCTAssertEqual(loss.check(rising: true, seqno: 1), EdgeLoss.Finding())
    XCTAssertEqual(loss.check(rising: false, seqno: 2), EdgeLoss.Finding())
    XCTAssertEqual(
      loss.check(rising: false, seqno: 6), EdgeLoss.Finding(skipped: 3), "the numbers explain the repetition")
    XCTAssertEqual(loss.check(rising: true, seqno: 7), EdgeLoss.Finding())
  }

  func testTheFirstNumberCountsToo() {
    var loss = EdgeLoss(alternates: true)
    XCTAssertEqual(loss.check(rising: true, seqno: 5).skipped, 4)
  }

  func testNumbersGoAround() {
    var loss = EdgeLoss(alternates: false)
    _ = loss.check(rising: true, seqno: .max)
    XCTAssertEqual(loss.check(rising: true, seqno: 2).skipped, 2, "0 and 1")
    loss.pass(seqno: .max - 1)
    XCTAssertEqual(loss.check(rising: true, seqno: 0).skipped, 1, "the last before 0")
    XCTAssertEqual(loss.check(rising: true, seqno: 1).skipped, 0)
    XCTAssertEqual(loss.check(rising: true, seqno: 3).skipped, 1)
    loss.pass(seqno: .max - 1)
    XCTAssertEqual(loss.check(rising: true, seqno: .max).skipped, 0)
    XCTAssertEqual(loss.check(rising: true, seqno: 0).skipped, 0)
  }

  func testTheNumberOfSkippedEdgesSaysWhichMustFollow() {
    for (skipped, rising, repeated) in [(1, true, false), (1, false, true), (2, true, true), (2, false, false)] {
      var loss = EdgeLoss(alternates: true, level: true)
      XCTAssertEqual(
        loss.check(rising: rising, seqno: UInt32(skipped + 1)),
        EdgeLoss.Finding(skipped: skipped, repeated: repeated), "\(skipped) \(rising)")
    }
  }

  func testTheFirstEdgeMayNotEqualTheInitialLevel() {
    var loss = EdgeLoss(alternates: true, level: true)
    XCTAssertTrue(loss.check(rising: true, seqno: nil).repeated)
    loss = EdgeLoss(alternates: true, level: false)
    XCTAssertFalse(loss.check(rising: true, seqno: nil).repeated)
  }

  func testEqualEdgesInARow() {
    var loss = EdgeLoss(alternates: true)
    XCTAssertFalse(loss.check(rising: true, seqno: nil).repeated)
    XCTAssertTrue(loss.check(rising: true, seqno: nil).repeated)
    XCTAssertFalse(loss.check(rising: false, seqno: nil).repeated)
    var rising = EdgeLoss(alternates: false)
    _ = rising.check(rising: true, seqno: nil)
    XCTAssertFalse(rising.check(rising: true, seqno: nil).repeated, "only rising edges were asked for")
  }
}
