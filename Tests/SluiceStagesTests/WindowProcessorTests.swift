import SluiceReadings
import XCTest

@testable import SluiceStages

final class WindowProcessorTests: XCTestCase {
  private let imu = StreamDescription(
    name: "imu", channels: [.init(name: "x", unit: "g", format: "le:s16/16>>0"), .init(name: "y")])
  private let mark = { (time: Int64) in Reading(time: time, stream: .none, values: []) }

  private func reading(_ time: Int64, _ values: Values, _ flags: Reading.Flags = [], of stream: UInt16 = 0) -> Reading {
    Reading(time: time, stream: StreamID(stream), values: values, flags: flags)
  }

  /// The clock was set: no window per millisecond of fifty years.
  func testAJumpOfYearsBeginsAnew() throws {
    let year: Int64 = 365 * 86_400 * 1_000_000_000
    XCTAssertEqual(
      try frequency([(0, 1), (500_000_000, 0), (1_500_000_000, 1), (50 * year, 0), (50 * year + 1_500_000_000, 1)])
        .count, 4)
    let last = try Resample(interval: 10, .last, inputs: InputStreams([imu]))
    XCTAssertEqual(
      outputs(of: last, [reading(1, [1, 1]), reading(50 * year, [2, 2])]).map(\.time), [10, 50 * year + 10])
    let linear = try Interpolation(interval: 10, inputs: InputStreams([imu]))
    XCTAssertEqual(outputs(of: linear, [reading(1, [1, 1]), reading(50 * year, [2, 2])]).map(\.time), [50 * year])
  }

  /// The window of an edge after a gap, and the first window after time has begun anew.
  func testAFrequencyThatIsNotKnown() throws {
    let second: Int64 = 1_000_000_000
    let edges: [(Int64, Int64)] = [(0, 1), (second, 0), (second + 1, 1), (3 * second, 0), (4 * second, 1)]
    XCTAssertEqual(
      try frequency(edges, flags: [3: .gapBefore]).map { $0.hasSuffix("-") || $0.hasSuffix("- gap") },
      [false, false, false, true, true])
    let anew: [(Int64, Int64)] = [
      (100 * second, 1), (101 * second, 0), (5 * second, 1), (6 * second, 0), (7 * second, 1),
    ]
    XCTAssertEqual(try frequency(anew).map { $0.hasSuffix("-") }, [false, true, false, false, true])
  }

  // MARK: Reduce

  private func reduced(_ readings: [Reading], _ functions: [Reduce.Function] = [.min, .max, .count]) throws -> [String]
  {
    let processor = try Reduce(interval: 10, functions, inputs: InputStreams([imu]))
    return outputs(of: processor, readings).map(\.text)
  }

  func testAWindowIncludesItsStartAndNotItsEnd() throws {
    XCTAssertEqual(
      try reduced([reading(10, [1, 7]), reading(19, [3, 6]), reading(20, [5, 5])]),
      ["20: 1 3 2 6 7 2", "30: 5 5 1 5 5 1"])
  }

  func testItsChannels() throws {
    let processor = try Reduce(interval: 10, [.mean, .count], inputs: InputStreams([imu]))
    XCTAssertEqual(processor.streams[0].channels.map(\.name), ["x_mean", "x_count", "y_mean", "y_count"])
    XCTAssertEqual(processor.streams[0].channels.map(\.unit), ["g", nil, nil, nil])
    XCTAssertEqual(processor.streams[0].channels.map(\.format), [nil, nil, nil, nil])
  }

  func testAWindowWithoutReadingsGivesNone() throws {
    XCTAssertEqual(
      try reduced([reading(1, [1, 1]), reading(1_001, [2, 2])]), ["10: 1 1 1 1 1 1", "1010: 2 2 1 2 2 1"])
  }

  func testTimesBeforeTheEpoch() throws {
    XCTAssertEqual(
      try reduced([reading(-11, [1, 1]), reading(-10, [2, 2]), reading(-1, [3, 3])], [.count]), ["-10: 1 1", "0: 2 2"])
  }

  func testAGapIsFlaggedOnItsWindow() throws {
    XCTAssertEqual(
      try reduced(
        [reading(1, [1, 1]), reading(12, [2, 2], .gapBefore), reading(13, [2, 2]), reading(21, [3, 3])], [.count]),
      ["10: 1 1", "20: 2 2 gap", "30: 1 1"])
  }

  /// A late reading counts in the open window; one from before the window before begins anew.
  func testTimesThatGoBack() throws {
    XCTAssertEqual(try reduced([reading(12, [1, 1]), reading(3, [2, 2])], [.count]), ["20: 2 2"])
    XCTAssertEqual(try reduced([reading(112, [1, 1]), reading(3, [2, 2])], [.count]), ["120: 1 1", "10: 1 1"])
  }

  func testExtremeTimes() throws {
    XCTAssertEqual(
      try reduced([reading(.min, [1, 1]), reading(.max, [2, 2])], [.count]).map { $0.split(separator: ":")[1] },
      [" 1 1", " 1 1"])
  }

