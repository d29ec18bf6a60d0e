import SluiceReadings
import SluiceRecording
import XCTest

@testable import SluiceAnalysis
@testable import SluicePipeline

final class PlotTests: XCTestCase {
  /// Rows of a stream `walk` at a fixed rate.
  private func rows(_ times: some Sequence<Int>, _ value: (Int) -> String = { "\($0)" }) -> String {
    "time_ns,x\n" + times.map { "\($0 * 1_000_000),\(value($0))\n" }.joined()
  }

  private func error(_ body: () throws -> Plot, line: UInt = #line) -> String {
    do {
      _ = try body()
      XCTFail("no error", line: line)
      return ""
    } catch {
      return "\(error)"
    }
  }

  private func series(_ plot: Plot) throws -> PlotSeries { try XCTUnwrap(plot.panels().first?.series.first) }

  // MARK: Values

  func testFewReadingsAreDrawnAsTheyAre() throws {
    let plot = try Plot(csv: "time_ns,x\n0,1.5\n1000,-2\n4000,3\n")
    let points = try series(plot).points(columns: 100)
    XCTAssertEqual(points.map(\.extent.first), [1.5, -2, 3])
    for (point, position) in zip(points, [0, 0.25, 1]) { XCTAssertEqual(point.position, position, accuracy: 0.001) }
    XCTAssertEqual(plot.times, 0...4_000)
  }

  func testNoSpikeVanishes() throws {
    let plot = try Plot(csv: rows(0..<20_000) { $0 == 7_777 ? "99" : $0 == 3_333 ? "-99" : "0" }, .init(width: 100))
    for columns in [1, 7, 100, 999] {
      let points = try series(plot).points(columns: columns)
      XCTAssertLessThanOrEqual(points.count, columns)
      XCTAssertEqual(points.map(\.extent.largest).max(), 99)
      XCTAssertEqual(points.map(\.extent.smallest).min(), -99)
    }
    XCTAssertEqual(try series(plot).values, -99...99)
  }

  func testValuesAreInTheirUnit() throws {
    let metadata = """
      {"tableSchema": {"columns": [{"titles": "time_ns"}, {"titles": "x"}, {"titles": "y"}]}, "sluice:values": "raw", "sluice:streams": [{"sluice:name": "imu", "sluice:channels": [
        {"sluice:name": "x", "sluice:unit": "g", "sluice:scale": -0.5, "sluice:offset": 2}, {"sluice:name": "y", "sluice:unit": "g", "sluice:scale": 1, "sluice:offset": 0}]}]}
      """
    let plot = try Plot(csv: "time_ns,x,y\n0,0,7\n1000,10,8\n", metadata: metadata)
    let panel = try XCTUnwrap(plot.panels().first)
    XCTAssertEqual(panel.kind, .values(unit: "g"))
    XCTAssertEqual(panel.series.map(\.values), [-6 ... -1, 7...8])
    XCTAssertEqual(panel.series[0].points(columns: 10).map(\.extent.first), [-1, -6])
  }

  func testMissingValuesAreLeftOut() throws {
    let plot = try Plot(csv: "time_ns,x,y\n0,1,\n1000,nan,\n2000,3,\n")
    let panel = try XCTUnwrap(plot.panels().first)
    XCTAssertEqual(panel.series[0].points(columns: 10).map(\.extent.first), [1, 3])
    XCTAssertEqual(panel.series[1].points(columns: 10), [])
    XCTAssertNil(panel.series[1].values)
  }

  func testLargeNumbers() throws {
    let metadata = """
      {"tableSchema": {"columns": [{"titles": "time_ns"}, {"titles": "x"}]}, "sluice:values": "raw",
       "sluice:streams": [{"sluice:name": "walk", "sluice:channels": [{"sluice:name": "x", "sluice:scale": 9000000000000000000}]}]}
      """
    let plot = try Plot(csv: "time_ns,x\n0,-9000000000000000000\n1000,9000000000000000000\n", metadata: metadata)
    XCTAssertEqual(try XCTUnwrap(series(plot).values).upperBound, 81e36, accuracy: 1e25)
    XCTAssertTrue(try SVGPlot(plot).text.contains(">1e36<"))
  }

