import SluiceReadings
import XCTest

@testable import RoundTrip

/// What a file keeps: one test a rule.
final class KeptTests: XCTestCase {
  private let streams = [
    StreamDescription(
      name: "imu",
      channels: [
        .init(
          name: "x", unit: "g", scale: ExactDecimal(significand: 25, exponent: -1),
          offset: ExactDecimal(significand: -1)),
        .init(name: "y"),
      ]),
    StreamDescription(name: "door", channels: [.init(name: "level", format: StreamDescription.Channel.level)]),
    StreamDescription(name: "silent", channels: [.init(name: "t")]),
    StreamDescription(name: "left out", channels: []),
  ]

  private func run(_ readings: [(Int64, Int, [ExactDecimal], Reading.Flags)]) -> Run {
    Run(
      Trace(
        streams: streams,
        readings: readings.map { time, stream, numbers, flags in
          var values = Values()
          for number in numbers { values.append(number) }
          return Reading(time: time, stream: StreamID(UInt16(stream)), values: values, flags: flags)
        }))
  }

  private func door(_ time: Int64, _ level: Int64, _ flags: Reading.Flags = []) -> (
    Int64, Int, [ExactDecimal], Reading.Flags
  ) {
    (time, 1, [ExactDecimal(significand: level)], flags)
  }

  private func imu(_ time: Int64, _ flags: Reading.Flags = []) -> (Int64, Int, [ExactDecimal], Reading.Flags) {
    (time, 0, [ExactDecimal(significand: 12_345, exponent: -2), .missing], flags)
  }

  private func rows(_ runs: [Run], _ format: String, _ change: (inout FileOptions) -> Void = { _ in }) -> [Contents.Row]
  {
    var options = FileOptions(format: format)
    change(&options)
    return kept(runs, in: options).contents.rows
  }

  func testAllFormatsKeepNamesTimesAndValuesInTheirUnit() {
    for format in ["csv", "jsonl", "sqlite", "vcd", "influx"] {
      let kept = kept([run([imu(5), door(6, 1)])], in: FileOptions(format: format))
      XCTAssertEqual(kept.contents.streams.map { String(decoding: $0.name, as: UTF8.self) }, ["imu", "door", "silent"])
      XCTAssertEqual(kept.contents.streams[0].channels[0].unit, Array("g".utf8))
      // (123.45 - 1) * 2.5
      XCTAssertEqual(kept.contents.rows[0].values, [Number(306_125, -3), nil])
      XCTAssertEqual(kept.contents.rows.map(\.time), [5, 6])
      XCTAssertEqual(kept.unwritten, 0)
    }
  }

  func testNamesThatLookTheSameAreTwo() {
    let composed = Contents(Trace(streams: [StreamDescription(name: "\u{e9}", channels: [.init(name: "x")])]))
    let decomposed = Contents(Trace(streams: [StreamDescription(name: "e\u{301}", channels: [.init(name: "x")])]))
    XCTAssertNotEqual(composed, decomposed)
  }

  func testDecimalsRoundValuesButNoLevelsAndNoDatabase() {
    let runs = [
      run([
        imu(1), (2, 0, [ExactDecimal(significand: 8, exponent: -1), ExactDecimal(significand: -5, exponent: -1)], []),
        door(3, 1),
      ])
    ]
    for (format, expected) in [("csv", Number(306, 0)), ("vcd", Number(306, 0)), ("sqlite", Number(306_125, -3))] {
      let rows = rows(runs, format) { $0.decimals = 0 }
      XCTAssertEqual(rows[0].values[0], expected, format)
      XCTAssertEqual(rows[2].values, [Number(1, 0)])
    }
    // (0.8 - 1) * 2.5 = -0.5, and a half is rounded away from zero.
    XCTAssertEqual(rows(runs, "jsonl") { $0.decimals = 0 }[1].values, [Number(-1, 0), Number(-1, 0)])
  }

