import Foundation
import XCTest

@testable import SluiceAnalysis

final class XYGridTests: XCTestCase {
  /// Each point is near a run, whatever the sizes and the order of the points.
  func testEveryPointIsDrawn() throws {
    for round in 0..<60 {
      let scale = pow(10, Double.random(in: -12...12))
      let centre = round % 3 == 0 ? 0 : Double.random(in: -1e3...1e3) * scale
      let points = (0..<Int.random(in: 1...300)).map { _ in
        (x: centre + Double.random(in: -1...1) * scale, y: Double.random(in: -1...1) * (round % 2 == 0 ? 1 : 1e6))
      }
      var grid = XYGrid()
      for point in points { grid.add(point.x, point.y) }
      XCTAssertEqual(grid.count, points.count)
      let values = try XCTUnwrap(grid.values)
      XCTAssertEqual(values.x, points.map(\.x).min()!...points.map(\.x).max()!)
      XCTAssertEqual(values.y, points.map(\.y).min()!...points.map(\.y).max()!)
      let near = (values.x.upperBound - values.x.lowerBound) / 250
      let close = (values.y.upperBound - values.y.lowerBound) / 250 + 1e-8
      for point in points {
        XCTAssertTrue(
          grid.runs.contains { run in
            // The first cells are a billionth of the first value wide.
            let room = near + abs(point.x) * 1e-8
            return point.x >= run.from - room && point.x <= run.to + room
              && abs(point.y - run.y) <= close + abs(point.y) * 1e-8
          }, "round \(round): \(point)")
      }
    }
  }

  func testCellsAreFew() {
    var grid = XYGrid()
    for index in 0..<20_000 {
      let angle = Double(index)
      grid.add(Foundation.cos(angle) * 1e9, Foundation.sin(angle))
    }
    XCTAssertLessThan(grid.runs.count, 512 * 4)
    grid.add(.infinity, 1)
    grid.add(1, .nan)
    XCTAssertEqual(grid.count, 20_000)
  }

  func testExtremes() {
    var grid = XYGrid()
    for value in [0, 1e-290, -1e-290, 1e299, -1e299, .leastNonzeroMagnitude] { grid.add(value, -value) }
    XCTAssertEqual(grid.count, 6)
  }
}