  func testOneReadingHasRoom() throws {
    let plot = try Plot(csv: "time_ns,x\n7000000000,1\n")
    XCTAssertEqual(plot.times, 6_500_000_000...7_500_000_000)
    XCTAssertEqual(try series(plot).points(columns: 10).map(\.position), [0.5])
    XCTAssertEqual(plot.subtitle, "1 reading at 7.000000 s")
  }

  func testTimesThatGoBack() throws {
    let plot = try Plot(csv: rows([5, 6, 3, 4]))
    XCTAssertEqual(plot.times, 3_000_000...6_000_000)
    XCTAssertEqual(try series(plot).points(columns: 10).map(\.extent.first), [3, 4, 5, 6])
    XCTAssertEqual(plot.notes, ["its times go back once"])
  }

  // MARK: Panels

  func testOnePanelForEachUnit() throws {
    let plot = try Plot(csv: "time_ns,a (V),b (A),c (V)\n0,1,2,3\n1,1,2,3\n")
    let panels = plot.panels()
    XCTAssertEqual(panels.map(\.kind), [.values(unit: "V"), .values(unit: "A")])
    XCTAssertEqual(panels.map { $0.series.map(\.name) }, [["a", "c"], ["b"]])
    XCTAssertEqual(panels.map { $0.series.map(\.colour) }, [[0, 1], [0]])
    XCTAssertEqual(plot.panels(isSeparate: true).map { $0.series.map(\.name) }, [["a"], ["b"], ["c"]])
  }

  func testChannels() throws {
    let csv = "time_ns,stream,channel,value\n0,imu,x,1\n0,imu,y,2\n1,METER,n,5\n2,mag,x,3\n"
    func names(_ channels: String...) throws -> [String] {
      try Plot(csv: csv, .init(channels: channels)).panels().flatMap { $0.series.map(\.name) }
    }
    XCTAssertEqual(try names(), ["imu.x", "imu.y", "METER", "mag"])
    XCTAssertEqual(try names("x"), ["imu", "mag"].map { $0 == "imu" ? "imu.x" : $0 })
    XCTAssertEqual(try names("imu.y"), ["y"])
    XCTAssertEqual(try names("METER", "imu"), ["imu.x", "imu.y", "METER"])
    XCTAssertEqual(
      error { try Plot(csv: csv, .init(channels: ["METR"])) },
      #"cannot plot walk.csv: it has no stream or channel "METR"; did you mean "METER"? It has imu, x, imu.x, y, imu.y, METER, mag"#
    )
  }

  func testSeveralTraces() throws {
    let plot = try Plot(csv: [("a.csv", rows(0..<5)), ("b.csv", rows(10..<15))])
    XCTAssertEqual(plot.times, 0...14_000_000)
    XCTAssertEqual(plot.panels().flatMap { $0.series.map(\.name) }, ["a.csv: a", "b.csv: b"])
    XCTAssertEqual(plot.title, "a.csv, b.csv")
    let dated = "time_ns,x\n1795240984178796662,1\n"
    XCTAssertEqual(
      error { try Plot(csv: [("a.csv", dated), ("b.csv", rows(0..<5))]) },
      "cannot plot a.csv and b.csv together: the times of a.csv are dates, but the times of b.csv are relative; plot each trace alone"
    )
  }

  // MARK: Gaps

  func testALineIsNotDrawnAcrossAGap() throws {
    let plot = try Plot(csv: rows((0..<100).filter { !(40..<50).contains($0) }))
    let points = try series(plot).points(columns: 1_000)
    XCTAssertEqual(points.filter(\.isAfterGap).map(\.extent.first), [50])
    XCTAssertEqual(plot.marks, [PlotMark(kind: .gap, text: "1 gap, 10 readings missing")])
    let bands = try XCTUnwrap(plot.panels().first).allBands
    XCTAssertEqual(bands.map(\.kind), [.gap])
    XCTAssertEqual(bands[0].from, 39.0 / 99, accuracy: 1e-9)
    XCTAssertEqual(bands[0].to, 50.0 / 99, accuracy: 1e-9)
  }

