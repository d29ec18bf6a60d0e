import SluiceAnalysis
import SluiceReadings
import TestFiles
import XCTest

@testable import SluiceTool

final class LiveStreamTests: XCTestCase {
  private let second: Int64 = 1_000_000_000

  private func description(_ channels: Int, scale: ExactDecimal = .one, offset: ExactDecimal = .zero)
    -> StreamDescription
  {
    StreamDescription(
      name: "s",
      channels: (0..<channels).map { StreamDescription.Channel(name: "c\($0)", scale: scale, offset: offset) })
  }

  private func add(_ stream: inout LiveStream, _ time: Int64, _ values: [ExactDecimal]) {
    var reading = Reading(time: time, stream: StreamID(0), values: Values(values))
    stream.add(&reading)
  }

  /// Against the plainest way to compute the same, with times that go back and jump, and values that are missing.
  func testTheSameAsANaiveCount() {
    for seed in 0..<20 {
      var random = TestGenerator(seed: UInt64(seed))
      let channels = [1, 3, 8, 11][seed % 4]
      let offset = ExactDecimal(significand: 5, exponent: -1)
      var stream = LiveStream(description(channels, scale: ExactDecimal(significand: -2), offset: offset))
      var seen: [(time: Int64, values: [Double?])] = []
      var time: Int64 = seed % 2 == 0 ? -20 * second : 1_795_240_984 * second
      for _ in 0..<2_000 {
        switch random.next() % 100 {
        case 0: time += 45 * second
        case 1: time -= 3 * second
        default: time += Int64(random.next() % 90_000_000)
        }
        let values = (0..<channels).map { _ in
          random.next() % 10 == 0
            ? ExactDecimal.missing
            : ExactDecimal(significand: Int64(random.next() % 2_000_001) - 1_000_000, exponent: -3)
        }
        add(&stream, time, values)
        seen.append((time, values.map { $0.isMissing ? nil : ($0.approximate + 0.5) * -2 }))
        guard random.next() % 100 == 0 else { continue }
        let newest = seen.map { LiveMinute.number($0.time) }.max() ?? 0
        for channel in 0..<channels {
          let all = seen.compactMap { $0.values[channel] }
          guard !all.isEmpty else { continue }
          XCTAssertEqual(stream.channels[channel].count, all.count)
          XCTAssertEqual(stream.channels[channel].smallest, all.min())
          XCTAssertEqual(stream.channels[channel].largest, all.max())
          XCTAssertEqual(stream.channels[channel].mean, all.reduce(0, +) / Double(all.count), accuracy: 1e-6)
          // What was older than a minute when it came is in no column.
          var columns: [Sparkline.Column] = Array(repeating: nil, count: LiveMinute.count)
          var latest = Int64.min
          for (time, values) in seen {
            let number = LiveMinute.number(time)
            latest = max(latest, number)
            guard let value = values[channel], number > latest - Int64(LiveMinute.count) else { continue }
            let place = Int(number - newest) + LiveMinute.count - 1
            guard columns.indices.contains(place) else { continue }
            columns[place] =
              columns[place].map { min($0.lowerBound, value)...max($0.upperBound, value) } ?? value...value
          }
          XCTAssertEqual(stream.columns(channel), columns)
        }
        XCTAssertEqual(stream.count, seen.count)
        XCTAssertEqual(stream.times, seen.map(\.time).min()!...seen.map(\.time).max()!)
      }
    }
  }

  func testTheRate() {
    for rate in [0.5, 1, 10, 1_000] as [Double] {
      var stream = LiveStream(description(1))
      XCTAssertEqual(stream.rate, 0)
      for number in 0..<Int(rate * 70) { add(&stream, Int64(Double(number) / rate * 1e9), [.one]) }
      XCTAssertEqual(stream.rate, rate, accuracy: rate * 0.05)
    }
    var stream = LiveStream(description(1))
    for number in 0..<100 { add(&stream, Int64(number) * 1_000_000, [.one]) }
    XCTAssertEqual(stream.rate, 1_000, accuracy: 1, "in the first half second too")
    stream.advance(toTime: 200 * second)
    XCTAssertEqual(stream.rate, 0, "a silent stream")
    XCTAssertTrue(stream.columns(0).allSatisfy { $0 == nil })
  }

  /// A device without a clock counts from its start.
  func testTimesFarFromThePresent() {
    var stream = LiveStream(description(1))
    stream.advance(toTime: 1_795_240_984 * second)
    for number in 0..<200 {
      add(&stream, Int64(number) * second / 10, [.one])
      stream.advance(toTime: 1_795_240_984 * second)
    }
    XCTAssertEqual(stream.rate, 10, accuracy: 0.5)
    XCTAssertEqual(stream.columns(0).compactMap { $0 }.count, 40)
  }

  /// One reading of 10^6 shows.
  func testASpikeDoesNotVanish() {
    var stream = LiveStream(description(1))
    for number in 0..<200_000 {
      add(&stream, Int64(number) * 250_000, [ExactDecimal(significand: number == 77_777 ? 1_000 : 0)])
    }
    for cells in 1...60 {
      let text = Sparkline.text(stream.columns(0), cells: cells, .braille)
      XCTAssertEqual(text.count, cells)
      let flat = Sparkline.text(stream.columns(0).map { _ in 0...0 }, cells: cells, .braille)
      XCTAssertNotEqual(text, flat)
      let high = text.unicodeScalars.filter { $0.value >= 0x2800 && ($0.value & 0b1001) != 0 }
      XCTAssertEqual(high.count, 1, "\(cells): \(text)")
    }
  }

  func testManyStreamsAreBounded() {
    var streams = LiveStreams(dots: 100)
    let all = (0..<60_000).map { StreamDescription(name: "s\($0)", channels: [.init(name: "v")]) }
    streams.describe(Array(all.prefix(2)))
    XCTAssertEqual(streams.more, 0)
    streams.describe(all)
    XCTAssertEqual(streams.streams.count, LiveStreams.most)
    XCTAssertEqual(streams.more, 60_000 - LiveStreams.most)
    XCTAssertEqual(streams.streams.filter { $0.feed != nil }.count, PlotFeed.channels)
    streams.add([
      Reading(time: 5, stream: StreamID(7), values: [1]), Reading(time: 3, stream: StreamID(59_999), values: [1]),
      Reading(time: 4, stream: StreamID(65_000), values: [1, 2, 3]),
    ])
    XCTAssertEqual(streams.streams[7].count, 1)
    XCTAssertEqual(streams.times, 3...5)
    streams.draw(100)
    XCTAssertNotNil(streams.streams[100].feed)
    streams.draw(70_000)
  }

  /// A trace from a pipe gets channels and streams while it is read.
  func testLateChannels() {
    var streams = LiveStreams(dots: 100)
    streams.describe([description(1)])
    streams.add([Reading(time: 0, stream: StreamID(0), values: [1, 2])])
    XCTAssertEqual(streams.streams[0].channels.count, 1)
    streams.describe([description(2), description(1)])
    streams.add([
      Reading(time: 1, stream: StreamID(0), values: [3, 4]), Reading(time: 2, stream: StreamID(1), values: [5]),
    ])
    XCTAssertEqual(streams.streams[0].channels.map(\.count), [2, 1])
    XCTAssertEqual(streams.streams[1].channels.map(\.count), [1])
  }
}
