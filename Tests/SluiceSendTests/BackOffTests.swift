import XCTest

@testable import SluiceSend

final class BackOffTests: XCTestCase {
  func testPausesDoubleUpToTheLongestAndAreShortenedAtRandom() {
    var backOff = BackOff(1_000...60_000, seed: 7)
    var whole: Int64 = 1_000
    for _ in 0..<10 {
      let pause = backOff.pause(atLeast: nil)
      XCTAssertTrue((whole / 2...whole).contains(pause), "\(pause) of \(whole)")
      whole = min(2 * whole, 60_000)
    }
    backOff.reset()
    XCTAssertTrue((500...1_000).contains(backOff.pause(atLeast: nil)))
  }

  func testTheServersPauseIsKept() {
    var backOff = BackOff(1_000...60_000, seed: 7)
    for _ in 0..<20 { XCTAssertTrue((300_000...330_000).contains(backOff.pause(atLeast: 300_000))) }
  }

  func testTwoBoardsDoNotComeBackTogether() {
    let pauses = (0..<100 as Range<UInt64>).map { seed -> Int64 in
      var backOff = BackOff(1_000_000...1_000_000, seed: seed)
      return backOff.pause(atLeast: nil)
    }
    XCTAssertEqual(Set(pauses).count, 100)
  }
}