  func testOfStreamsWithoutARateTheFlaggedGapsCount() throws {
    let metadata = """
      {"tableSchema": {"columns": [{"titles": "time_ns"}, {"titles": "x"}]}, "sluice:streams": [{"sluice:name": "walk", "sluice:channels": [{"sluice:name": "x"}]}],
       "sluice:gap_before": [{"sluice:stream": "walk", "sluice:count": 1, "sluice:times_ns": [9000000]}],
       "sluice:pauses": [{"sluice:from_ns": 2000000, "sluice:to_ns": 3000000}],
       "sluice:losses": [{"sluice:streams": ["walk"], "sluice:reason": "lost in the kernel", "sluice:count": 3, "sluice:unit": "readings",
                          "sluice:first_ns": 8000000, "sluice:last_ns": 9000000}]}
      """
    let plot = try Plot(csv: rows([0, 1, 4, 5, 9, 30]), metadata: metadata)
    XCTAssertEqual(try series(plot).points(columns: 100).map(\.isAfterGap), [false, false, false, false, true, false])
    XCTAssertTrue(plot.marks.contains(PlotMark(kind: .gap, text: "1 gap")), "\(plot.marks)")
    XCTAssertTrue(plot.marks.contains { $0.kind == .pause }, "\(plot.marks)")
    XCTAssertTrue(plot.marks.contains { $0.kind == .loss && $0.text == "3 lost in the kernel" }, "\(plot.marks)")
    XCTAssertEqual(Set(try XCTUnwrap(plot.panels().first).allBands.map(\.kind)), [.gap, .pause, .loss])
  }

  func testGapsOfAWindow() throws {
    let csv = rows((0..<100).filter { ![20, 21, 70].contains($0) })
    XCTAssertEqual(try Plot(csv: csv).marks.map(\.text), ["2 gaps, 3 readings missing"])
    let window = try Plot(csv: csv, .init(from: "60ms", to: "80ms"))
    XCTAssertEqual(window.marks.map(\.text), ["1 gap, 1 reading missing"])
  }

  // MARK: A window

  func testLinesReachTheEdgesOfAWindow() throws {
    let plot = try Plot(csv: rows([0, 10, 20, 30]), .init(from: "15ms", to: "25ms"))
    XCTAssertEqual(plot.times, 15_000_000...25_000_000)
    let points = try series(plot).points(columns: 10)
    XCTAssertEqual(points.map(\.position), [0, 0.5, 1])
    for (point, value) in zip(points, [15.0, 20, 25]) { XCTAssertEqual(point.extent.first, value, accuracy: 0.01) }
    let between = try series(Plot(csv: rows([0, 10, 20, 30]), .init(from: "12ms", to: "18ms")))
    XCTAssertEqual(between.points(columns: 10).map(\.position), [0, 1])
    XCTAssertEqual(between.points(columns: 10).map(\.extent.first), [12, 18])
  }

  func testALevelHolds() throws {
    let csv = "time_ns,stream,channel,value\n0,a,level,0\n10,a,level,1\n40,a,level,0\n90,b,level,1\n"
    let plot = try Plot(csv: csv, .init(from: "20ns", to: "30ns"))
    let panel = try XCTUnwrap(plot.panels().first)
    XCTAssertTrue(panel.isLevels)
    XCTAssertEqual(panel.series[0].points(columns: 10).map(\.extent.last), [1, 1])
    XCTAssertEqual(panel.series[1].points(columns: 10), [])
    // To the end of the trace, although its own last edge is earlier.
    let whole = try XCTUnwrap(Plot(csv: csv).panels().first)
    XCTAssertEqual(whole.series[0].points(columns: 10).last?.position, 1)
  }

