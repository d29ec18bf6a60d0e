import SluiceReadings
import SluiceStages
import XCTest

/// What holds for every decoder of edges.
final class EdgeDecoderTests: XCTestCase {
  private static let lines = ["A", "B"].map { name in
    StreamDescription(name: name, channels: [.init(name: "level", format: StreamDescription.Channel.level)])
  }

  private func processors() throws -> [any ReadingProcessor] {
    let inputs = InputStreams(Self.lines)
    return [
      try LineProcessor(PulseWidth(), inputs: inputs),
      try LineProcessor(PulseCount(amount: ExactDecimal(significand: .max / 1_000, exponent: -3)), inputs: inputs),
      try LineProcessor(DHT(.dht11), inputs: inputs), try LineProcessor(DHT(.dht22), inputs: inputs),
      try LineProcessor(OneWire(), inputs: inputs), try Quadrature(a: "A", b: "B", inputs: inputs),
    ]
  }

  /// Pulses of lengths that mean something, and some that do not; of both lines, with flags.
  private func readings(_ random: inout SeededGenerator, extremes: Bool) -> [Reading] {
    let lengths: [Int64] = [0, 1, 10, 28, 50, 70, 80, 110, 500, 1_000, 20_000, 2_000_000]
    var time: Int64 = 0
    return (0..<400).map { _ in
      time += (lengths.randomElement(using: &random) ?? 0) * 1_000
      if extremes, Int.random(in: 0..<4, using: &random) == 0 {
        time = [.min, .max, 0, .min + 1, .max / 2].randomElement(using: &random) ?? 0
      }
      if time > .max / 2 + 1, !extremes { time = 0 }
      var values = Values(Int64.random(in: 0...1, using: &random))
      if Int.random(in: 0..<50, using: &random) == 0 { values = [] }
      let flags = Reading.Flags(
        rawValue: UInt8.random(in: 0...15, using: &random) == 0 ? .random(in: 0...7, using: &random) : 0)
      let reading = Reading(
        time: time, stream: StreamID(.random(in: 0...1, using: &random)), values: values, flags: flags)
      if time > .max - 2_000_000_000 { time = 0 }
      return reading
    }
  }

  /// Signals that mean something, so that a cut is in the middle of a frame.
  private func frames() -> [Reading] {
    var signal = LineSignal()
    signal.dht([36, 0, 27, 0, 63])
    signal.dht([0x02, 0x92, 0x01, 0x0d, 0xa2])
    signal.reset()
    signal.search(rom(0x28, 7))
    signal.reset()
    signal.bytes([0xcc, 0xbe])
    signal.bytes(scratchpad(sixteenths: 408), byDevice: true)
    signal.reset()
    return LineBench.readings(signal.edges)
  }

  /// In debug builds, where arithmetic that overflows traps.
  func testRandomEdges() throws {
    for seed: UInt64 in 0..<200 {
      var random = SeededGenerator(seed: seed)
      let readings = readings(&random, extremes: seed % 2 == 0)
      for processor in try processors() {
        let count = processor.streams.map(\.channels.count)
        for output in outputs(of: processor, readings) {
          XCTAssertEqual(output.values.count, count[Int(output.stream.index)], "\(type(of: processor)), seed \(seed)")
        }
      }
    }
  }

  /// A processor is a value: a copy goes on like the original, wherever it is made.
  func testACopyGoesOnEqually() throws {
    for seed: UInt64 in 0..<20 {
      var random = SeededGenerator(seed: seed)
      let readings = seed == 0 ? frames() : readings(&random, extremes: seed % 2 == 0)
      for processor in try processors() {
        let cuts = (0..<6).map { _ in Int.random(in: 0...readings.count, using: &random) }
        check(processor, readings, cuts: cuts.sorted(), "seed \(seed)")
      }
    }
  }

  private func check<P: ReadingProcessor>(_ processor: P, _ readings: [Reading], cuts: [Int], _ message: String) {
    let whole = outputs(of: processor, readings)
    var original = processor
    var first: [Reading] = []
    var taken = 0
    for cut in cuts {
      for reading in readings[taken..<cut] { original.receive(reading, into: &first) }
      taken = cut
      let copy = original
      XCTAssertEqual(first + outputs(of: copy, Array(readings[cut...])), whole, "\(P.self), \(message), \(cut)")
    }
    XCTAssertEqual(first + outputs(of: original, Array(readings[taken...])), whole, "\(P.self), \(message)")
  }
}
