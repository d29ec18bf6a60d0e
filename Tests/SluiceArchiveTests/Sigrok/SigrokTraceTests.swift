import SluiceReadings
import TestFiles
import XCTest

@testable import SluiceArchive

/// What sessions have, against the samples that they were made of.
final class SigrokTraceTests: XCTestCase {
  override func setUpWithError() throws {
    try super.setUpWithError()
    try InstalledLibrary.archive.needed()
  }

  private let lines = ["capturefile=logic-1", "total probes=3", "samplerate=1 MHz", "unitsize=1"]

  func testEdgesOfLines() throws {
    let bytes = session(lines + ["probe1=SDA", "probe3=SCL"], [("logic-1-1", [0b001, 0b001, 0b100, 0b110, 0b010])])
    let trace = try SigrokTrace(bytes, name: "t.sr")
    XCTAssertEqual(trace.streams.map(\.name), ["SDA", "SCL"])
    XCTAssertEqual(trace.streams[0].channels, [.init(name: "level", format: StreamDescription.Channel.level)])
    XCTAssertEqual(trace.notices, [])
    let level: Reading.Flags = .initialLevel
    XCTAssertEqual(
      trace.readAll().readings,
      [
        Reading(time: 0, stream: StreamID(0), values: [1], flags: level),
        Reading(time: 0, stream: StreamID(1), values: [0], flags: level),
        Reading(time: 2_000, stream: StreamID(0), values: [0]), Reading(time: 2_000, stream: StreamID(1), values: [1]),
        Reading(time: 4_000, stream: StreamID(1), values: [0]),
      ])
    XCTAssertEqual(trace.readAll().readings, [])
  }

  /// Lines that are all low at first have their levels too.
  func testFirstLevels() throws {
    let bytes = session(lines + ["probe1=A", "probe2=B"], [("logic-1-1", [0, 0, 0])])
    let readings = try SigrokTrace(bytes, name: "t.sr").readAll().readings
    XCTAssertEqual(readings.map(\.flags), [.initialLevel, .initialLevel])
    XCTAssertEqual(readings.map { $0.values[0].significand }, [0, 0])
  }

  func testEveryUnitSizeAndAnyParts() throws {
    var random = SplitMix(state: 7)
    for unit in [1, 2, 3, 4, 5, 6, 7, 8, 16, 33] {
      for density in [0.9, 0.05, 0.001] {
        let numbers = (1...unit * 8).filter { $0 == 1 || $0 == unit * 8 || random.next() % 3 == 0 }
        let samples = random.samples(unit: unit, count: 3_000, density: density)
        var parts: [(name: String, bytes: [UInt8])] = []
        var rest = samples[...]
        while !rest.isEmpty {
          let count = min(rest.count, unit * Int(random.next() % 700 + 1))
          parts.append(("logic-1-\(parts.count + 1)", Array(rest.prefix(count))))
          rest = rest.dropFirst(count)
        }
        // In any order in the archive.
        if density < 0.9 { parts.shuffle(using: &random) }
        let metadata =
          ["capturefile=logic-1", "total probes=\(unit * 8)", "samplerate=2 MHz", "unitsize=\(unit)"]
          + numbers.map { "probe\($0)=p\($0)" }
        let bytes = session(metadata, parts, method: density < 0.01 ? "store" : "deflate")
        let expected = edges(samples, unit: unit, numbers: numbers, period: 500)
        for block in [1, 3, 512] {
          let read = try SigrokTrace(bytes, name: "t.sr").readAll(block)
          XCTAssertEqual(read.readings, expected, "unit \(unit), density \(density), \(block) at a time")
          XCTAssertNil(read.error)
        }
      }
    }
  }

  /// Blocks of libarchive are 256 KiB, and no multiple of three.
  func testSamplesAcrossBlocks() throws {
    var random = SplitMix(state: 3)
    let samples = random.samples(unit: 3, count: 300_000, density: 0.0003)
    let metadata = ["capturefile=logic-1", "total probes=24", "samplerate=1MHz", "unitsize=3", "probe1=a", "probe24=x"]
    let trace = try SigrokTrace(session(metadata, [("logic-1", samples)], version: "1"), name: "t.sr")
    XCTAssertEqual(trace.readAll(64).readings, edges(samples, unit: 3, numbers: [1, 24], period: 1_000))
  }

  // MARK: Analog

