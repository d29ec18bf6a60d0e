import Foundation
import TestFiles
import XCTest

@testable import SluiceTool

/// Pictures that librsvg draws.
final class DrawnPictureTests: CommandTestCase {
  private func writeWalk() throws {
    try write("walk.csv", "time_ns,x (g)\n" + (0..<100).map { "\($0 * 10_000_000),\($0 % 7)\n" }.joined())
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
