import SluiceReadings
import XCTest

@testable import SluiceLive

/// What is kept of the readings, compared with all of them.
final class LiveReadingsTests: XCTestCase {
  private struct Row {
    var time: Int64
    var flags: UInt8
    var values: [Double]
  }

  private struct Random: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) ^ (state << 31)
    }
  }

  private func stream(_ name: String, _ channels: Int) -> StreamDescription {
    StreamDescription(name: name, channels: (0..<channels).map { .init(name: "c\($0)") })
  }

  private func reading(_ row: Row, _ stream: UInt16) -> Reading {
    Reading(
      time: row.time, stream: StreamID(stream),
      values: Values(row.values.map { $0.isNaN ? ExactDecimal.missing : ExactDecimal(significand: Int64($0)) }),
      flags: Reading.Flags(rawValue: row.flags))
  }

  /// The columns by hand. Each column found has to have the readings of its times, and all together each reading once.
  private func check(
    _ found: LiveColumns, _ rows: [Row], _ range: ClosedRange<Int64>, power: Int, file: StaticString = #filePath,
    line: UInt = #line
  ) {
    let sorted = rows.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
    let width = Int64(1) << Int64(power)
    for index in 0..<found.count {
      let (first, last) = (found.firstTimes[index], found.lastTimes[index])
      XCTAssertEqual(first >> Int64(power), found.numbers[index], "the number of a column", file: file, line: line)
      if index > 0 { XCTAssertGreaterThan(first, found.lastTimes[index - 1], "order", file: file, line: line) }
      let own = sorted.filter { $0.time >= first && $0.time <= last }
      XCTAssertEqual(own.count, found.counts[index], "count", file: file, line: line)
      XCTAssertEqual(
        own.reduce(0) { $0 | $1.flags }, found.flags[index] & ~LiveColumns.exact, "flags", file: file, line: line)
      if found.flags[index] & LiveColumns.exact != 0 {
        XCTAssertEqual(first >> Int64(power), last >> Int64(power), "an exact column is one", file: file, line: line)
      }
      for channel in 0..<found.channels {
        let values = own.map { $0.values[channel] }.filter { !$0.isNaN }
        let four = Array(found.values[(index * found.width + channel * 4)...].prefix(4))
        let wanted = [values.min(), values.max(), values.first, values.last].map { $0 ?? .nan }
        XCTAssertEqual(four.map(\.bitPattern), wanted.map(\.bitPattern), "values", file: file, line: line)
      }
    }
    // Nothing within the range is missing, and the nearest readings beside it are there.
    let inside = sorted.filter { $0.time >= range.lowerBound && $0.time <= range.upperBound }
    for row in inside {
      XCTAssertTrue(
        (0..<found.count).contains { found.firstTimes[$0] <= row.time && found.lastTimes[$0] >= row.time },
        "the reading at \(row.time) is missing", file: file, line: line)
    }
    let start = (range.lowerBound >> Int64(power)) << Int64(power)
    let end = start &+ (((range.upperBound >> Int64(power)) - (range.lowerBound >> Int64(power)) + 1) * width)
    if let before = sorted.last(where: { $0.time < start }) {
      XCTAssertTrue(found.lastTimes.contains { $0 >= before.time && $0 < end }, "before", file: file, line: line)
      XCTAssertTrue(
        (0..<found.count).contains { found.firstTimes[$0] <= before.time && found.lastTimes[$0] >= before.time },
        "the reading before", file: file, line: line)
    }
    if let after = sorted.first(where: { $0.time >= end }) {
      XCTAssertTrue(
        (0..<found.count).contains { found.firstTimes[$0] <= after.time && found.lastTimes[$0] >= after.time },
        "the reading after", file: file, line: line)
    }
  }

  func testColumnsAreThoseOfAllReadings() {
    for seed in 0..<12 as Range<UInt64> {
      var random = Random(state: seed &* 77 &+ 1)
      let channels = [1, 3, 9, 64][Int(random.next() % 4)]
      let described = stream("s", channels)
      // So little memory that most readings leave it.
      let live = LiveReadings(window: 4 * LiveBlocks.bytes, history: 64 * LiveColumns.bytes(channels: channels)) {
        [described]
      }
      var rows: [Row] = []
      var time = Int64(1_790_000_000_000_000_000)
      for _ in 0..<(500 + Int(random.next() % 2_000)) {
        // Mostly forward; now and then a reading that is late, a silence, or an equal time.
        switch random.next() % 50 {
        case 0: time += Int64(random.next() % 5_000_000_000)
        case 1: break
        default: time += Int64(random.next() % 2_000_000)
        }
        let late = seed % 2 == 0 && random.next() % 40 == 0 ? Int64(random.next() % 3_000_000) : 0
        // What is missing in a reading that is late: of such a column, the first and the last value are not exact.
        let missing: UInt64 = seed % 2 == 0 ? 0 : 5
        let values = (0..<channels).map { _ in
          random.next() % 20 < missing ? Double.nan : Double(Int64(random.next() % 2_001) - 1_000)
        }
        rows.append(Row(time: time - late, flags: random.next() % 30 == 0 ? 1 : 0, values: values))
      }
      var begin = 0
      while begin < rows.count {
        let end = min(rows.count, begin + 1 + Int(random.next() % 90))
        live.take(rows[begin..<end].map { reading($0, 0) }[...])
        begin = end
        guard random.next() % 8 == 0 || begin == rows.count else { continue }
        let soFar = Array(rows[..<begin])
        let (low, high) = (soFar.map(\.time).min() ?? 0, soFar.map(\.time).max() ?? 0)
        let power = 12 + Int(random.next() % 24)
        let from = low - 1_000 + Int64(random.next() % UInt64(high - low + 2_000))
        let range = from...(from + Int64(random.next() % UInt64(high - low + 1)))
        guard let found = live.columns(of: 0, range, power: power) else { return XCTFail("no stream") }
        check(found, soFar, range, power: power)
      }
    }
  }

  func testASpikeIsSeenAtEveryZoom() throws {
    let described = stream("s", 1)
    let live = LiveReadings { [described] }
    let start = Int64(1_790_000_000_000_000_000)
    // One is among the columns in the end, and one among the single readings.
    let (count, spikes) = (1_000_000, [123_457, 876_543])
    for begin in stride(from: 0, to: count, by: 1_000) {
      let run = (begin..<(begin + 1_000)).map { index -> Reading in
        let value: Int64 = spikes.contains(index) ? 1_000_000 : Int64(index % 7)
        return Reading(time: start + Int64(index) * 100_000, stream: StreamID(0), values: Values(value))
      }
      live.take(run[...])
    }
    XCTAssertGreaterThan(try XCTUnwrap(live.exactFrom(0)), start + Int64(spikes[0]) * 100_000)
    XCTAssertLessThan(try XCTUnwrap(live.exactFrom(0)), start + Int64(spikes[1]) * 100_000)
    for spike in spikes {
      let at = start + Int64(spike) * 100_000
      for power in 10...50 {
        let half = Int64(500) << Int64(power)
        let columns = try XCTUnwrap(live.columns(of: 0, max(start, at - half)...(at + half), power: power))
        let seen = (0..<columns.count).filter {
          columns.values[$0 * 4 + 1] == 1_000_000 && columns.firstTimes[$0] <= at && columns.lastTimes[$0] >= at
        }
        XCTAssertEqual(seen.count, 1, "2^\(power) ns")
      }
    }
    let all = try XCTUnwrap(live.columns(of: 0, start...(start + 100_000_000_000), power: 27))
    XCTAssertEqual(all.counts.reduce(0, +), count)
  }

  func testASlowStreamKeepsItsReadingsBesideAFastOne() throws {
    let described = [stream("fast", 6), stream("slow", 1)]
    let live = LiveReadings(window: 16 * LiveBlocks.bytes, history: 1 << 20) { described }
    for index in 0..<100_000 {
      let time = Int64(index) * 100_000
      let fast = Reading(time: time, stream: StreamID(0), values: [1, 2, 3, 4, 5, 6])
      let slow = Reading(time: time, stream: StreamID(1), values: [Int64(index)])
      live.take(index % 10_000 == 0 ? [fast, slow] : [fast])
    }
    XCTAssertEqual(live.exactFrom(1), .min)
    XCTAssertGreaterThan(try XCTUnwrap(live.exactFrom(0)), 9_000_000_000)
    XCTAssertEqual(try XCTUnwrap(live.columns(of: 1, 0...10_000_000_000, power: 20)).count, 10)
    XCTAssertEqual(live.newest[1].values, [90_000])
  }

  func testAStreamThatAppearsLate() throws {
    let names = Locked<[StreamDescription]>([stream("first", 1)])
    let live = LiveReadings { names.value }
    live.take([Reading(time: 5, stream: StreamID(0), values: [1])])
    XCTAssertNil(live.columns(of: 1, 0...10, power: 0))
    names.value.append(stream("second", 2))
    live.take([Reading(time: 6, stream: StreamID(1), values: [2, 3])])
    let columns = try XCTUnwrap(live.columns(of: 1, 0...10, power: 0))
    XCTAssertEqual(columns.values, [2, 2, 2, 2, 3, 3, 3, 3])
    XCTAssertEqual(live.range, 5...6)
  }

  func testManyStreamsStayWithinTheMemory() {
    let described = (0..<5_000).map { stream("s\($0)", 2) }
    let live = LiveReadings(window: 64 * LiveBlocks.bytes, history: 1 << 20) { described }
    for round in 0..<3 {
      live.take(
        described.indices.map { Reading(time: Int64(round), stream: StreamID(UInt16($0)), values: [1, 2]) }[...])
    }
    XCTAssertEqual(live.streamCount, LiveReadings.mostStreams)
    XCTAssertEqual(live.newest.reduce(0) { $0 + $1.received }, 3 * LiveReadings.mostStreams)
  }

  func testAWrongTimeSpoilsNothing() throws {
    let described = stream("s", 1)
    let live = LiveReadings(window: 4 * LiveBlocks.bytes, history: 100 * LiveColumns.bytes(channels: 1)) { [described] }
    live.take([Reading(time: .min, stream: StreamID(0), values: [7])])
    live.take([Reading(time: .max, stream: StreamID(0), values: [8])])
    let start = Int64(1_790_000_000_000_000_000)
    for index in 0..<50 {
      live.take([Reading(time: start + Int64(index) * 1_000_000, stream: StreamID(0), values: [Int64(index)])])
    }
    let columns = try XCTUnwrap(live.columns(of: 0, start...(start + 49_000_000), power: 16))
    XCTAssertEqual(columns.counts.filter { $0 == 1 }.count, 52)
  }

  func testValuesAreTheNearestDoubles() {
    var random = Random(state: 9)
    for _ in 0..<20_000 {
      let value = ExactDecimal(
        significand: Int64(bitPattern: random.next()) >> Int64(random.next() % 63),
        exponent: Int8(random.next() % 40) - 20)
      let channel = StreamDescription.Channel(
        name: "c", scale: ExactDecimal(significand: Int64(random.next() % 1_000_000), exponent: -9),
        offset: ExactDecimal(significand: Int64(random.next() % 100)))
      let described = StreamDescription(name: "s", channels: [channel])
      let text = value.scaled(by: channel.scale, offset: channel.offset)?.description
      let found = ScaledDouble(channel, of: described)(value)
      XCTAssertEqual(found.bitPattern, (text.flatMap(Double.init) ?? .nan).bitPattern, "\(value)")
    }
  }
}

/// A value that several closures have.
private final class Locked<Value>: @unchecked Sendable {
  // Used by one thread at a time.
  var value: Value
  init(_ value: Value) { self.value = value }
}
