import XCTest

@testable import SluiceAnalysis
@testable import SluicePipeline

final class TimeAxisTests: XCTestCase {
  private static let second: Int64 = 1_000_000_000

  /// - Parameter ticks: How many there are at most.
  private func axis(
    _ from: Int64, _ to: Int64, _ clock: PlotClock = .relative, zero: Int64 = 0, ticks: Int = 6
  ) -> TimeAxis {
    TimeAxis(from...to, clock, zero: zero) { $0.count <= ticks }
  }

  private func time(_ text: String) throws -> Int64 {
    guard case .date(let time, _) = try XCTUnwrap(PlotInstant(text)) else { throw XCTSkip("no date") }
    return time
  }

  func testRelativeTimesAreInOneUnit() {
    func said(_ length: Int64) -> String {
      let axis = axis(0, length)
      return axis.ticks.map(\.label).joined(separator: " ") + " " + axis.title
    }
    XCTAssertEqual(said(900), "0 200 400 600 800 time (ns)")
    XCTAssertEqual(said(900_000), "0 200 400 600 800 time (us)")
    XCTAssertEqual(said(2_000_000_000), "0 500 1000 1500 2000 time (ms)")
    XCTAssertEqual(said(135 * Self.second), "0 30 60 90 120 time (s)")
    XCTAssertEqual(said(400 * Self.second), "0 2 4 6 time (min)")
    XCTAssertEqual(said(26 * 3_600 * Self.second), "0 6 12 18 24 time (h)")
    XCTAssertEqual(said(30 * 86_400 * Self.second), "0 10 20 30 time (d)")
  }

  func testTimesCountFromTheFirstReading() {
    let axis = axis(105 * Self.second, 108 * Self.second, zero: 100 * Self.second)
    XCTAssertEqual(axis.ticks.map(\.label), ["5", "6", "7", "8"])
    XCTAssertEqual(axis.ticks.map(\.position), [0, 1.0 / 3, 2.0 / 3, 1])
  }

  func testAShortStretchFarFromTheFirstReading() {
    let start = 1_000 * Self.second + 250
    let axis = axis(start, start + 1_000)
    XCTAssertEqual(axis.ticks.map(\.label), ["400", "600", "800", "1000", "1200"])
    XCTAssertEqual(axis.title, "time (ns after 1000.000000000 s)")
  }

  func testTimesOfDay() throws {
    let start = try time("2026-11-21T14:55:07Z")
    var axis = axis(start, start + 135 * Self.second, .utc)
    XCTAssertEqual(axis.ticks.map(\.label), ["14:55:30", "14:56:00", "14:56:30", "14:57:00"])
    XCTAssertEqual(axis.ticks.map(\.detail), ["2026-11-21", "", "", ""])
    XCTAssertEqual(axis.title, "time (UTC)")
    axis = self.axis(start, start + 200_000_000, .utc)
    XCTAssertEqual(
      axis.ticks.map(\.label),
      ["14:55:07.00", "14:55:07.05", "14:55:07.10", "14:55:07.15", "14:55:07.20"])
    axis = self.axis(start + 1_000, start + 1_500, .utc)
    XCTAssertEqual(axis.ticks.map(\.label), ["0", "100", "200", "300", "400", "500"])
    XCTAssertEqual(axis.title, "ns after 2026-11-21 14:55:07.000001 (UTC)")
  }

  func testTheDateStandsWhereItChanges() throws {
    let start = try time("2026-12-31T12:00:00Z")
    var axis = axis(start, start + 24 * 3_600 * Self.second, .utc, ticks: 5)
    XCTAssertEqual(axis.ticks.map(\.label), ["12:00", "18:00", "00:00", "06:00", "12:00"])
    XCTAssertEqual(axis.ticks.map(\.detail), ["2026-12-31", "", "2027-01-01", "", ""])
    axis = self.axis(start, start + 5 * 86_400 * Self.second, .utc)
    XCTAssertEqual(axis.ticks.map(\.label), ["01-01", "01-02", "01-03", "01-04", "01-05"])
    XCTAssertEqual(axis.ticks.map(\.detail), ["2027", "", "", "", ""])
  }

  func testLocalTimeOverAChangeOfTheClocks() throws {
    let before = getenv("TZ").map { String(cString: $0) }
    setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1)
    tzset()
    defer {
      if let before { setenv("TZ", before, 1) } else { unsetenv("TZ") }
      tzset()
    }
    // 29 March 2026, 2:00: the clocks go to 3:00.
    let start = try time("2026-03-28T23:00:00Z")
    let axis = axis(start, start + 24 * 3_600 * Self.second, .local)
    XCTAssertEqual(axis.ticks.map(\.label), ["00:00", "06:00", "12:00", "18:00", "00:00"])
    XCTAssertEqual(axis.ticks.map(\.detail), ["2026-03-29", "", "", "", "2026-03-30"])
    XCTAssertEqual(axis.ticks[1].position, 5.0 / 24, accuracy: 1e-12)
    XCTAssertEqual(axis.title, "local time (CET, UTC+01:00, then CEST, UTC+02:00)")
    XCTAssertEqual(PlotInstant("2026-03-29T06:00:00")?.time(first: 0, .local), start + 5 * 3_600 * Self.second)
    XCTAssertEqual(PlotInstant("2026-03-29T06:00:00Z")?.time(first: 0, .local), start + 7 * 3_600 * Self.second)
  }

  func testAnyTimes() {
    for clock in PlotClock.allCases {
      for _ in 0..<400 {
        let from = Int64.random(in: .min ... .max) >> Int64.random(in: 0...60)
        let (to, overflow) = from.addingReportingOverflow(
          (Int64.random(in: 1 ... .max) >> Int64.random(in: 0...60)) + 1)
        let axis = axis(from, overflow ? .max : max(to, from + 1), clock, zero: from >> 3, ticks: 12)
        XCTAssertLessThanOrEqual(axis.ticks.count, 12)
        XCTAssertTrue(zip(axis.ticks, axis.ticks.dropFirst()).allSatisfy { $0.position < $1.position })
        XCTAssertTrue(axis.ticks.allSatisfy { (0...1).contains($0.position) })
      }
    }
    for clock in [PlotClock.utc, .local] {
      for length: Int64 in [1, 5_000] {
        XCTAssertLessThanOrEqual(axis(Int64.min, Int64.min + length, clock, ticks: 12).ticks.count, 12)
        XCTAssertLessThanOrEqual(axis(Int64.max - length, Int64.max, clock, ticks: 12).ticks.count, 12)
      }
    }
    XCTAssertLessThanOrEqual(axis(.min, .max, .utc).ticks.count, 6)
    XCTAssertLessThanOrEqual(axis(.min, .max, zero: .max).ticks.count, 6)
  }

  func testANarrowPictureHasSecondsInsteadOfClockTimes() {
    let start: Int64 = 1_795_240_984_178_796_662
    let axis = TimeAxis(start...start + 4_000_000_000, .utc, zero: 0) { ticks in
      ticks.allSatisfy { $0.label.count <= 3 }
    }
    XCTAssertEqual(axis.title, "time (s)")
    XCTAssertEqual(axis.ticks.first?.position, 0)
    XCTAssertEqual(axis.ticks.first?.label.first, "0")
  }

  func testWithoutRoomThereAreNoTicks() {
    let axis = TimeAxis(0...1_000_000_000, .relative, zero: 0) { $0.isEmpty }
    XCTAssertEqual(axis.ticks, [])
    XCTAssertEqual(axis.title, "time (ms)")
  }
}
