#if SLUICE_MQTT
  import XCTest

  @testable import SluiceSend

  final class LandedNewsTests: XCTestCase {
    private func gap(_ numbers: Range<UInt64>, _ epoch: String = "ab") -> LandGap {
      LandGap(board: "b", epoch: epoch, numbers: numbers)
    }

    private func texts(_ news: [Land.News]) -> [String] {
      news.map { news in
        switch news {
        case .gap(let gap, let others): "gap \(gap.numbers) and \(others)"
        case .closed(let gap): "closed \(gap.numbers)"
        case .shared(let board, let count): "\(board) shares \(count)"
        default: "\(news)"
        }
      }
    }

    private let second: Int64 = 1_000_000_000

    func testAGapIsToldAfterAWhileAndOnce() {
      var news = LandedNews()
      XCTAssertEqual(texts(news.update([gap(3..<5)], at: 0, isOld: false)), [])
      XCTAssertEqual(texts(news.update([gap(3..<5)], at: 29 * second, isOld: false)), [])
      XCTAssertEqual(texts(news.update([gap(3..<5)], at: 30 * second, isOld: false)), ["gap 3..<5 and 0"])
      XCTAssertEqual(texts(news.update([gap(3..<5)], at: 300 * second, isOld: false)), [])
      XCTAssertEqual(texts(news.update([], at: 301 * second, isOld: false)), ["closed 3..<5"])
    }

    func testAGapThatClosesSoonIsNotTold() {
      var news = LandedNews()
      for time in 0..<10 { XCTAssertEqual(texts(news.update([gap(3..<5)], at: Int64(time), isOld: false)), []) }
      XCTAssertEqual(texts(news.update([], at: 400 * second, isOld: false)), [])
      XCTAssertEqual(texts(news.update([gap(3..<5)], at: 401 * second, isOld: false)), [], "it is a new one")
    }

    func testGapsOfAnEarlierRunAreToldAtOnceInOneLine() {
      var news = LandedNews()
      let gaps = [gap(30..<40, "cd"), gap(3..<5), gap(7..<8)]
      XCTAssertEqual(texts(news.update(gaps, at: 0, isOld: true)), ["gap 3..<5 and 2"])
      // One of the others closes without a word, as its numbers were not told.
      XCTAssertEqual(texts(news.update([gap(3..<5)], at: second, isOld: false)), [])
      // A part of it is left.
      XCTAssertEqual(texts(news.update([gap(4..<5)], at: 2 * second, isOld: false)), [])
      XCTAssertEqual(texts(news.update([gap(4..<5)], at: 40 * second, isOld: false)), [])
      XCTAssertEqual(texts(news.update([gap(4..<5)], at: 60 * second, isOld: false)), ["gap 4..<5 and 0"])
    }

    /// A board that makes gaps without end has a line per minute.
    func testALinePerMinute() {
      var news = LandedNews()
      var lines = 0
      for time in 0..<600 as Range<UInt64> {
        lines += news.update([gap(time * 10..<time * 10 + 5)], at: Int64(time) * second / 2, isOld: true).count {
          if case .gap = $0 { true } else { false }
        }
      }
      XCTAssertEqual(lines, 5)
    }

    func testNumbersOfTwoRuns() {
      var news = LandedNews()
      XCTAssertEqual(texts(news.update("b", shared: 0, at: 0)), [])
      XCTAssertEqual(texts(news.update("b", shared: 5, at: 1)), ["b shares 5"])
      XCTAssertEqual(texts(news.update("b", shared: 9, at: 59 * second)), [])
      XCTAssertEqual(texts(news.update("b", shared: 9, at: 61 * second)), ["b shares 9"])
      XCTAssertEqual(texts(news.update("b", shared: 9, at: 200 * second)), [])
    }
  }
#endif
