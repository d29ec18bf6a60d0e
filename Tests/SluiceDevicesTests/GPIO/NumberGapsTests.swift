import XCTest

@testable import SluiceDevices

final class NumberGapsTests: XCTestCase {
  func testGapsOfARequestCountWhateverTheOrder() {
    var gaps = NumberGaps()
    for seqno: UInt32 in [2, 1, 3, 7] { gaps.add(seqno) }
    XCTAssertEqual(gaps.missing, 3)
    gaps.add(5)
    XCTAssertEqual(gaps.missing, 2)
    gaps = NumberGaps()
    for seqno: UInt32 in [0x7FFF_FFFF, 0xFFFF_FFFE] { gaps.add(seqno) }
    let before = gaps.missing
    for seqno: UInt32 in [0xFFFF_FFFF, 0, 3, 2] { gaps.add(seqno) }
    XCTAssertEqual(gaps.missing - before, 1, "1 is missing")
  }
}
