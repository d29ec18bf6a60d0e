import SluiceReadings
import TestFiles
import XCTest

@testable import SluiceAnalysis
@testable import SluicePipeline

final class TerminalPlotTests: XCTestCase {
  private func draw(
    _ plot: Plot, width: Int = 40, height: Int? = nil, _ glyphs: TerminalGlyphs = .braille, isColoured: Bool = false
  ) throws -> String {
    var options = TerminalPlot.Options()
    (options.width, options.height, options.glyphs, options.isColoured) = (width, height, glyphs, isColoured)
    return try TerminalPlot(plot, options).text
  }

  private func ramp() throws -> Plot {
    try Plot(csv: "time_ns,x (V)\n" + (0...40).map { "\($0 * 1_000_000_000),\($0)\n" }.joined())
  }

  func testNamesOfAnyLengthAreCut() {
    let long = String(repeating: "ab\u{301}😀", count: 200_000)
    XCTAssertEqual(TerminalText.cut(long, to: 7, .braille), "ab\u{301}😀ab\u{301}…")
    XCTAssertEqual(TerminalText.cut("abc", to: 3, .ascii), "abc")
    XCTAssertEqual(TerminalText.cut("abcd", to: 3, .ascii), "ab.")
    XCTAssertEqual(TerminalText.cut("abcd", to: 0, .ascii), "")
    XCTAssertEqual(TextWidth.cut(long, size: 1, to: 3.3), "ab\u{301}…")
  }

  func testARampInASCII() throws {
    XCTAssertEqual(
      try draw(ramp(), height: 14, .ascii),
      """
      walk.csv
      41 readings in 40.00 s
         V  - x
      40+                                  ..:
        |                           ....'''
        |                      ..:''
      20+               ....'''
        |          ..:''
        |   ...''''
       0+:''
        ++---+----+---+----+----+---+----+---+
         0   5   10  15   20   25  30   35  40
                                      time (s)

      """)
  }

  func testALineOfLevels() throws {
    let csv = "time_ns,stream,channel,value\n0,A,level,0\n10,A,level,1\n20,A,level,0\n40,A,level,1\n"
    let rows = try draw(Plot(csv: csv), width: 24).split(separator: "\n")
    XCTAssertEqual(rows[2], "A│⣀⣀⣀⣀⣀⣸⠉⠉⠉⠉⠉⣇⣀⣀⣀⣀⣀⣀⣀⣀⣀⣸")
  }

  func testWithoutColoursEachChannelHasAPanel() throws {
    let plot = try Plot(csv: "time_ns,x (V),y (V)\n0,1,2\n1,2,3\n")
    func headers(_ text: String) -> Int { text.split(separator: "\n").filter { $0.contains("━") }.count }
    XCTAssertEqual(headers(try draw(plot)), 2)
    let coloured = try draw(plot, isColoured: true)
    XCTAssertEqual(headers(coloured), 1)
    XCTAssertTrue(coloured.contains("\u{1b}[36m") && coloured.contains("\u{1b}[33m"), coloured)
    XCTAssertFalse(try draw(plot).contains("\u{1b}"))
  }

  /// Lines are as wide as the window, at most.
  func testWindows() throws {
    let plot = try ramp()
    for width in 20...200 {
      for glyphs in [TerminalGlyphs.braille, .blocks, .ascii] {
        let text = try draw(plot, width: width, height: 24, glyphs)
        XCTAssertTrue(text.split(separator: "\n").allSatisfy { $0.count <= width }, "\(width)\n\(text)")
        XCTAssertLessThan(text.split(separator: "\n").count, 24)
        if glyphs == .ascii { XCTAssertTrue(text.utf8.allSatisfy { $0 < 0x80 }) }
      }
    }
  }

  func testATooNarrowWindow() throws {
    let plot = try ramp()
    XCTAssertThrowsError(try draw(plot, width: 10)) { error in
      XCTAssertEqual(
        "\(error)",
        "cannot plot walk.csv: a width of 10 columns is too small; "
          + "make the terminal at least 11 columns wide, or give -o FILE.svg")
    }
    XCTAssertNoThrow(try draw(plot, width: 11))
  }

