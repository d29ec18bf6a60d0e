import XCTest

@testable import SluiceAnalysis
@testable import SluicePipeline

final class EnvelopeTests: XCTestCase {
  /// What was added, and the envelope of it.
  private struct Model {
    var readings: [(time: Int64, values: [Double])] = []
    var envelope: Envelope

    mutating func add(_ time: Int64, _ values: [Double]) {
      readings.append((time, values))
      let place = envelope.place(of: time)
      for (channel, value) in values.enumerated() { envelope.add(value, channel: channel, at: place) }
    }

    func check(line: UInt = #line) {
      let expected = Dictionary(grouping: readings) { $0.time >> envelope.power }
      let buckets = envelope.buckets
      XCTAssertEqual(buckets.map { $0.times.lowerBound >> envelope.power }, expected.keys.sorted(), line: line)
      XCTAssertLessThanOrEqual(buckets.count, envelope.capacity, line: line)
      for bucket in buckets {
        let readings = expected[bucket.times.lowerBound >> envelope.power] ?? []
        XCTAssertEqual(bucket.times.lowerBound, readings.map(\.time).min(), line: line)
        XCTAssertEqual(bucket.times.upperBound, readings.map(\.time).max(), line: line)
        for channel in 0..<envelope.channels {
          let extent = envelope.extent(of: channel, in: bucket)
          let values = readings.map { $0.values[channel] }
          XCTAssertEqual(extent.smallest, values.min(), line: line)
          XCTAssertEqual(extent.largest, values.max(), line: line)
        }
      }
    }
  }

  func testRandomReadingsAgainstWhatWasAdded() {
    var random = SystemRandomNumberGenerator()
    for round in 0..<60 {
      var model = Model(envelope: Envelope(channels: 1 + round % 3, capacity: 1 << (1 + round % 8)))
      var time = Int64.random(in: -1_000_000_000_000...1_000_000_000_000, using: &random)
      let step = Int64(1) << Int64.random(in: 0...40, using: &random)
      for _ in 0..<200 {
        time += Int64.random(in: (round % 4 == 0 ? -step : 0)...step, using: &random)
        model.add(time, (0..<model.envelope.channels).map { _ in Double.random(in: -1...1, using: &random) })
      }
      model.check()
    }
  }

  func testHalfOfTheBucketsAreInUse() {
    var model = Model(envelope: Envelope(channels: 1, capacity: 64))
    for time in stride(from: Int64(0), to: 1_000_000, by: 100) { model.add(time, [1]) }
    XCTAssertGreaterThanOrEqual(model.envelope.buckets.count, 31)
    model.check()
  }

  /// The first and the last value of a bucket are those that came first and last, in whatever steps it has grown.
  func testFirstAndLast() {
    var envelope = Envelope(channels: 1, capacity: 4)
    for time in Int64(0)..<1_024 { envelope.add(Double(time), channel: 0, at: envelope.place(of: time)) }
    let extents = envelope.buckets.map { envelope.extent(of: 0, in: $0) }
    XCTAssertEqual(extents.map(\.first), [0, 256, 512, 768])
    XCTAssertEqual(extents.map(\.last), [255, 511, 767, 1_023])
  }

  func testTimesAtTheEndsOfWhatTheyCanBe() {
    var model = Model(envelope: Envelope(channels: 1, capacity: 2))
    for time in [0, .max, .min, -1, 1, .max - 1, .min + 1] as [Int64] { model.add(time, [Double(time)]) }
    model.check()
    XCTAssertEqual(model.envelope.buckets.map(\.times), [.min ... -1, 0 ... .max])
  }

  func testASpikeStays() {
    var envelope = Envelope(channels: 1, capacity: 16)
    for time in Int64(0)..<100_000 {
      envelope.add(time == 54_321 ? 9 : 0, channel: 0, at: envelope.place(of: time * 1_000))
    }
    XCTAssertEqual(envelope.buckets.filter { envelope.extent(of: 0, in: $0).largest == 9 }.count, 1)
  }

  func testChannelsThatComeLater() {
    var envelope = Envelope(channels: 0, capacity: 4)
    envelope.setChannels(1)
    envelope.add(1, channel: 0, at: envelope.place(of: 0))
    envelope.setChannels(3)
    envelope.add(2, channel: 2, at: envelope.place(of: 1))
    let extents = envelope.buckets.map { bucket in (0..<4).map { envelope.extent(of: $0, in: bucket) } }
    XCTAssertEqual(extents[0].map(\.isEmpty), [false, true, true, true])
    XCTAssertEqual(extents[1].map(\.isEmpty), [true, true, false, true])
    XCTAssertEqual(extents[0][0].largest, 1)
    XCTAssertEqual(extents[1][2].largest, 2)
  }

  func testTheLongestWaitIsKept() {
    var envelope = Envelope(channels: 1, capacity: 2)
    for (time, wait, isFlagged) in [(10, 10, false), (110, 100, false), (115, 5, true), (1_000, 3, false)] {
      let place = envelope.place(of: Int64(time))
      envelope.addWait(UInt64(wait), isFlagged: isFlagged, until: Int64(time), at: place)
    }
    var all = Envelope.Waits()
    for bucket in envelope.buckets { all.append(bucket.waits) }
    XCTAssertEqual(
      all, Envelope.Waits(longest: 100, end: 110, longestFlagged: 5, endFlagged: 115, isFlagged: true))
  }
}
