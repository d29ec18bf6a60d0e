import SluiceReadings
import SluiceRecording
import XCTest

final class TraceWindowTests: XCTestCase {
  /// The times that pass a window, in blocks of several lengths.
  private func passed(_ times: [Int64], _ window: TraceWindow, block: Int) throws -> [Int64] {
    var cut = ReplayWindow(window, of: "t.csv")
    var passed: [Int64] = []
    for start in stride(from: 0, to: times.count, by: block) {
      let readings = times[start..<min(times.count, start + block)].map { time in
        var reading = Reading.empty
        reading.time = time
        return reading
      }
      passed += try cut.cut(readings[...]).map(\.time)
    }
    return passed
  }

  func testRandomWindows() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2_000 {
      let first = Int64.random(in: 1_700_000_000_000_000_000...1_700_000_001_000_000_000, using: &random)
      var times = [first]
      for _ in 0..<Int.random(in: 0...40, using: &random) {
        times.append(times[times.count - 1] + .random(in: 0...3, using: &random))
      }
      func bound() -> (TraceWindow.Bound?, Int64?) {
        let age = Int64.random(in: 0...60, using: &random)
        switch Int.random(in: 0...2, using: &random) {
        case 0: return (nil, nil)
        case 1: return (.after(age), first + age)
        default: return (.at(first + age - 5), first + age - 5)
        }
      }
      let (from, lower) = bound()
      let (to, upper) = bound()
      if let lower, let upper, upper <= lower {
        XCTAssertThrowsError(try passed(times, TraceWindow(from: from, to: to), block: 3))
        continue
      }
      let expected = times.filter { $0 >= lower ?? .min && $0 < upper ?? .max }
      for block in [1, 3, 50] {
        XCTAssertEqual(try passed(times, TraceWindow(from: from, to: to), block: block), expected)
      }
    }
  }

  func testTheEndsOfTime() throws {
    let last: [Int64] = [.max - 1, .max]
    let back: [Int64] = [5, .min, 7]
    XCTAssertEqual(try passed(last, TraceWindow(from: .after(1)), block: 2), [.max])
    XCTAssertEqual(try passed(last, TraceWindow(from: .after(.max)), block: 2), [])
    XCTAssertEqual(try passed(last, TraceWindow(to: .after(.max)), block: 2), last)
    XCTAssertEqual(try passed(back, TraceWindow(), block: 2), back)
    XCTAssertEqual(try passed(back, TraceWindow(from: .after(0)), block: 2), [5, 7])
  }

  func testATraceThatIsOutOfOrderMayBeginBehindTheEnd() throws {
    let day: Int64 = 1_700_000_000_000_000_000
    let window = TraceWindow(from: .at(day + 1), to: .at(day + 3))
    for block in [1, 3] {
      XCTAssertEqual(
        try passed([3, 0, 2, 1, 5, 2].map { day + $0 }, window, block: block), [day + 2, day + 1], "5 ends the read")
    }
  }

  func testADateNeedsTimesThatAreDates() {
    XCTAssertThrowsError(
      try passed([5_000_000_000, 6_000_000_000], TraceWindow(to: .at(1_700_000_000_000_000_000)), block: 2)
    ) { error in
      XCTAssertEqual(
        "\(error)",
        "cannot read a part of t.csv: 'to' is a date, but the first time of the trace, 5 s, is not: dates begin in 1971; "
          + "give a time after the first reading, such as 10s"
      )
    }
  }
}