  func testGapsAreSeen() throws {
    let plot = try Plot(
      csv: "time_ns,x\n" + (0..<100).filter { !(30..<60).contains($0) }.map { "\($0 * 1_000_000),1\n" }.joined())
    let text = try draw(plot)
    XCTAssertTrue(text.contains("░░░░"), text)
    XCTAssertTrue(text.hasSuffix("░ 1 gap, 30 readings missing\n"), text)
  }

  /// A name from a file is no command to the terminal.
  func testNamesSendNothingToTheTerminal() throws {
    var options = TerminalPlot.Options()
    options.title = "a\u{1b}[31mb\u{9b}\u{202e}"
    let text = try TerminalPlot(Plot(csv: "time_ns,x\n0,1\n1,2\n"), options).text
    XCTAssertTrue(text.hasPrefix("a?[31mb??\n"), text)
    XCTAssertFalse(text.unicodeScalars.contains { $0 != "\n" && ($0.value < 0x20 || (0x7f..<0xa0).contains($0.value)) })
  }

  func testEveryDotIsDrawn() {
    for glyphs in [TerminalGlyphs.braille, .blocks, .ascii] {
      var canvas = DotCanvas(columns: 3, rows: 2, glyphs)
      var seen: Set<Character> = []
      for y in 0..<canvas.height { canvas.dot(0, y, 0) }
      for x in 0..<canvas.width {
        var single = DotCanvas(columns: 3, rows: 2, glyphs)
        single.dot(x, 0, 1)
        seen.insert(single.row(0)[x / glyphs.dots.across].character)
      }
      XCTAssertEqual(seen.count, glyphs.dots.across)
      XCTAssertNotEqual(canvas.row(0)[0].character, " ")
      canvas.dot(-1, 0, 0)
      canvas.dot(0, 99, 0)
      canvas.line(from: (0, 0), to: (canvas.width - 1, canvas.height - 1), 0)
      XCTAssertNotEqual(canvas.row(1)[2].character, " ")
    }
  }

  /// Its legend names it, so a loss is drawn also if its columns are those of the gap that it has caused.
  func testALossIsDrawnOverAGap() {
    for order in [[PlotBand.Kind.gap, .loss], [.loss, .gap]] {
      var canvas = DotCanvas(columns: 4, rows: 2, .braille)
      for kind in order { canvas.shade(from: 0.3, to: 0.3, kind) }
      canvas.shade(from: 0.6, to: 0.6, .loss)
      canvas.shade(from: 0.6, to: 0.6, .mark)
      canvas.shade(from: 0.9, to: 0.9, .loss)
      XCTAssertEqual(canvas.row(0).map(\.shade), [nil, .loss, .mark, .loss])
      XCTAssertEqual(canvas.row(1).map(\.shade), [nil, .gap, .mark, nil])
      // The lane of a level has one row.
      var lane = DotCanvas(columns: 2, rows: 1, .braille)
      for kind in order { lane.shade(from: 0.1, to: 0.1, kind) }
      lane.shade(from: 0.9, to: 0.9, .loss)
      XCTAssertEqual(lane.row(0).map(\.shade), [.gap, .loss])
    }
  }

