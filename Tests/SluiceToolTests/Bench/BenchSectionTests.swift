import SluiceReadings
import XCTest

@testable import SluicePipeline
@testable import SluiceTool

final class BenchSectionTests: XCTestCase {
  func testRows() {
    let section = BenchSection(
      key: "streams", title: "streams",
      measurements: [
        Measurement(name: "buffer", figures: [Figure("ns", "ns a value", 1_234.56), Figure("n", "values", 10)]),
        Measurement(name: "a \"b\"", figures: [Figure("ns", "ns a value", nil as Double?), Figure("n", "values", 7)]),
      ], notes: ["said"])
    XCTAssertEqual(
      section.text,
      """
      streams   ns a value  values
        buffer     1,234.6      10
        a "b"            -       7
        said

      """)
    XCTAssertEqual(
      section.json,
      #""streams": [{"name": "buffer", "ns": 1234.6, "n": 10}, {"name": "a \"b\"", "ns": null, "n": 7}]"#)
  }

  func testColumnsWithLosses() {
    let section = BenchSection(
      key: "gpio", title: "GPIO", layout: .columns,
      measurements: [
        Measurement(
          name: "gpiochip0:3", figures: [Figure("readings", "readings", 12_345)],
          losses: [Loss(reason: "dropped", count: 1_000)]),
        Measurement(name: "gpiochip0:4", figures: [Figure("readings", "readings", .infinity)]),
      ])
    XCTAssertEqual(
      section.text,
      """
      GPIO gpiochip0:3
        readings  12,345
        dropped    1,000
      GPIO gpiochip0:4
        readings  inf

      """)
    XCTAssertEqual(
      section.json,
      #""gpio": [{"name": "gpiochip0:3", "readings": 12345, "lost": [{"reason": "dropped", "count": 1000}]}, "#
        + #"{"name": "gpiochip0:4", "readings": null}]"#)
  }
}