  func testReadersRoundTo64Bits() {
    XCTAssertEqual(Number(9_223_372_036_854_775_807, 0).nearestOf64Bits, Number(9_223_372_036_854_775_807, 0))
    XCTAssertEqual(Number(-9_223_372_036_854_775_815, 0).nearestOf64Bits, Number(-922_337_203_685_477_582, 1))
    XCTAssertEqual(Number(99_999_999_999_999_999_999, -3).nearestOf64Bits, Number(1, 17))
    let large = run([
      (1, 1, [ExactDecimal(significand: .max)], []), (2, 0, [ExactDecimal(significand: 4_611_686_018_427_387_903)], []),
    ])
    // 4611686018427387902 * 2.5 is above the largest number of 64 bits.
    XCTAssertEqual(rows([large], "jsonl")[1].values[0], Number(1_152_921_504_606_846_976, 1))
    XCTAssertTrue(kept([large], in: FileOptions(format: "csv")).isRounded)
    XCTAssertEqual(rows([large], "influx")[1].values[0], Number(11_529_215_046_068_469_755, 0))
  }

  func testVCDLeavesOutTimesThatGoBackAndOtherLevels() {
    let kept = kept(
      [run([door(5, 1), door(4, 0), door(5, 0), door(6, 2), door(7, 1)])], in: FileOptions(format: "vcd"))
    XCTAssertEqual(kept.contents.rows.map(\.time), [5, 5, 7])
    XCTAssertEqual(kept.unwritten, 2)
    XCTAssertEqual(rows([run([door(.min, 1), door(.max, 0), door(0, 1)])], "vcd").map(\.time), [.min])
  }

  func testTimesInPartsOfVCDBeginAnew() {
    let run = run([door(-1, 1), door(12, 1), door(11, 0), door(25, 1), door(13, 0), door(26, 1)])
    XCTAssertEqual(rows([run], "vcd") { $0.period = 10 }.map(\.time), [-1, 12, 25, 26])
  }

  func testLineProtocolLeavesOutAReadingWithoutAnything() {
    let nothing: [ExactDecimal] = [.missing, .missing]
    let kept = kept([run([(1, 0, nothing, []), (2, 0, nothing, .gapBefore)])], in: FileOptions(format: "influx"))
    XCTAssertEqual(kept.contents.rows.map(\.time), [2])
    XCTAssertEqual(kept.unwritten, 1)
  }

  func testRowsOfJSONLinesHaveTheirFlags() {
    let runs = [run([door(5, 1), door(5, 0, [.gapBefore, .late]), door(4, 1, .initialLevel)])]
    for format in ["jsonl", "sqlite"] {
      XCTAssertEqual(rows(runs, format).map(\.flags), [[], [.gapBefore, .late], .initialLevel])
    }
  }

  func testFlagsOfCSVAreTimes() {
    let runs = [run([door(5, 1), door(5, 0, [.gapBefore, .late]), door(4, 1, .initialLevel)])]
    XCTAssertEqual(rows(runs, "csv").map(\.flags), [[.gapBefore, .late], [], .initialLevel])
  }

  /// A stage has left out the reading after the gap.
  func testAGapWhoseReadingIsLeftOutIsBeforeTheNextRow() {
    var left = run([door(5, 1), door(8, 0)])
    left.noted[1] = run([door(5, 1), door(7, 1, .gapBefore), door(8, 0)]).noted[1]
    for format in ["csv", "jsonl"] { XCTAssertEqual(rows([left], format).map(\.flags), [[], .gapBefore], format) }
  }

  func testTheTimeBetweenTwoRunsOfARecordingIsAGap() {
    let runs = [run([door(1, 1), imu(2)]), run([door(5, 0), door(6, 1)]), run([imu(8)])]
    let recorded = rows(runs, "csv") { $0.isRecorded = true }
    XCTAssertEqual(recorded.map(\.flags), [[], [], [.gapBefore, .restart], [], [.gapBefore, .restart]])
    XCTAssertEqual(rows(runs, "csv").map(\.flags), [[], [], [], [], []])
  }

  func testSilentStreamsOfAFolderInPartsHaveNoFile() {
    var options = FileOptions(format: "csv")
    (options.isFolder, options.hasParts) = (true, true)
    XCTAssertEqual(kept([run([door(1, 1)])], in: options).contents.streams.count, 1)
  }
}
