import SluiceReadings
import SluiceStages
import XCTest

/// Recordings of real sensors, against what is known about them.
final class RecordedLineTests: XCTestCase {
  override func setUpWithError() throws { try RecordedTraces.skipIfMissing() }

  private func texts(_ name: String, _ decoder: some EdgeDecoder, line: String) throws -> [String] {
    try decoded(name, decoder, line: line).map {
      $0.values.map { $0.isMissing ? "-" : "\($0)" }.joined(separator: " ")
    }
  }

  private func decoded(_ name: String, _ decoder: some EdgeDecoder, line: String) throws -> [Reading] {
    let trace = try RecordedTraces.read(name)
    let processor = try LineProcessor(decoder, line: line, inputs: InputStreams(trace.streams))
    let stream = trace.streams.firstIndex { $0.name == line }
    return outputs(of: processor, trace.readings).filter { Int($0.stream.index) == stream }
  }

  func testAM2302() throws {
    let readings = try decoded("am2302_1mhz_200s.sr", DHT(.dht22), line: "SDA")
    XCTAssertEqual(readings.count, 88)
    XCTAssertEqual(readings.filter { $0.values[2].significand == 1 }.count, 88)
    let humidity = readings.map { $0.values[0].significand }
    let temperature = readings.map { $0.values[1].significand }
    XCTAssertEqual([humidity.first, humidity.last, humidity.min(), humidity.max()], [464, 488, 459, 491])
    XCTAssertEqual([temperature.min(), temperature.max()], [244, 245])
    XCTAssertTrue(readings.allSatisfy { $0.values[0].exponent == -1 && $0.values[1].exponent == -1 })
    // The edge that ends bit 40 of the first frame.
    XCTAssertEqual(readings.first?.time, 522_692_000)
  }

  func testDHT11() throws {
    XCTAssertEqual(try texts("dht11_1mhz.sr", DHT(.dht11), line: "SDA"), ["36.0 27.0 1", "36.0 27.0 1"])
    XCTAssertEqual(try texts("dht11_1mhz.sr", DHT(.dht22), line: "SDA"), ["- - 1", "- - 1"])
  }

  /// ROM 28.9BCFC8000000: Linux and this library have the serial number's last byte first, 28-000000c8cf9b.
  func testDS18B20() throws {
    XCTAssertEqual(
      try texts("ds18b20.sr", OneWire(), line: "0"),
      ["26.7500 40 \(0xc8_cf9b) 1", "25.5000 40 \(0xc8_cf9b) 1"])
  }

  func testLIDARLite() throws {
    let pulses = try decoded("lidarlite_5mhz.sr", PulseWidth(), line: "PWM").filter { $0.values[0].significand == 1 }
    XCTAssertEqual(pulses.count, 1_802)
    // 10 us are a centimetre.
    let widths = pulses.map { $0.values[1] }
    XCTAssertTrue(widths.allSatisfy { $0.exponent == -9 })
    let sorted = widths.map(\.significand).sorted()
    XCTAssertEqual(Double(sorted[sorted.count / 2]) / 10_000, 157.6, accuracy: 0.05)
    let counted = try decoded("lidarlite_5mhz.sr", PulseCount(), line: "PWM")
    XCTAssertEqual(counted.last?.values[0].significand, 1_802)
  }

  func testRotaryEncoder() throws {
    let trace = try RecordedTraces.read("rotary-ramp.sr")
    let processor = try Quadrature(
      a: trace.streams[0].name, b: trace.streams[1].name, inputs: InputStreams(trace.streams))
    let readings = outputs(of: processor, trace.readings)
    XCTAssertEqual(readings.count, 12_732)
    XCTAssertEqual(readings.last?.values[2], .zero)
    XCTAssertEqual(readings.map { $0.values[0].significand }, Array(1...12_732), "it turns one way")
  }

  /// Edges as the README of the traces has them, beside the levels at first.
  func testEdges() throws {
    for (name, count) in ["ds18b20.sr": 1_612, "rotary-ramp.sr": 12_732, "sensirion_sht7x_26c_27rh.sr": 2_629] {
      let readings = try RecordedTraces.read(name).readings
      XCTAssertEqual(readings.count { !$0.flags.contains(.initialLevel) }, count, name)
    }
  }

  private func outputs(of processor: some ReadingProcessor, _ readings: [Reading]) -> [Reading] {
    var (processor, outputs) = (processor, [Reading]())
    for reading in readings {
      processor.receive(reading, into: &outputs)
      while processor.hasMore { processor.resume(into: &outputs) }
    }
    processor.finish(into: &outputs)
    return outputs
  }
}
