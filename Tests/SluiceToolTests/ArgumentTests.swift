import XCTest

@testable import SluiceTool

final class ArgumentTests: XCTestCase {
  func testDurations() {
    for (text, nanoseconds) in [
      ("250us", 250_000), ("10ms", 10_000_000), ("1.5s", 1_500_000_000), ("2m", 120_000_000_000), ("7ns", 7),
    ] {
      XCTAssertEqual(DurationArgument(argument: text)?.nanoseconds, Int64(nanoseconds), text)
    }
    for text in ["", "s", "1", "-1s", "0s", "1 s", "1e3s", "1x", "99999999999999h", "0.1ns", "1.2.3s"] {
      XCTAssertNil(DurationArgument(argument: text), text)
    }
    XCTAssertEqual(DurationArgument(nanoseconds: 1_500_000).defaultValueDescription, "1500us")
  }

  func testCollect() {
    XCTAssertEqual(CollectArgument(argument: "50")?.count, 50)
    XCTAssertEqual(CollectArgument(argument: "1s")?.interval?.nanoseconds, 1_000_000_000)
    XCTAssertEqual(CollectArgument(argument: "50,1s")?.count, 50)
    XCTAssertEqual(CollectArgument(argument: "1s,50")?.interval?.nanoseconds, 1_000_000_000)
    for text in ["", "0", "-1", "50,", "50,50", "1s,1s", "a"] { XCTAssertNil(CollectArgument(argument: text), text) }
  }

  func testDevices() {
    XCTAssertEqual(DeviceArgument(argument: "gpiochip0:3,4")?.parts, ["3", "4"])
    XCTAssertEqual(DeviceArgument(argument: "iio:device0:x")?.device, "iio:device0")
    XCTAssertEqual(DeviceArgument(argument: "iio:device0")?.parts, [])
    for text in ["", ":3", "a:"] { XCTAssertNil(DeviceArgument(argument: text), text) }
    XCTAssertEqual(PollArgument(argument: "/a@b/c@10ms")?.path, "/a@b/c")
    for text in ["/a", "@1s", "/a@", "/a@soon"] { XCTAssertNil(PollArgument(argument: text), text) }
  }

  func testNumbersForPeople() {
    XCTAssertEqual([0, 999, 1_000, -1_234_567].map(grouped), ["0", "999", "1,000", "-1,234,567"])
    XCTAssertEqual(fixed(0.005, 2), "0.01")
    XCTAssertEqual(fixed(-12.345, 1), "-12.3")
    XCTAssertEqual(quoted("a\"\\\n\u{1}"), "\"a\\\"\\\\\\n\\u0001\"")
  }

  func testCommandLinesThatAreRefused() {
    for line in [
      "record -o x", "record --timer 1ms", "record --timer nope -o x", "record --gpio chip -o x",
      "record --timer 1s --edges rising -o x",
      "record --timer 1s --trigger t -o x", "record --timer 1s --append --force -o x", "record --timer 1s --first -o x",
      "record --timer 1s --buffer -1 -o x", "record --timer 1s --count 0 -o x", "record --gpio c:1 --fifo 0 -o x",
      "replay", "replay x --rate 0 -o y", "replay x --time-unit h -o y", "nonsense",
    ] {
      XCTAssertThrowsError(try SluiceCommand.parseAsRoot(line.split(separator: " ").map(String.init)), line)
    }
    XCTAssertNoThrow(try SluiceCommand.parseAsRoot(["record", "--timer", "1ms", "-o", "-"]))
  }
}