  func testAClockEndsWindows() throws {
    var processor = try Reduce(interval: 10, [.count], inputs: InputStreams([imu]))
    var made: [Reading] = []
    processor.receive(reading(1, [1, 1]), into: &made)
    XCTAssertEqual(made, [])
    processor.receive(mark(10), into: &made)
    XCTAssertEqual(made.map(\.time), [10, 10])
    XCTAssertEqual(made[0].text, "10: 1 1")
    XCTAssertEqual(made[1], mark(10))
    processor.finish(into: &made)
    XCTAssertEqual(made.count, 2)
  }

  func testTooManyChannels() {
    let wide = StreamDescription(name: "wide", channels: (0..<20).map { .init(name: "c\($0)") })
    XCTAssertThrowsError(try Reduce(interval: 10, Reduce.Function.allCases, inputs: InputStreams([wide]))) {
      XCTAssertEqual(
        "\($0)",
        "cannot reduce wide: it would have 80 channels, and a reading has at most 64; choose fewer functions or fewer channels"
      )
    }
    XCTAssertThrowsError(try Reduce(interval: 10, [.min], inputs: InputStreams([], more: { [] })))
  }

  // MARK: Resample

  private func resampled(_ function: Resample.Function, _ readings: [Reading]) throws -> [String] {
    let processor = try Resample(interval: 10, function, inputs: InputStreams([imu, LineBench.line]))
    return outputs(of: processor, readings).map { "\($0.stream.index)@\($0.text)" }
  }

  func testTheMeanOfEachWindow() throws {
    XCTAssertEqual(
      try resampled(.mean, [reading(1, [1, 4]), reading(2, [2, 4]), reading(35, [7, 7])]),
      ["0@10: 1.500 4.000", "0@40: 7.000 7.000"])
  }

  func testTheLastValuesAreRepeated() throws {
    XCTAssertEqual(
      try resampled(.last, [reading(1, [1, 4]), reading(2, [2, 4]), reading(35, [7, 7])]),
      ["0@10: 2 4", "0@20: 2 4", "0@30: 2 4", "0@40: 7 7"])
  }

  func testTheLevelOfALineIsItsLast() throws {
    XCTAssertEqual(
      try resampled(
        .mean, [reading(1, [1], of: 1), reading(2, [0], of: 1), reading(3, [1], of: 1), reading(25, [0], of: 1)]),
      ["1@10: 1", "1@20: 1", "1@30: 0"])
  }

  // MARK: Frequency

  private func frequency(
    _ edges: [(Int64, Int64)], flags: [Int: Reading.Flags] = [:], until end: Int64? = nil,
    interval: Int64 = 1_000_000_000
  ) throws -> [String] {
    let processor = try Frequency(interval: interval, inputs: InputStreams([LineBench.line]))
    let readings = LineBench.readings(edges, flags: flags) + (end.map { [mark($0)] } ?? [])
    return outputs(of: processor, readings).filter { $0.stream != .none }.map(\.text)
  }

  func testEdgesAndPeriodsPerSecond() throws {
    let wave = (0..<40).map { (Int64($0) * 100_000_000, Int64($0 % 2)) }
    XCTAssertEqual(
      try frequency(wave, flags: [0: .initialLevel]),
      ["1000000000: 9 5.00000", "2000000000: 10 5.00000", "3000000000: 10 5.00000", "4000000000: 10 -"])
  }

  func testAWindowWithoutAnEdgeGivesZeroUntilTheEnd() throws {
    XCTAssertEqual(
      try frequency([(500_000_000, 1), (3_100_000_000, 1)], until: 5_000_000_000),
      [
        "1000000000: 1 -", "2000000000: 0 0.000", "3000000000: 0 0.000", "4000000000: 1 1.00000", "5000000000: 0 0.000",
      ])
  }

  /// A rain gauge gives a pulse per hour, a fan thousands per second.
  func testSixDigitsWhateverTheWindow() throws {
    let hour: Int64 = 3_600_000_000_000
    var rain: [(Int64, Int64)] = []
    for start in stride(from: 0, to: 4 * hour, by: Int64.Stride(hour)) {
      rain += [(start + 30_000_000_000, 1), (start + 31_000_000_000, 0)]
    }
    XCTAssertEqual(
      try frequency(rain, until: 4 * hour, interval: hour),
      [
        "3600000000000: 2 -", "7200000000000: 2 0.000277778", "10800000000000: 2 0.000277778",
        "14400000000000: 2 0.000277778",
      ])
    let fan = (0..<20_000).map { (Int64($0) * 300_000, Int64($0 % 2)) }
    XCTAssertEqual(
      try frequency(fan, until: 6_000_000_000, interval: 3_000_000_000),
      ["3000000000: 10000 1666.667", "6000000000: 10000 1666.667"])
  }

  /// Each is made when it is asked for: a year of windows fills no memory.
  func testALongSilence() throws {
    var processor = try Frequency(interval: 1_000, inputs: InputStreams([LineBench.line]))
    var made: [Reading] = []
    processor.receive(reading(0, [1]), into: &made)
    XCTAssertEqual(made, [])
    processor.receive(reading(31_536_000_000_000_000, [0]), into: &made)
    for _ in 0..<200 {
      XCTAssertTrue(processor.hasMore)
      XCTAssertLessThan(made.count, 1_000)
      let last = made.last?.time ?? 0
      made = []
      processor.resume(into: &made)
      XCTAssertEqual(made.first?.time, last + 1_000)
    }
  }
}
