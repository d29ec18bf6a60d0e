import SluicePipeline
import SluiceReadings
import SluiceRecording
import XCTest

@testable import SluiceAnalysis

final class PlotFeedTests: XCTestCase {
  private let start: Int64 = 1_795_240_984_000_000_000

  private func text(_ plot: Plot, width: Int = 60, _ glyphs: TerminalGlyphs = .braille) throws -> String {
    var options = TerminalPlot.Options()
    (options.title, options.width, options.glyphs, options.isColoured) = ("s", width, glyphs, true)
    return try TerminalPlot(plot, options).text
  }

  /// The same rows give the same picture, while they come and from a file.
  func testTheSamePictureAsThatOfAFile() throws {
    for rate in [7, 1_000, 50_000] as [Int64] {
      var csv = "time_ns,x (V),y (V)\n"
      let description = StreamDescription(
        name: "s", channels: [.init(name: "x", unit: "V"), .init(name: "y", unit: "V")])
      var feed = PlotFeed(description, width: 120)
      for number in 0..<20_000 as Range<Int64> where !(5_000..<6_000).contains(number) {
        let time = start + number * 1_000_000_000 / rate
        let (x, y) = ((number * 37) % 1_001, number == 9_999 ? 5_000 : (number * number) % 500)
        csv += "\(time),\(x),\(y)\n"
        var reading = Reading(time: time, stream: StreamID(0), values: [x, y])
        feed.add(&reading)
      }
      let plot = try Plot(csv: csv, Plot.Options(width: 120))
      XCTAssertEqual(try text(feed.plot(.init())), try text(plot))
    }
  }

  func testWhatHappened() throws {
    var feed = PlotFeed(StreamDescription(name: "s", channels: [.init(name: "x")]), width: 120)
    for number in 0..<100 as Range<Int64> {
      var reading = Reading(time: start + number * 10_000_000, stream: StreamID(0), values: [number % 5])
      feed.add(&reading)
    }
    let plot = try feed.plot(
      PlotFeed.Happened(
        pauses: [Pause(from: start + 100_000_000, to: start + 200_000_000)],
        losses: [Loss(streams: ["s"], reason: "lost in the kernel", count: 3, first: start, last: start)],
        marks: [Mark(time: start + 500_000_000, text: "door opened"), Mark(time: 0, text: "long before")]))
    XCTAssertEqual(
      plot.marks.map(\.text), ["paused", "3 lost in the kernel", "door opened (2026-11-21T06:03:04.500Z)"])
  }

  func testNothingToDraw() {
    let feed = PlotFeed(StreamDescription(name: "s", channels: [.init(name: "x")]), width: 120)
    XCTAssertThrowsError(try feed.plot(.init())) { XCTAssertEqual("\($0)", "cannot plot s: it has no readings") }
  }

  // MARK: Marks

  private func plot(_ marks: [(Int64, String)]) throws -> Plot {
    let rows = ((0...40) as ClosedRange<Int64>).map { "\(start + $0 * 1_000_000_000),\($0 % 2)\n" }.joined()
    let listed = marks.map { "{\"sluice:at_ns\": \($0.0), \"sluice:text\": \"\($0.1)\"}" }.joined(separator: ", ")
    let metadata = """
      {"tableSchema": {"columns": [{"titles": "time_ns"}, {"titles": "x"}]},
       "sluice:streams": [{"sluice:name": "walk", "sluice:channels": [{"sluice:name": "x"}]}],
       "sluice:marks": [\(listed)]}
      """
    return try Plot(csv: "time_ns,x\n" + rows, metadata: metadata, Plot.Options(width: 120))
  }

  func testAMarkIsALine() throws {
    let plot = try plot([(start + 20_000_000_000, "door opened")])
    let mark = try XCTUnwrap(plot.panels()[0].allBands.first)
    XCTAssertEqual(mark.kind, .mark)
    XCTAssertEqual(mark.from, 0.5)
    XCTAssertEqual(mark.to, 0.5)
    let drawn = try text(plot)
    XCTAssertTrue(drawn.contains("┊"), drawn)
    XCTAssertTrue(drawn.contains(" door opened (2026-11-21T06:03:24.000Z)\n"), drawn)
    XCTAssertTrue(try text(plot, .ascii).contains("!"))
    let picture = try SVGPlot(plot).text
    XCTAssertEqual(picture.components(separatedBy: "stroke-dasharray=\"3 2\"").count, 3, "the line, and the legend")
    XCTAssertTrue(picture.contains("door opened"))
  }

  func testManyMarksAreCounted() throws {
    let plot = try plot(((0..<40) as Range<Int64>).map { (start + $0 * 1_000_000_000, "m\($0)") })
    XCTAssertEqual(plot.marks.map(\.text), ["40 marks"])
    XCTAssertEqual(plot.panels()[0].allBands.count, 40)
  }
}
