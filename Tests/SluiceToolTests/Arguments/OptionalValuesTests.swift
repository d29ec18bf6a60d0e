import XCTest

@testable import SluiceTool

final class OptionalValuesTests: XCTestCase {
  func testEachGetsAValue() {
    for (arguments, completed) in [
      ("convert a --join -o b", "convert a --join=hold -o b"),
      ("convert a --join 10Hz:linear b", "convert a --join=10Hz:linear b"),
      ("convert --join a.csv b.csv", "convert --join=hold a.csv b.csv"),
      ("info a --intervals", "info a --intervals=found"),
      ("info --intervals 1ms a", "info --intervals=1ms a"), ("convert a --excel de -o b", "convert a --excel=de -o b"),
      ("convert a --join=exact --excel", "convert a --join=exact --excel=en"),
      ("info -- --intervals", "info -- --intervals"),
    ] {
      XCTAssertEqual(
        OptionalValues.completed(arguments.split(separator: " ").map(String.init)).joined(separator: " "), completed)
    }
  }

  func testAWrongValueIsNotForgotten() throws {
    for words in [
      ["convert", "a", "--join=foo", "-o", "b"], ["info", "a", "--intervals=1", "--json"],
      ["convert", "a", "--excel=xx", "-o", "b"],
    ] {
      XCTAssertThrowsError(try SluiceCommand.parsed(words), "\(words)")
    }
  }
}