  func testAWindowOutsideOfTheTrace() {
    let csv = rows(0..<5)
    XCTAssertEqual(
      error { try Plot(csv: csv, .init(from: "9s")) },
      "cannot plot walk.csv: the window of --from and --to is after its last reading; "
        + "its readings are from 0.000000 s to 0.004000 s, in 4.000 ms")
    XCTAssertEqual(
      error { try Plot(csv: csv, .init(from: "2s", to: "1s")) },
      "cannot plot walk.csv: --to is not later than --from; give the earlier time with --from")
    XCTAssertEqual(
      error { try Plot(csv: csv, .init(from: "2026-11-21T12:00:00Z")) },
      "cannot plot walk.csv: its times are not dates, but --from is a date; give a time after its first reading, such as 1.5s"
    )
    XCTAssertEqual(
      error { try Plot(csv: csv, .init(clock: .utc)) },
      "cannot plot walk.csv: its times are not dates, so they have no time zone; leave out --time utc")
  }

  func testDates() throws {
    let csv = "time_ns,x\n1795240984000000000,1\n1795240994000000000,2\n1795241004000000000,3\n"
    let plot = try Plot(csv: csv, .init(from: "2026-11-21T06:03:09Z", to: "2026-11-21T06:03:19Z"))
    XCTAssertEqual(plot.clock, .utc)
    XCTAssertEqual(plot.times, 1_795_240_989_000_000_000...1_795_240_999_000_000_000)
  }

  // MARK: Nothing to draw

  func testTracesWithNothingToDraw() {
    XCTAssertEqual(error { try Plot(csv: "time_ns,x\n") }, "cannot plot walk.csv: it has no readings")
    XCTAssertEqual(
      error { try Plot(csv: "time_ns,x,y\n1,nan,\n2,,nan\n") },
      "cannot plot walk.csv: its readings have no values")
    let names = (0..<40).map { "c\($0)" }.joined(separator: ",")
    let zeros = (0..<40).map { _ in "0" }.joined(separator: ",")
    let wide = "time_ns,\(names)\n1,\(zeros)\n"
    XCTAssertEqual(
      error { try Plot(csv: [("a.csv", wide), ("b.csv", wide)]) },
      "cannot plot a.csv, b.csv: it has 80 channels, and a plot has 64 at most; name some with --select")
    XCTAssertThrowsError(try Plot(csv: "time_ns,x\n1,2\n3,four\n"))
  }

  // MARK: Anything

  /// Whatever a trace has, nothing traps, and every picture has numbers that are numbers.
  func testAnyTrace() throws {
    var drawn = 0
    for round in 0..<150 {
      let shift = Int64.random(in: 0...62)
      var csv = "time_ns,stream,channel,value\n"
      for _ in 0..<Int.random(in: 1...40) {
        let time = Int64.random(in: .min ... .max) >> (round % 3 == 0 ? 0 : shift)
        let value = ["0", "1", "nan", "", "-1e-18", "9000000000000000000", "0.5", "\(Int.random(in: -99...99))"]
        let name = ["a", "b", "c"].randomElement() ?? "a"
        csv += "\(time),\(name),level,\(value.randomElement() ?? "")\n"
      }
      var options = Plot.Options(width: Int.random(in: 1...100))
      if round % 2 == 0 {
        options.from = .offset(.random(in: 0 ... .max) >> shift)
        options.to = .offset(.random(in: 0 ... .max) >> (shift / 2))
      }
      // A sentence is an answer too.
      guard let plot = try? Plot(csv: csv, options) else { continue }
      drawn += 1
      let picture = try SVGPlot(plot).text
      XCTAssertFalse(picture.contains("nan") || picture.contains("inf\""), picture)
      for width in [20, 80] {
        var options = TerminalPlot.Options()
        options.width = width
        _ = try? TerminalPlot(plot, options)
      }
    }
    XCTAssertGreaterThan(drawn, 50)
  }
}
