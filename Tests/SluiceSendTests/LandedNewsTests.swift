#if SLUICE_MQTT
  import XCTest

  @testable import SluiceSend

  final class LandedNewsTests: XCTestCase {
    private var news = LandedNews()
    /// Gaps that are there, but not among the first ones.
    private var hidden: [LandGap] = []

    private func gap(_ numbers: Range<UInt64>, _ board: String = "b") -> LandGap {
      LandGap(board: board, epoch: "ab", numbers: numbers)
    }

    /// - Parameter time: In seconds.
    private func next(
      _ gaps: [LandGap] = [], _ shared: [String: Int] = [:], at time: Int64, isOld: Bool = false
    ) -> String? {
      let open = gaps + hidden
      let news = news.next(gaps, shared: shared, at: time * 1_000_000_000, isOld: isOld) { gap in
        open.contains { $0.board == gap.board && $0.numbers.overlaps(gap.numbers) }
      }
      return switch news {
      case .gap(let gap, let others): "gap \(gap.board) \(gap.numbers) and \(others)"
      case .closed(let gap): "closed \(gap.numbers)"
      case .shared(let board, let count, let others): "\(board) shares \(count) and \(others)"
      case .state(let board, let word, let others): "\(board) \(word) and \(others)"
      case .strange(let topic, _, let count): "\(topic) \(count)"
      case let other?: "\(other)"
      case nil: nil
      }
    }

    func testAGapIsToldAfterAWhileAndOnce() {
      XCTAssertNil(next([gap(3..<5)], at: 0))
      XCTAssertNil(next([gap(3..<5)], at: 29))
      XCTAssertEqual(next([gap(3..<5)], at: 30), "gap b 3..<5 and 0")
      XCTAssertNil(next([gap(3..<5)], at: 300))
      XCTAssertEqual(next(at: 301), "closed 3..<5")
      XCTAssertNil(next(at: 500))
    }

    func testAGapThatClosesSoonIsNotTold() {
      for time in 0..<10 as Range<Int64> { XCTAssertNil(next([gap(3..<5)], at: time)) }
      XCTAssertNil(next(at: 400))
      XCTAssertNil(next([gap(3..<5)], at: 401), "it is a new one")
    }

    func testGapsOfAnEarlierRunAreToldAtOnceInOneLine() {
      XCTAssertEqual(next([gap(30..<40, "c"), gap(7..<8), gap(3..<5)], at: 0, isOld: true), "gap b 3..<5 and 2")
      // The others close without a word, as their numbers were not told, and a part of the first is left.
      XCTAssertNil(next([gap(4..<5)], at: 61))
      XCTAssertEqual(next([gap(4..<5)], at: 91), "gap b 4..<5 and 0")
      XCTAssertEqual(next(at: 160), "closed 4..<5")
    }

    /// Of very many gaps, only the first ones are looked at.
    func testAGapThatIsNotListedIsNotClosed() {
      XCTAssertEqual(next([gap(3..<5)], at: 0, isOld: true), "gap b 3..<5 and 0")
      hidden = [gap(3..<5)]
      XCTAssertNil(next(at: 100))
    }

    func testKindsTakeTurns() {
      var lines: [String] = []
      for time in 0..<600 as Range<Int64> {
        let first = UInt64(time) * 10
        news.see(["online", "ended", "gone"][Int(time / 60 % 3)], of: "evil")
        if let line = next([gap(first..<first + 5)], ["b": Int(time)], at: time, isOld: true) { lines.append(line) }
      }
      XCTAssertEqual(lines.count, 10)
      for part in ["gap", "shares", "evil"] { XCTAssertGreaterThan(lines.count { $0.contains(part) }, 1, "\(lines)") }
    }

    func testNumbersOfTwoRuns() {
      XCTAssertNil(next([], ["b": 0], at: 0))
      XCTAssertEqual(next([], ["b": 5, "c": 2], at: 1), "b shares 5 and 1")
      XCTAssertNil(next([], ["b": 9], at: 60))
      XCTAssertEqual(next([], ["b": 9], at: 61), "b shares 9 and 0")
      XCTAssertNil(next([], ["b": 9], at: 200))
    }

    func testStates() {
      news.see("online", of: "b")
      XCTAssertEqual(next(at: 0), "b online and 0")
      news.see("gone", of: "b")
      news.see("online", of: "b")
      XCTAssertNil(next(at: 100), "it is as it was told")
      for board in ["c", "d", "e"] { news.see("online", of: board) }
      XCTAssertEqual(next(at: 101), "c online and 2")
      news.see("gone", of: "d")
      XCTAssertNil(next(at: 160))
      XCTAssertEqual(next(at: 161), "d gone and 0")
      XCTAssertTrue(news.hasState(of: "e"))
      XCTAssertFalse(news.hasState(of: "f"))
    }

    /// Whatever boards do, there is a line per minute. What matters less comes when there is nothing else.
    func testALinePerMinute() {
      var lines: [String] = []
      for time in 0..<1_200 as Range<Int64> {
        if time < 900 { news.see(time % 2 == 0 ? "online" : "gone", of: "b\(time % 7)") }
        news.leaveOut("t", because: "x")
        let first = UInt64(time) * 10
        let gaps = time < 300 ? [gap(first..<first + 5)] : []
        if let line = next(gaps, ["b": Int(min(time, 600))], at: time, isOld: true) { lines.append(line) }
      }
      XCTAssertEqual(lines.count, 20)
      for part in ["gap", "shares", "online", "t "] { XCTAssertTrue(lines.contains { $0.contains(part) }, "\(lines)") }
    }
  }
#endif