  private func floats(_ values: [Float]) -> [UInt8] {
    values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) } }
  }

  func testAnalogChannelsAreOneStream() throws {
    let metadata = ["samplerate=1 kHz", "total analog=2", "analog1=V", "analog2=I"]
    let bytes = session(
      metadata,
      [
        ("analog-1-1-1", floats([1.5, -0.1])), ("analog-1-1-2", floats([3])),
        ("analog-1-2-1", floats([.nan, 1e-10, 7])),
      ])
    let trace = try SigrokTrace(bytes, name: "t.sr")
    XCTAssertEqual(trace.streams.map(\.name), ["analog"])
    XCTAssertEqual(trace.streams[0].channels.map(\.name), ["V", "I"])
    let read = trace.readAll(2)
    XCTAssertNil(read.error)
    XCTAssertEqual(read.readings.map(\.time), [0, 1_000_000, 2_000_000])
    XCTAssertEqual(
      read.readings.map { $0.values.map(\.description) }, [["1.5", ""], ["-0.1", "0.0000000001"], ["3", "7"]])
  }

  func testLinesAndAnalogAreMergedByTime() throws {
    let bytes = session(
      lines + ["total analog=1", "probe1=A", "analog4=V"],
      [("analog-1-4-1", floats([0, 1, 2])), ("logic-1-1", [0, 1, 1, 0, 0])])
    let trace = try SigrokTrace(bytes, name: "t.sr")
    XCTAssertEqual(trace.streams.map(\.name), ["A", "analog"])
    for count in 1...6 {
      let readings = try SigrokTrace(bytes, name: "t.sr").readAll(count).readings
      XCTAssertEqual(
        readings.map { "\($0.stream.index)@\($0.time)" }, ["0@0", "1@0", "0@1000", "1@1000", "1@2000", "0@3000"])
    }
  }

  func testSixtyFourAnalogChannels() throws {
    let names = (1...64).map { "analog\($0)=c\($0)" }
    let entries = (1...64).map { (name: "analog-1-\($0)-1", bytes: floats([Float($0), Float($0) / 2])) }
    let readings = try SigrokTrace(session(["samplerate=10", "total analog=64"] + names, entries), name: "t.sr")
      .readAll()
      .readings
    XCTAssertEqual(readings.map(\.values.count), [64, 64])
    XCTAssertEqual(readings[1].values[62].description, "31.5")
  }

  func testShortestDecimals() {
    let numbers: [(Float, String)] = [
      (0, "0"), (-0.0, "0"), (1, "1"), (100, "100"), (0.1, "0.1"), (-2.5, "-2.5"), (16_777_216, "16777216"),
      (3.402_823_5e38, "340282350000000000000000000000000000000"), (1.2e-5, "0.000012"), (0.333_333_34, "0.33333334"),
    ]
    for (number, text) in numbers { XCTAssertEqual(ExactDecimal(shortest: number).description, text) }
    for number in [Float.nan, .infinity, -.infinity] { XCTAssertEqual(ExactDecimal(shortest: number), .missing) }
    var random = SplitMix(state: 1)
    for _ in 0..<2_000 {
      let number = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
      guard number.isFinite else { continue }
      XCTAssertEqual(Float(ExactDecimal(shortest: number).description), number)
    }
  }

  // MARK: Names and times

  func testNamesAreDistinct() throws {
    let bytes = session(lines + ["probe1=A", "probe2=A", "probe3="], [("logic-1", [0])])
    let trace = try SigrokTrace(bytes, name: "t.sr")
    XCTAssertEqual(trace.streams.map(\.name), ["A", "A-2", "3"])
    XCTAssertEqual(trace.notices, ["t.sr: two channels are called \"A\", and number 2 is read as \"A-2\""])
  }

  func testTimesThatAreRounded() throws {
    let metadata = ["capturefile=logic-1", "total probes=1", "samplerate=3 MHz", "unitsize=1", "probe1=A"]
    let trace = try SigrokTrace(session(metadata, [("logic-1-1", [0, 1, 0])]), name: "t.sr")
    XCTAssertEqual(trace.readAll().readings.map(\.time), [0, 333, 667])
    XCTAssertEqual(
      trace.notices,
      [
        "t.sr: times are rounded to nanoseconds, because 3000000 samples per second are not a whole number of nanoseconds apart"
      ])
  }
}

/// What `SigrokLines` gives, bit by bit.
func edges(_ samples: [UInt8], unit: Int, numbers: [Int], period: Int64) -> [Reading] {
  var readings: [Reading] = []
  func level(_ sample: Int, _ number: Int) -> Int64 {
    Int64(samples[sample * unit + (number - 1) / 8] >> UInt8((number - 1) % 8) & 1)
  }
  for sample in 0..<samples.count / unit {
    for (stream, number) in numbers.enumerated()
    where sample == 0 || level(sample, number) != level(sample - 1, number) {
      readings.append(
        Reading(
          time: Int64(sample) * period, stream: StreamID(UInt16(stream)), values: [level(sample, number)],
          flags: sample == 0 ? .initialLevel : []))
    }
  }
  return readings
}

struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  /// - Parameter density: How often a sample is not like the one before it.
  mutating func samples(unit: Int, count: Int, density: Double) -> [UInt8] {
    var sample = (0..<unit).map { _ in UInt8(truncatingIfNeeded: next()) }
    var samples: [UInt8] = []
    for _ in 0..<count {
      if Double(next() >> 11) / Double(1 << 53) < density {
        sample[Int(next() % UInt64(unit))] ^= 1 << UInt8(next() % 8)
      }
      samples += sample
    }
    return samples
  }
}
