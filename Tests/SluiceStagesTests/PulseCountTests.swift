import SluiceReadings
import XCTest

@testable import SluiceStages

final class PulseCountTests: XCTestCase {
  private let half = ExactDecimal(significand: 5, exponent: -1)

  func testEachPulseIsAnAmount() throws {
    let count = try PulseCount(amount: half, unit: "l")
    XCTAssertEqual(count.channels.map(\.name), ["count", "total", "rate"])
    XCTAssertEqual(count.channels.map(\.unit), [nil, "l", "l/s"])
    let second: Int64 = 1_000_000_000
    XCTAssertEqual(
      try count.texts([(0, 0), (second, 1), (2 * second, 0), (4 * second, 1), (5 * second, 0), (5 * second + 1, 1)]),
      ["0: 1 0.5 -", "2000000000: 2 1.0 0.250000", "5000000000: 3 1.5 0.166667"])
    XCTAssertEqual(
      try count.texts([(0, 0), (10, 1), (20, 0), (30, 1)], flags: [0: .initialLevel]),
      ["10: 1 0.5 -", "30: 2 1.0 25000000.0"])
  }

  func testWithoutAUnit() throws {
    let count = try PulseCount()
    XCTAssertEqual(count.channels.map(\.unit), [nil, nil, "1/s"])
    XCTAssertEqual(try count.texts([(0, 1), (3_000_000_000, 1)]), ["0: 1 1 -", "3000000000: 2 2 0.333333"])
  }

  func testRecordingsOfOneDirection() throws {
    for level: Int64 in [0, 1] {
      XCTAssertEqual(
        try PulseCount().readings([(1, level), (2, level), (3, level)]).map { $0.values[0].significand }, [1, 2, 3])
    }
  }

  func testAGapHasNoRate() throws {
    XCTAssertEqual(
      try PulseCount().texts([(0, 1), (5, 0), (10, 1), (20, 0), (30, 1)], flags: [2: .gapBefore]),
      ["0: 1 1 -", "10: 2 2 - gap", "30: 3 3 50000000"])
    // The flag of an edge that makes no reading.
    XCTAssertEqual(
      try PulseCount().texts([(0, 1), (5, 0), (10, 1)], flags: [1: .gapBefore]), ["0: 1 1 -", "10: 2 2 - gap"])
  }

  /// The line falls twice, so the pulse between was lost.
  func testALostPulseIsAGap() throws {
    XCTAssertEqual(
      try PulseCount().texts([(0, 1), (5, 0), (15, 0), (20, 1), (25, 0), (40, 1)]),
      ["0: 1 1 -", "20: 2 2 - gap", "40: 3 3 50000000"])
  }

  func testALevelAtTheBeginningIsNoEdge() throws {
    XCTAssertEqual(
      try PulseCount().texts(
        [(0, 1), (10, 0), (20, 1), (30, 0), (90, 1), (95, 0)], flags: [0: .initialLevel, 4: .initialLevel]),
      ["10: 1 1 -", "30: 2 2 50000000", "95: 3 3 -"])
  }

  func testWhatDoesNotFitIsMissing() throws {
    let count = try PulseCount(amount: ExactDecimal(significand: .max / 2 + 1))
    XCTAssertEqual(
      try count.texts([(0, 1), (1_000_000_000, 1)]),
      ["0: 1 4611686018427387904 -", "1000000000: 2 - 4611686018427387904"])
    XCTAssertEqual(try count.texts([(.min, 1), (.max, 1)]).last, "\(Int64.max): 2 - -")
    XCTAssertEqual(try count.texts([(0, 1), (1, 1)]).last, "1: 2 - -")
    XCTAssertEqual(try count.texts([(5, 1), (5, 1), (4, 1)]).suffix(2), ["5: 2 - -", "4: 3 - -"])
  }

  func testRatesAreRounded() throws {
    func rate(_ amount: ExactDecimal, _ nanoseconds: Int64) throws -> String {
      "\(try PulseCount(amount: amount).readings([(0, 1), (nanoseconds, 1)])[1].values[2])"
    }
    XCTAssertEqual(try rate(.one, 1_500_000_000), "0.666667")
    XCTAssertEqual(try rate(.one, 7), "142857143")
    XCTAssertEqual(try rate(ExactDecimal(significand: 1, exponent: -3), 7), "142857.143")
    XCTAssertEqual(try rate(.one, .max), "0.000000000108420")
    XCTAssertEqual(try rate(ExactDecimal(significand: 1, exponent: -100), .max).filter { $0 != "0" }, ".")
    XCTAssertEqual(try rate(ExactDecimal(significand: 1_000_005, exponent: -6), 10_000_000_000), "0.100001")
  }

  func testAMillionPulsesAreExact() throws {
    var decoder = try PulseCount(amount: ExactDecimal(significand: 123, exponent: -3), unit: "kWh")
    var outputs = EdgeOutputs()
    for number: Int64 in 0..<2_000_000 {
      if number % 10_000 == 0 { outputs = EdgeOutputs() }
      decoder.receive(Edge(time: number * 1_000, isHigh: number % 2 == 0), into: &outputs)
    }
    XCTAssertEqual(outputs.readings.last?.text, "1999998000: 1000000 123000.000 61500.000")
  }

  func testAnAmountThatIsNone() {
    for (amount, text) in [(ExactDecimal.zero, "0"), (ExactDecimal(significand: -1), "-1"), (.missing, "no amount")] {
      XCTAssertThrowsError(try PulseCount(amount: amount)) {
        XCTAssertEqual(
          "\($0)",
          "cannot count pulses of \(text): the amount of a pulse must be greater than 0; give one such as 0.5")
      }
    }
  }
}
