#if SLUICE_MQTT
  import XCTest

  @testable import SluiceSend

  final class ListedGapsTests: XCTestCase {
    private func gaps(_ board: String, _ count: Int) -> [LandGap] {
      (0..<UInt64(count)).map { LandGap(board: board, epoch: "ab", numbers: 2 * $0..<2 * $0 + 1) }
    }

    private func shown(_ list: ListedGaps) -> [String] {
      list.lines.map { "\($0.gap.board) \($0.gap.numbers.lowerBound)\($0.others > 0 ? " +\($0.others)" : "")" }
    }

    func testABoardDoesNotHideTheGapsOfOthers() {
      let list = ListedGaps([[gaps("a", 1_000)], [gaps("b", 2)], [gaps("c", 1), gaps("d", 3)]], most: 8)
      XCTAssertEqual(shown(list), ["a 0", "a 2", "a 4 +997", "b 0", "b 2", "c 0", "d 0", "d 2 +1"])
      XCTAssertEqual([list.boards, list.gaps], [0, 0])
    }

    /// Whoever may publish below one level can make up boards there.
    func testManyBoardsOfOneLevelDoNotHideOthers() {
      let list = ListedGaps([(0..<500).map { gaps("a\($0)", 3) }, [gaps("b", 9)]], most: 6)
      XCTAssertEqual(shown(list), ["a0 0 +2", "a1 0 +2", "a2 0 +2", "b 0", "b 2", "b 4 +6"])
      XCTAssertEqual([list.boards, list.gaps], [497, 497 * 3])
    }

    func testAFewAreAllListed() {
      XCTAssertEqual(shown(ListedGaps([[gaps("a", 2)], [gaps("b", 1)]], most: 100)), ["a 0", "a 2", "b 0"])
      XCTAssertEqual(ListedGaps([], most: 100).lines, [])
      XCTAssertEqual(ListedGaps([[[]]], most: 100).boards, 0)
    }
  }
#endif
