import XCTest

@testable import SluiceAnalysis

final class PlotInstantTests: XCTestCase {
  func testForms() {
    XCTAssertEqual(PlotInstant("1.5s"), .offset(1_500_000_000))
    XCTAssertEqual(PlotInstant("-10m"), .beforeEnd(600_000_000_000))
    XCTAssertEqual(PlotInstant("13:00"), .timeOfDay(13 * TimeStep.hour))
    XCTAssertEqual(PlotInstant("7:05:09.25"), .timeOfDay(7 * TimeStep.hour + 5 * TimeStep.minute + 9_250_000_000))
    for text in [
      "24:00", "12:60", "12:00:60", "12", "12:", ":30", "12:00:", "12:00:00.", "12:00:00.1234567890", "-5", "--5s",
      "12:+1",
    ] {
      XCTAssertNil(PlotInstant(text), text)
    }
  }

  /// A trace from 12:00:00Z to 12:00:40Z on a day, one reading a second.
  private func plot(_ from: String?, _ to: String?, start: Int64 = 43_200) throws -> Plot {
    let day: Int64 = 20_000 * 86_400
    let rows = (0...40).map { "\((day + start + Int64($0)) * 1_000_000_000),\($0)\n" }.joined()
    return try Plot(csv: "time_ns,x\n" + rows, Plot.Options(from: from, to: to))
  }

  private func seconds(_ plot: Plot) -> [Int64] {
    [plot.times.lowerBound, plot.times.upperBound].map { $0 / 1_000_000_000 - 20_000 * 86_400 }
  }

  func testTimesOfDay() throws {
    XCTAssertEqual(seconds(try plot("12:00:10", "12:00:20")), [43_210, 43_220])
    XCTAssertEqual(seconds(try plot(nil, "12:00:20")), [43_200, 43_220])
    XCTAssertEqual(seconds(try plot("12:00:30", nil)), [43_230, 43_240])
    // Over midnight: the end is on the next day.
    XCTAssertEqual(seconds(try plot("23:59:50", "0:00:05", start: 86_380)), [86_390, 86_405])
    // The window is not before the first reading: it is on the day after.
    XCTAssertEqual(seconds(try plot("0:00:02", "0:00:12", start: 86_380)), [86_402, 86_412])
    XCTAssertThrowsError(try Plot(csv: "time_s,x\n1,1\n2,2\n", Plot.Options(from: "13:00"))) { error in
      XCTAssertTrue("\(error)".contains("--from is a time of day"), "\(error)")
    }
  }
}