  /// Random series: a rate with or without jitter, random intervals, bursts, gaps, missing values, levels. The column of
  /// each reading has the dot of its value, so no column with readings is empty.
  func testEveryReadingHasItsDot() throws {
    let isLong = ProcessInfo.processInfo.environment["SLUICE_LONG_TESTS"] != nil
    var random = TestGenerator()
    for round in 0..<(isLong ? 1_000 : 60) {
      let series = RandomSeries(count: Int(pow(10, Double.random(in: 0...(isLong ? 6 : 3.7), using: &random))), &random)
      let width = Int.random(in: 40...300, using: &random)
      var feed = PlotFeed(series.description, width: 2 * width)
      for number in series.times.indices {
        let value = series.values[number].map { ExactDecimal(significand: $0, exponent: 0) } ?? .missing
        var reading = Reading(time: series.times[number], stream: StreamID(0), values: Values([value]))
        if series.gaps.contains(number) { reading.flags = .gapBefore }
        feed.add(&reading)
      }
      // Without a value there is nothing to draw.
      guard series.values.contains(where: { $0 != nil }) else { continue }
      let plot = try feed.plot(.init())
      let dots = Dots(try draw(plot, width: width))
      let axis = plot.panels()[0].values.map { ValueAxis($0, intervals: 8) }
      var missing = 0
      for (time, value) in zip(series.times, series.values) {
        guard let value else { continue }
        let column = min(dots.width - 1, Int(TimeAxis.position(time, in: plot.times) * Double(dots.width)))
        let height = Double(dots.height - 1)
        let row =
          series.isLevel
          ? (value > 0 ? 0 : dots.height - 1)
          : Int(((1 - (axis?.position(of: Double(value)) ?? 0)) * height).rounded())
        if !dots.has(column, row) { missing += 1 }
      }
      XCTAssertEqual(missing, 0, "round \(round), \(series.times.count) readings, width \(width), \(random.note)")
    }
  }
}

/// The dots of the one panel of a drawing in braille.
private struct Dots {
  private var rows: [[UInt32]] = []

  init(_ text: String) {
    for line in text.split(separator: "\n") where line.contains("│") || line.contains("┤") {
      let cells = line.drop { $0 != "│" && $0 != "┤" }.dropFirst()
      rows.append(cells.flatMap(\.unicodeScalars).map { (0x2800..<0x2900).contains($0.value) ? $0.value - 0x2800 : 0 })
    }
    let floor = text.split(separator: "\n").first { $0.contains("└") } ?? ""
    width = 2 * (floor.drop { $0 != "└" }.count - 1)
  }

  let width: Int
  var height: Int { 4 * rows.count }

  func has(_ x: Int, _ y: Int) -> Bool {
    // Spaces at the end of a row are not written.
    guard x / 2 < rows[y / 4].count else { return false }
    let bits: [[UInt32]] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]]
    return rows[y / 4][x / 2] & bits[x % 2][y % 4] != 0
  }
}

private struct RandomSeries {
  var times: [Int64] = []
  /// Nil for a missing value.
  var values: [Int64?] = []
  /// The readings with a gap before them.
  var gaps: Set<Int> = []
  let isLevel: Bool
  let description: StreamDescription

  init(count: Int, _ random: inout TestGenerator) {
    isLevel = Int.random(in: 0..<5, using: &random) == 0
    description = StreamDescription(
      name: "s", channels: [.init(name: "x", format: isLevel ? StreamDescription.Channel.level : nil)])
    let interval = Int64(pow(10, Double.random(in: 0...10, using: &random)))
    let (shape, form) = (Int.random(in: 0..<4, using: &random), Int.random(in: 0..<4, using: &random))
    let isGapped = Bool.random(using: &random)
    var (time, walk): (Int64, Int64) = (1_774_000_000_000_000_000 + Int64.random(in: 0...interval, using: &random), 0)
    for number in 0..<count {
      times.append(time)
      walk += Int64.random(in: -5...5, using: &random)
      let value =
        switch form {
        case 0: Int64(number % 10)
        case 1: walk
        case 2: Int64.random(in: 0..<1_000, using: &random) == 0 ? Int64(1_000) : 0
        default: Int64(7)
        }
      let isMissing = form == 3 && Int.random(in: 0..<3, using: &random) == 0
      values.append(isMissing ? nil : isLevel ? value & 1 : value)
      switch shape {
      case 0: time += interval
      case 1: time += interval + Int64.random(in: 0...(interval / 10), using: &random)
      case 2: time += Int64(Double(interval) * -log(Double.random(in: 1e-9...1, using: &random)))
      default: time += number % 50 == 49 ? 1_000 * interval : interval
      }
      if isGapped, Int.random(in: 0..<max(2, count / 3), using: &random) == 0 {
        time += interval * Int64.random(in: 2...Int64(max(3, count / 2)), using: &random)
        gaps.insert(number + 1)
      }
    }
  }
}
