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
      let expected = times.filter { $0 >= lower ?? .min && $0 < upper ?? .max }
      for block in [1, 3, 50] {
        XCTAssertEqual(try passed(times, TraceWindow(from: from, to: to), block: block), expected)
      }
    }
  }

  func testTheEndsOfTime() throws {
    XCTAssertEqual(try passed([.max - 1, .max], TraceWindow(from: .after(1)), block: 2), [.max])
    XCTAssertEqual(try passed([.max - 1, .max], TraceWindow(from: .after(.max)), block: 2), [.max])
    XCTAssertEqual(try passed([5, .min, 7], TraceWindow(), block: 2), [5, .min, 7])
    XCTAssertEqual(try passed([5, .min, 7], TraceWindow(from: .after(0)), block: 2), [5, 7])
  }

  func testADateNeedsTimesThatAreDates() {
    XCTAssertThrowsError(try passed([0, 1], TraceWindow(to: .at(1_700_000_000_000_000_000)), block: 2)) { error in
      XCTAssertEqual(
        "\(error)",
        "cannot read a part of t.csv: its times are not dates, but 'to' is a date; give a time after its first reading, such as 10s"
      )
    }
  }
}
