import XCTest

@testable import SluiceDevices

final class EdgeLossTests: XCTestCase {
  private func check(_ loss: inout EdgeLoss, _ rising: Bool, _ seqno: UInt32?, at time: UInt64 = 1) -> EdgeLoss.Finding
  {
    loss.check(rising: rising, time: time, seqno: seqno)
  }

  func testGapsInTheNumbersAreExact() {
    var loss = EdgeLoss(alternates: true)
    XCTAssertEqual(check(&loss, true, 1), EdgeLoss.Finding())
    XCTAssertEqual(check(&loss, false, 2), EdgeLoss.Finding())
    XCTAssertEqual(check(&loss, false, 6), EdgeLoss.Finding(skipped: 3), "the numbers explain the repetition")
    XCTAssertEqual(check(&loss, true, 7), EdgeLoss.Finding())
  }

  func testTheFirstNumberCountsToo() {
    var loss = EdgeLoss(alternates: true)
    XCTAssertEqual(check(&loss, true, 5).skipped, 4)
  }

  func testNumbersGoAround() {
    var loss = EdgeLoss(alternates: false)
    _ = check(&loss, true, .max)
    XCTAssertEqual(check(&loss, true, 2).skipped, 2, "0 and 1")
    loss.pass(seqno: .max - 1)
    XCTAssertEqual(check(&loss, true, 0).skipped, 1, "the last before 0")
    XCTAssertEqual(check(&loss, true, 1).skipped, 0)
    XCTAssertEqual(check(&loss, true, 3).skipped, 1)
    loss.pass(seqno: .max - 1)
    XCTAssertEqual(check(&loss, true, .max).skipped, 0)
    XCTAssertEqual(check(&loss, true, 0).skipped, 0)
  }

  func testTheNumberOfSkippedEdgesSaysWhichMustFollow() {
    for (skipped, rising, repeated) in [(1, true, false), (1, false, true), (2, true, true), (2, false, false)] {
      var loss = EdgeLoss(alternates: true)
      loss.begin(level: true, isRight: false)
      XCTAssertEqual(
        check(&loss, rising, UInt32(skipped + 1)),
        EdgeLoss.Finding(skipped: skipped, repeated: repeated), "\(skipped) \(rising)")
    }
  }

  func testTheFirstEdgeMayNotEqualTheInitialLevel() {
    for rising in [true, false] {
      var loss = EdgeLoss(alternates: true)
      loss.begin(level: true, isRight: true)
      XCTAssertEqual(check(&loss, rising, nil), EdgeLoss.Finding(repeated: rising))
    }
  }

  func testEqualEdgesInARow() {
    var loss = EdgeLoss(alternates: true)
    XCTAssertFalse(check(&loss, true, nil).repeated)
    XCTAssertTrue(check(&loss, true, nil).repeated)
    XCTAssertFalse(check(&loss, false, nil).repeated)
    var rising = EdgeLoss(alternates: false)
    _ = check(&rising, true, nil)
    XCTAssertEqual(check(&rising, true, nil), EdgeLoss.Finding(), "only rising edges were asked for")
    XCTAssertEqual(check(&rising, true, nil, at: 9_000_000_000), EdgeLoss.Finding())
    XCTAssertFalse(rising.settle(at: 99_000_000_000, after: 0))
  }

  /// What is said to be lost is the least loss of any history that explains the edges: of every order of up to eight
  /// edges, with a known and an unknown level before them, and of up to six edges wherever the line was still.
  func testTheBoundIsTheLeastLossOfAnyHistory() {
    var (orders, losses) = (0, 0)
    for count in 0...8 {
      for bits in 0..<(1 << count) {
        let directions = (0..<count).map { bits >> $0 & 1 == 1 }
        for pauses in 0..<(count <= 6 ? 1 << count : 1) {
          // Of the longer ones, the line is still behind the last edge, or never.
          for stills in count <= 6 ? [pauses] : [0, 1 << (count - 1)] {
            let isStill = (0..<count).map { stills >> $0 & 1 == 1 }
            for initial in [nil, false, true] {
              let least = EdgeHistories(directions: directions, stills: isStill, initial: initial).leastLoss
              let bound = bound(directions, isStill, initial)
              if bound != least {
                return XCTFail("\(directions) \(isStill) \(String(describing: initial)): \(bound), \(least)")
              }
              (orders, losses) = (orders + 1, losses + least)
            }
          }
        }
      }
    }
    XCTAssertEqual(orders, 3 * ((0...6).reduce(0) { $0 + 1 << (2 * $1) } + 2 * (128 + 256)))
    XCTAssertGreaterThan(losses, orders / 4)
  }

  private func bound(_ directions: [Bool], _ stills: [Bool], _ initial: Bool?) -> Int {
    var loss = EdgeLoss(alternates: true)
    loss.begin(level: initial, isRight: initial != nil)
    var (time, bound) = (UInt64(7), 0)
    for (rising, isStill) in zip(directions, stills) {
      if check(&loss, rising, nil, at: time).mismatched { bound += 1 }
      time += isStill ? EdgeLoss.stillness + 1 : EdgeLoss.stillness
    }
    // As much later as the next edge would be.
    return bound + (loss.settle(at: time, after: EdgeLoss.stillness) ? 1 : 0)
  }

  /// One level that was read late makes two equal pairs, and nothing is lost.
  func testALateReadingIsNoLoss() {
    XCTAssertEqual(bound([true, true, true, false], [false, false, false, true], false), 0)
    XCTAssertEqual(bound([true, false, false, true], [false, false, false, true], false), 1)
    XCTAssertEqual(bound([true, true], [true, true], nil), 1, "far apart")
  }

  /// The clock of old kernels may be set back.
  func testATimeThatGoesBackIsNoPause() {
    var loss = EdgeLoss(alternates: true)
    _ = check(&loss, true, nil, at: 9_000_000_000)
    XCTAssertEqual(check(&loss, true, nil, at: 1), EdgeLoss.Finding(repeated: true))
    XCTAssertFalse(loss.settle(at: 0, after: 0))
  }
}
