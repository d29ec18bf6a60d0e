import XCTest

@testable import SluicePipeline

final class TimeSpanTests: XCTestCase {
  func testWhatIsPrintedReadsBack() {
    let large: [Int64] = [
      .max, .max - 1, 9_007_199_254_740_993, 9_007_199_254_740_993_000, 9_223_372_036_854_775_000,
      9_223_372_036_000_000_000, 3_600_000_000_000, 86_400_000_000_001,
    ]
    for nanoseconds in [1, 7, 999, 1_000, 1_001, 1_500_000, 1_000_000_000, 60_000_000_000] + large {
      let span = TimeSpan(nanoseconds: nanoseconds)
      XCTAssertEqual(TimeSpan(span.description), span, span.description)
    }
    var number: Int64 = 1
    while number < .max / 7 {
      number = number * 7 - 3
      let span = TimeSpan(nanoseconds: number)
      XCTAssertEqual(TimeSpan(span.description), span, span.description)
    }
  }

  func testWhatDoesNotFitIsNone() {
    for text in ["9223372036854775808ns", "9223372036854776us", "2562048h", "0ns", "0s", "00", "-1s", "1.5", "ns"] {
      XCTAssertNil(TimeSpan(text), text)
    }
    XCTAssertEqual(TimeSpan("9223372036854775807ns")?.nanoseconds, .max)
    XCTAssertEqual(TimeSpan("2562047h")?.nanoseconds, 2_562_047 * 3_600_000_000_000)
  }

  func testAPeriodIsATimeOrARate() {
    for (text, nanoseconds) in [
      ("100ms", 100_000_000), ("10Hz", 100_000_000), ("2.5kHz", 400_000), ("1MHz", 1_000), ("50mHz", 20_000_000_000),
      ("44.1kHz", 22_676), ("3Hz", 333_333_333), ("1000MHz", 1),
    ] as [(String, Int64)] {
      XCTAssertEqual(TimeSpan(period: text)?.nanoseconds, nanoseconds, text)
    }
    for text in ["0Hz", "-1Hz", "Hz", "10 Hz", "10hz", "2000MHz", "10"] { XCTAssertNil(TimeSpan(period: text), text) }
  }

  func testThoseMadeOfNumbersAreWithinTheLimits() {
    XCTAssertEqual(TimeSpan.milliseconds(100).description, "100ms")
    XCTAssertEqual(TimeSpan.seconds(90), TimeSpan("1.5m"))
    XCTAssertEqual([TimeSpan.seconds(0), .nanoseconds(-1), .seconds(.min)].map(\.nanoseconds), [1, 1, 1])
    XCTAssertEqual(TimeSpan.seconds(.max).nanoseconds, .max)
  }
}
