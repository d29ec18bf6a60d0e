import XCTest

@testable import SluiceDevices
@testable import SluicePipeline
@testable import SluiceReadings
@testable import SluiceTool

final class GPIOChipKindTests: XCTestCase {
  private func chip(led consumer: String?) -> GPIOChipInfo {
    GPIOChipInfo(
      path: "/dev/gpiochip0", name: "gpiochip0", label: "sim8",
      lines: [
        GPIOLineInfo(offset: 0, name: nil, consumer: nil, isOutput: false, isActiveLow: false),
        GPIOLineInfo(offset: 3, name: "LED", consumer: consumer, isOutput: true, isActiveLow: true, bias: .pullUp),
      ])
  }

  func testListing() {
    let listing = GPIOListing(chips: [chip(led: "leds")])
    XCTAssertEqual(
      listing.blocks,
      [
        [
          "gpiochip0 [sim8] 2 lines",
          "  line  name  direction  bias     polarity     used by",
          "  0     -     input      as-is    active high  -",
          "  3     LED   output     pull-up  active low   leds",
        ]
      ])
    XCTAssertEqual(
      JSON.object(listing.members).text,
      #"{"gpio": [{"name": "gpiochip0", "path": "/dev/gpiochip0", "label": "sim8", "lines": ["#
        + #"{"offset": 0, "name": null, "consumer": null, "direction": "input", "active_low": false, "bias": "as-is"}, "#
        + #"{"offset": 3, "name": "LED", "consumer": "leds", "direction": "output", "active_low": true, "#
        + #""bias": "pull-up"}]}]}"#)
  }

  func testBusyLines() {
    let kind = GPIOChipKind()
    XCTAssertEqual(kind.busyLines([]), [])
    XCTAssertEqual(kind.busyLines([chip(led: nil)]), [.ok("busy lines", "none: every line can be recorded")])
    XCTAssertEqual(
      kind.busyLines([chip(led: nil), chip(led: "leds")]),
      [
        .ok(
          "busy lines", "gpiochip0: 3 LED (leds)", "they cannot be recorded while the one in parentheses has them")
      ])
  }
}
