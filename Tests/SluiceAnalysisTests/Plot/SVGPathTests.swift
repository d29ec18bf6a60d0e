import XCTest

@testable import SluiceAnalysis
@testable import SluicePipeline

final class SVGPathTests: XCTestCase {
  func testShortNumbers() {
    var path = SVGPath()
    path.move(10, 20.5)
    path.line(11, 20.5)
    path.line(11, 20.2)
    path.line(12.5, 19.9)
    path.line(13, 30)
    path.line(13, 30)
    path.line(12, 29.7)
    XCTAssertEqual(path.text, "M10 20.5h1v-.3l1.5-.3 .5 10.1-1-.3")
  }

  /// Rounding does not add up: the end is where it should be.
  func testAPathEndsWhereItShould() {
    for _ in 0..<200 {
      var path = SVGPath()
      let points = (0..<50).map { _ in (Double.random(in: -500...500), Double.random(in: -500...500)) }
      path.move(points[0].0, points[0].1)
      for (x, y) in points.dropFirst() { path.line(x, y) }
      let (x, y) = end(path.text)
      XCTAssertEqual(x, points[49].0, accuracy: 0.051)
      XCTAssertEqual(y, points[49].1, accuracy: 0.051)
    }
  }

  /// Follows the commands of a path.
  private func end(_ text: String) -> (Double, Double) {
    var (x, y) = (0.0, 0.0)
    var command: Character = " "
    var numbers: [Double] = []
    var number = ""
    func take() {
      if let value = Double(number) { numbers.append(value) }
      number = ""
    }
    func act() {
      switch command {
      case "M" where numbers.count == 2: (x, y) = (numbers[0], numbers[1])
      case "l":
        for index in stride(from: 0, to: numbers.count - 1, by: 2) {
          (x, y) = (x + numbers[index], y + numbers[index + 1])
        }
      case "h": x += numbers.reduce(0, +)
      case "v": y += numbers.reduce(0, +)
      default: break
      }
      numbers = []
    }
    for character in text {
      if character.isLetter {
        take()
        act()
        command = character
      } else if character == " " || character == "-" {
        take()
        if character == "-" { number = "-" }
      } else {
        number.append(character)
      }
    }
    take()
    act()
    return (x, y)
  }
}
