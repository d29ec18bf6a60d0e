import Foundation
import TestFiles
import XCTest

@testable import SluiceTool

/// Pictures that librsvg draws.
final class DrawnPictureTests: CommandTestCase {
  private func writeWalk() throws {
    try write("walk.csv", "time_ns,x (g)\n" + (0..<100).map { "\($0 * 10_000_000),\($0 % 7)\n" }.joined())
  }

  /// The width and the height, from the first chunk of a PNG.
  private func size(_ name: String) throws -> [UInt32] {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")))
    XCTAssertEqual(Array(bytes.prefix(8)), [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
    XCTAssertEqual(Array(bytes[12..<16]), Array("IHDR".utf8))
    return [16, 20].map { start in bytes[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) } }
  }

  func testAPNG() throws {
    try writeWalk()
    let said = try runShell("\"$SLUICE\" plot walk.csv -o walk.png 2>&1; true")
    if said.contains("PNG and PDF need librsvg"), ProcessInfo.processInfo.environment["SLUICE_PYTHON"] == nil {
      throw XCTSkip("librsvg is not there; make test-formats installs it")
    }
    XCTAssertEqual(try size("walk.png")[0], 960, said)
    try run("plot walk.csv -o small.png --size 500x300")
    XCTAssertEqual(try size("small.png"), [500, 300])
    try run("plot walk.csv -o print.PNG --size 500x300 --dpi 288")
    XCTAssertEqual(try size("print.PNG"), [1_500, 900])
    try run("plot walk.csv -o dark.png --size 500x300 --theme dark")
    let pictures = try ["small", "dark"].map { try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\($0).png")) }
    XCTAssertNotEqual(pictures[0], pictures[1])
    for command in ["--histogram x", "--xy x,x"] {
      try run("plot walk.csv \(command) -o other.png --size 400x400")
      XCTAssertEqual(try size("other.png"), [400, 400], command)
    }
    try run("plot walk.csv -o walk.pdf --size 400x300")
    let pdf = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder)/walk.pdf")))
    XCTAssertEqual(Array(pdf.prefix(5)), Array("%PDF-".utf8))
    XCTAssertEqual(Array(pdf.suffix(6)), Array("%%EOF\n".utf8))
    // What cannot be drawn leaves the file as it was.
    let large = try run("plot walk.csv -o small.png --size 4000x3000 --dpi 1200", status: 1)
    XCTAssertTrue(large.contains("cannot draw small.png: it would have more than 32,767 pixels"), large)
    XCTAssertEqual(try size("small.png"), [500, 300])
  }

  /// A library that cannot be loaded: the trace is not read.
  func testWithoutTheLibrary() throws {
    try write("librsvg-2.so.2", "no library")
    let said = try runShell("LD_LIBRARY_PATH=. \"$SLUICE\" plot none.csv -o walk.png 2>&1", status: 1)
    XCTAssertTrue(said.hasPrefix("sluice: cannot write walk.png: PNG and PDF need librsvg: ./librsvg-2.so.2"), said)
    XCTAssertTrue(said.hasSuffix("install it (Debian: librsvg2-2), or give a name that ends in .svg\n"), said)
  }

  func testWhatIsRefused() throws {
    try writeWalk()
    for (arguments, sentence) in [
      ("-o walk.jpg", "walk.jpg does not end in .svg, .png or .pdf"), ("-o walk.pdf --dpi 300", "--dpi is for a PNG"),
      ("-o walk.svg --dpi 300", "--dpi is for a PNG; give -o FILE.png too"),
      ("--dpi 300", "--dpi is for a PNG"), ("-o walk.png --dpi 20", "--dpi takes 48 to 1200 pixels per inch"),
      ("-o walk.png --dpi nan", "--dpi takes 48 to 1200"),
    ] {
      let said = try run("plot walk.csv \(arguments)", status: 64)
      XCTAssertTrue(said.contains(sentence), "\(arguments): \(said)")
    }
  }
}
