import Foundation
import SluicePipeline
import TestFiles
import XCTest

@testable import SluiceTool

final class PlotCommandTests: CommandTestCase {
  private func writeWalk() throws {
    try write(
      "walk.csv", "time_ns,accel_x (g),temp (degC)\n" + (0..<100).map { "\($0 * 10_000_000),\($0),\(20)\n" }.joined())
  }

  func testAPicture() throws {
    try writeWalk()
    XCTAssertEqual(
      try run("plot walk.csv -o walk.svg").split(separator: "\n").filter { !$0.contains("the time is") }, [])
    let picture = try String(contentsOfFile: "\(folder)/walk.svg", encoding: .utf8)
    XCTAssertTrue(picture.hasPrefix("<svg ") && picture.hasSuffix("</svg>\n"), picture)
    for part in [">walk.csv<", ">accel_x<", ">degC<", ">time (ms)<", "100 readings in 990.0 ms"] {
      XCTAssertTrue(picture.contains(part), part)
    }
    XCTAssertEqual(try runShell("\"$SLUICE\" plot - -o - --title walk.csv < walk.csv 2> said"), picture)
  }

  /// The file is replaced as a whole, and nothing else is left.
  func testAPictureIsWrittenWholeOrNotAtAll() throws {
    try writeWalk()
    try write("walk.svg", "before")
    let said = try run("plot walk.csv -o walk.svg --select accel", status: 1)
    XCTAssertTrue(said.contains("it has no stream or channel \"accel\"; did you mean"), said)
    XCTAssertEqual(try rows("walk.svg"), ["before"])
    XCTAssertTrue(
      try run("plot walk.csv -o none/walk.svg", status: 1).contains("cannot write none/walk.svg: no such file"))
    try run("plot walk.csv -o walk.svg")
    XCTAssertTrue(try rows("walk.svg")[0].hasPrefix("<svg "))
    XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: folder).sorted(), ["walk.csv", "walk.svg"])
  }

  func testWithoutATerminalItIs80ColumnsWide() throws {
    try writeWalk()
    let said = try runShell("LC_ALL=C.UTF-8 TERM=xterm \"$SLUICE\" plot walk.csv 2> said").split(separator: "\n")
    XCTAssertEqual(said.map(\.count).max(), 80)
    XCTAssertTrue(said.contains { $0.contains("degC  ━ temp") }, "\(said)")
    XCTAssertFalse(said.contains { $0.contains("\u{1b}") })
    let plain = try runShell("LC_ALL=C \"$SLUICE\" plot walk.csv 2> said")
    XCTAssertTrue(plain.utf8.allSatisfy { $0 < 0x80 }, plain)
  }

  func testATrace() throws {
    try run("record METER=sim:meter@200,seed=3 imu=sim:imu@400,seed=3 --count 600 -o t.csv")
    try run("plot t.csv -o t.svg --select METER,accel_x --from 0.2s --to 0.8s --size 600x300 --theme dark")
    let picture = try String(contentsOfFile: "\(folder)/t.svg", encoding: .utf8)
    for part in ["width=\"600\" height=\"300\"", ">METER<", ">time (UTC)<"] {
      XCTAssertTrue(picture.contains(part), "\(part): \(picture.prefix(2_000))")
    }
  }

  func testWhatCannotBeDrawn() throws {
    try writeWalk()
    try write("empty.csv", "time_ns,x\n")
    try write("bad.csv", "time_ns,x\n1,2\n2,three\n")
    for (arguments, status, sentence) in [
      ("empty.csv", 1, "cannot plot empty.csv: it has no readings"),
      ("none.csv", 1, "none.csv"),
      ("bad.csv -o bad.svg", 1, "cannot read bad.csv: line 3, column 2"),
      ("walk.csv -o walk.svg --size 60x20", 64, "60x20 is too small for 2 panels"),
      ("walk.csv --from 5s", 64, "is after its last reading"),
    ] as [(String, Int32, String)] {
      let said = try run("plot \(arguments)", status: status)
      XCTAssertTrue(said.contains(sentence), said)
    }
    XCTAssertFalse(FileManager.default.fileExists(atPath: "\(folder)/bad.svg"))
    try write("trace.svg", "time_ns,x\n1,2\n")
    let said = try run("plot trace.svg -o ./trace.svg", status: 64)
    XCTAssertTrue(said.contains("cannot write ./trace.svg: it is the trace trace.svg"), said)
    XCTAssertEqual(try rows("trace.svg").count, 2)
  }

  func testWrongUsage() throws {
    for (arguments, sentence) in [
      ("walk.csv -o walk.jpg", "walk.jpg does not end in .svg, .png or .pdf"),
      ("walk.csv --size 0x10 -o a.svg", "--size"),
      ("walk.csv --size 100", "--size is the size of a picture"), ("walk.csv walk.csv", "given twice"),
      ("walk.csv --from yesterday", "--from"), ("walk.csv --theme pink", "--theme"), ("", "TRACE"),
    ] {
      let said = try run("plot \(arguments)", status: 64)
      XCTAssertTrue(said.contains(sentence), said)
    }
  }

  /// `make docs-pictures` makes them anew; look at them then.
  func testPicturesOfTheDocumentation() throws {
    let pictures = Checkout.file("docs/pictures")
    try runShell("'\(pictures.path)/make' \"$SLUICE\" '\(folder)'")
    let names = try FileManager.default.contentsOfDirectory(atPath: pictures.path).filter { $0.hasSuffix(".svg") }
    XCTAssertEqual(names.sorted(), try FileManager.default.contentsOfDirectory(atPath: folder).sorted())
    for name in names {
      let picture = try Data(contentsOf: pictures.appendingPathComponent(name))
      XCTAssertEqual(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")), picture, name)
    }
  }

  func testSizes() {
    XCTAssertEqual(PictureSize(argument: "960x400").map { [$0.width, $0.height] }, [960, 400])
    XCTAssertEqual(PictureSize(argument: "960").map { [$0.width, $0.height] }, [960, nil])
    for text in ["", "0", "0x1", "1x0", "1x", "x1", "1x2x3", "-1x1", "a", "10001", "1e3"] {
      XCTAssertNil(PictureSize(argument: text), text)
    }
  }

  func testWindows() {
    func window(_ size: (columns: Int, rows: Int)?, _ environment: [String: String]) -> TerminalWindow {
      TerminalWindow(size: size) { environment[$0] }
    }
    let utf8 = ["LANG": "en_US.UTF-8", "TERM": "xterm"]
    let whole = window((100, 30), utf8)
    XCTAssertEqual([whole.columns, whole.rows], [100, 30])
    XCTAssertEqual(whole.glyphs, .braille)
    XCTAssertTrue(whole.isColoured)
    XCTAssertFalse(window((100, 30), utf8.merging(["NO_COLOR": "1"]) { $1 }).isColoured)
    XCTAssertTrue(window((100, 30), utf8.merging(["NO_COLOR": ""]) { $1 }).isColoured)
    XCTAssertEqual(window((0, 0), utf8).columns, 80)
    XCTAssertNil(window((0, 0), utf8).rows)
    XCTAssertEqual(window((100, 30), utf8.merging(["TERM": "linux"]) { $1 }).glyphs, .blocks)
    XCTAssertEqual(window((100, 30), utf8.merging(["TERM": "dumb"]) { $1 }).glyphs, .ascii)
    XCTAssertEqual(window((100, 30), utf8.merging(["LC_ALL": "C"]) { $1 }).glyphs, .ascii)
    XCTAssertEqual(window(nil, utf8).columns, 80)
    XCTAssertFalse(window(nil, utf8).isColoured)
  }
}
