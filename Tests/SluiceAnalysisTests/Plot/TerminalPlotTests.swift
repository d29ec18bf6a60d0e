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
      40+                                 ..:
        |                           ....''
        |                      .:'''
      20+               ....'''
        |          ..:''
        |    ..''''
       0+:'''
        ++----+---+----+---+----+---+----+---+
         0    5  10   15  20   25  30   35  40
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
}
