import SluiceReadings
import SluiceStages
import XCTest

/// Minutes of the lines of sensors, made as their data sheets have them: with jitter, glitches and frames that are damaged.
/// (`make test-recorded` has recordings of real ones.)
final class SensorSignalTests: XCTestCase {
  /// An AM2302 that is asked every 2 s for three minutes, at a logic analyser of 1 MHz. Two frames arrive damaged.
  func testAM2302() throws {
    var random = SeededGenerator(seed: 88)
    var signal = LineSignal()
    var expected: [String] = []
    for number in 0..<88 {
      let (humidity, temperature) = (464 + number / 4 + Int.random(in: -2...2, using: &random), 244 + number % 2)
      let bytes = [humidity >> 8, humidity & 0xff, temperature >> 8, temperature & 0xff].map { UInt8($0) }
      let isDamaged = number == 20 || number == 61
      signal.dht(bytes + [bytes.reduce(0, &+) ^ (isDamaged ? 4 : 0)]) { Int64.random(in: $0, using: &random) }
      expected.append(isDamaged ? "- - 0" : textOfDHT22(bytes))
    }
    let readings = try DHT(.dht22).readings(signal.edges)
    XCTAssertEqual(signal.edges.count, 88 * 86)
    XCTAssertEqual(readings.map(\.valueText), expected)
    XCTAssertTrue(readings.allSatisfy { $0.values[2].significand == 0 || $0.values[0].exponent == -1 })
  }

  /// The frame of a DHT11, which is asked with 18 ms, twice. For a DHT22 these bytes are values that it cannot have.
  func testDHT11() throws {
    var signal = LineSignal()
    for _ in 0..<2 { signal.dht([36, 0, 27, 0, 63]) { $0.upperBound > 10_000 ? 18_000 : $0.lowerBound } }
    XCTAssertEqual(try DHT(.dht11).readings(signal.edges).map(\.valueText), ["36.0 27.0 1", "36.0 27.0 1"])
    XCTAssertEqual(try DHT(.dht22).readings(signal.edges).map(\.valueText), ["- - 1", "- - 1"])
  }

  /// A glitch of 2 us within a bit of a frame: it costs this frame and no other one.
  func testAGlitchCostsOneFrame() throws {
    let signal = LineSignal.dht(Array(repeating: [0x02, 0x92, 0x01, 0x0d], count: 3))
    let frame = signal.edges.count / 3
    let bit = signal.edges[frame + 40]
    XCTAssertEqual(bit.1, 0)
    var edges = signal.edges
    let glitch: [(Int64, Int64)] = [(bit.0 - 4_000, 0), (bit.0 - 2_000, 1)]
    edges.insert(contentsOf: glitch, at: frame + 40)
    let texts = try DHT(.dht22).readings(edges).map(\.valueText)
    XCTAssertEqual(texts.filter { $0 == "65.8 26.9 1" }.count, 2, "\(texts)")
    XCTAssertFalse(texts.contains { $0.hasSuffix(" 1") && $0 != "65.8 26.9 1" }, "\(texts)")
  }

  /// A LIDAR whose pulse has 10 us for each centimetre: 1,802 readings about 157.6 cm, sampled at 5 MHz, one of nothing.
  func testLIDAR() throws {
    var random = SeededGenerator(seed: 5)
    var edges: [(Int64, Int64)] = []
    var time: Int64 = 0
    for number in 0..<1_802 {
      let width: Int64 = number == 900 ? 200 : 1_576_000 + Int64.random(in: -2_000...2_000, using: &random) / 200 * 200
      edges += [(time, 1), (time + width, 0)]
      time += 11_000_000
    }
    let pulses = try PulseWidth().readings(edges).filter { $0.values[0].significand == 1 }
    XCTAssertEqual(pulses.count, 1_802)
    XCTAssertTrue(pulses.allSatisfy { $0.values[1].exponent == -9 })
    let widths = pulses.map { $0.values[1].significand }.sorted()
    XCTAssertEqual(Double(widths[widths.count / 2]) / 10_000, 157.6, accuracy: 0.05)
    XCTAssertEqual(widths[0], 200)
    XCTAssertEqual(try PulseCount().readings(edges).last?.values[0].significand, 1_802)
  }

  /// A rotary encoder that is turned ever faster in one direction, up to 21,000 edges per second.
  func testRotaryEncoder() throws {
    let lines = ["A", "B"].map { StreamDescription(name: $0, channels: [.init(name: "level", format: "level")]) }
    var readings = (0...1).map { Reading(time: 0, stream: StreamID($0), values: [0], flags: .initialLevel) }
    var time: Int64 = 0
    for number in 0..<12_732 {
      time += max(1_000_000_000 / Int64(100 + number * 2), 47_619)
      // A goes first: both lines change in turn.
      let level: Int64 = number % 4 < 2 ? 1 : 0
      readings.append(Reading(time: time, stream: StreamID(UInt16(number % 2)), values: [level]))
    }
    let processor = try Quadrature(a: "A", b: "B", inputs: InputStreams(lines))
    let positions = outputs(of: processor, readings)
    XCTAssertEqual(positions.count, 12_732)
    XCTAssertEqual(positions.last?.values[2], .zero)
    XCTAssertEqual(positions.map { $0.values[0].significand }, Array(1...12_732), "it turns one way")
  }
}

extension Reading {
  /// Its values alone: `46.4 24.5 1`.
  fileprivate var valueText: String { values.map { $0.isMissing ? "-" : "\($0)" }.joined(separator: " ") }
}
