import SluiceReadings
import SluiceStages
import XCTest

final class DHTTests: XCTestCase {
  /// Without the times.
  private func texts(
    _ edges: [(Int64, Int64)], _ sensor: DHT.Sensor = .dht22, flags: [Int: Reading.Flags] = [:]
  ) throws -> [String] {
    try DHT(sensor).texts(edges, flags: flags).map {
      String($0[($0.firstIndex(of: " ") ?? $0.startIndex)...].dropFirst())
    }
  }

  private func texts(_ frame: [UInt8], _ sensor: DHT.Sensor = .dht22) throws -> [String] {
    try texts(LineSignal.dht([frame]).edges, sensor)
  }

  /// The example of the data sheet.
  func testAFrame() throws {
    let signal = LineSignal.dht([[0x02, 0x92, 0x01, 0x0d]])
    let decoder = DHT(.dht22)
    XCTAssertEqual(decoder.channels.map(\.name), ["humidity", "temperature", "checksum"])
    XCTAssertEqual(decoder.channels.map(\.unit), ["%RH", "degC", nil])
    // Of the last three edges the first ends bit 40.
    XCTAssertEqual(
      try decoder.texts(signal.edges), ["\(signal.edges.suffix(2)[signal.edges.count - 2].0): 65.8 26.9 1"])
  }

  func testTemperaturesBelowZero() throws {
    XCTAssertEqual(try texts([0x02, 0x92, 0x80, 0x65]), ["65.8 -10.1 1"])
    XCTAssertEqual(try texts([0x03, 0xe8, 0x80, 0x00]), ["100.0 0.0 1"])
    XCTAssertEqual(try texts([36, 0, 27, 3], .dht11), ["36.0 27.3 1"])
    XCTAssertEqual(try texts([36, 9, 1, 0x82], .dht11), ["36.9 -1.2 1"])
  }

  /// A frame of the other sensor is right, but its values cannot be.
  func testTheOtherSensor() throws {
    XCTAssertEqual(try texts([36, 0, 27, 0], .dht22), ["- - 1"])
    XCTAssertEqual(try texts([0x02, 0x92, 0x01, 0x0d], .dht11), ["- - 1"])
  }

  func testRandomFrames() throws {
    for seed: UInt64 in 0..<200 {
      var random = SeededGenerator(seed: seed)
      var signal = LineSignal()
      var expected: [String] = []
      for _ in 0..<5 {
        let frame = frameOfDHT22(&random)
        signal.dht(frame + [frame.reduce(0, &+)]) { Int64.random(in: $0, using: &random) }
        expected.append(textOfDHT22(frame))
      }
      XCTAssertEqual(try texts(signal.edges), expected, "seed \(seed)")
    }
  }

  func testAWrongChecksum() throws {
    var signal = LineSignal()
    signal.dht([0x02, 0x92, 0x01, 0x0d, 0xa3])
    XCTAssertEqual(try texts(signal.edges), ["- - 0"])
  }

  func testFramesCutAnywhere() throws {
    let edges = LineSignal.dht([[0x02, 0x92, 0x01, 0x0d]]).edges
    XCTAssertEqual(edges.count, 86)
    for count in 0...edges.count {
      let made = try texts(Array(edges[..<count]))
      // The second edge ends the start, and the last but one ends the last bit.
      XCTAssertEqual(made, count < 2 ? [] : count < 85 ? ["- - 0"] : ["65.8 26.9 1"], "\(count) edges")
      // Behind the start the answer opens the frame, and with its last edge it is too late for that.
      let rest = try texts(Array(edges[count...]))
      XCTAssertEqual(rest, count < 3 ? ["65.8 26.9 1"] : [], "from edge \(count)")
    }
  }

  func testALostEdge() throws {
    let frames: [[UInt8]] = [[0x02, 0x92, 0x01, 0x0d], [0x01, 0xd0, 0x80, 0xf5], [0x01, 0xe8, 0x00, 0xf4]]
    let edges = LineSignal.dht(frames).edges
    let good = frames.map(textOfDHT22)
    for lost in 0..<86 {
      var edges = edges
      edges.remove(at: 86 + lost)
      // The frame is whole without an edge of the start, and without the last one.
      let middle = lost < 2 || lost == 85 ? good[1] : "- - 0"
      XCTAssertEqual(try texts(edges), [good[0], middle, good[2]], "\(lost)")
    }
  }

  /// Any number of edges in a row: what is said is right, and the next frame is.
  func testLostEdges() throws {
    for seed: UInt64 in 0..<200 {
      var random = SeededGenerator(seed: seed)
      let frames = (0..<3).map { _ in frameOfDHT22(&random) }
      let good = frames.map(textOfDHT22)
      var edges = LineSignal.dht(frames).edges
      let from = Int.random(in: 86..<171, using: &random)
      edges.removeSubrange(from..<Int.random(in: from..<172, using: &random))
      let made = try texts(edges)
      XCTAssertEqual(made.first, good[0], "seed \(seed)")
      XCTAssertEqual(made.last, good[2], "seed \(seed)")
      XCTAssertTrue(made.allSatisfy { (good + ["- - 0"]).contains($0) }, "seed \(seed): \(made)")
    }
  }

  func testAGap() throws {
    let edges = LineSignal.dht([[0x02, 0x92, 0x01, 0x0d], [0x02, 0x92, 0x01, 0x0d]]).edges
    XCTAssertEqual(try texts(edges, flags: [40: .gapBefore]), ["- - 0 gap", "65.8 26.9 1"])
    XCTAssertEqual(try texts(edges, flags: [86: .gapBefore]), ["65.8 26.9 1", "65.8 26.9 1 gap"])
  }

  /// A host that asks, and a line that does not answer.
  func testNoAnswer() throws {
    var signal = LineSignal()
    for _ in 0..<3 {
      signal.low(1_000)
      signal.high(2_000_000)
    }
    // The third fails at the end, where no edge is: it has the time of the last one.
    let times = signal.edges.map(\.0)
    XCTAssertEqual(
      try DHT(.dht22).texts(signal.edges), ["\(times[2]): - - 0", "\(times[4]): - - 0", "\(times[5]): - - 0"])
  }

  /// As a simulator drives it that needs a millisecond for an edge: each low pulse is a start.
  func testSlowEdges() throws {
    let edges = LineSignal.dht([[0x02, 0x92, 0x01, 0x0d]]).edges.enumerated().map { (Int64($0) * 1_000_000, $1.1) }
    XCTAssertEqual(try texts(edges), Array(repeating: "- - 0", count: 43))
  }

  /// A start within a frame begins another.
  func testAnotherStart() throws {
    var signal = LineSignal()
    signal.low(1_000)
    signal.high(30)
    signal.low(80)
    signal.high(80)
    signal.dht([0x02, 0x92, 0x01, 0x0d, 0xa2])
    XCTAssertEqual(try texts(signal.edges), ["- - 0", "65.8 26.9 1"])
  }

  func testALevelAtTheBeginning() throws {
    let edges = [(0, 1)] + LineSignal.dht([[0x02, 0x92, 0x01, 0x0d]]).edges
    XCTAssertEqual(try texts(edges, flags: [0: .initialLevel]), ["65.8 26.9 1"])
    XCTAssertEqual(try texts(edges, flags: [0: .initialLevel, 40: .initialLevel]), ["- - 0"])
  }

  /// How long the line was low before the recording is not known, so it is no start.
  func testALineThatIsLowAtTheBeginning() throws {
    var signal = LineSignal()
    signal.low(20_000)
    signal.high(2_000_000)
    signal.dht([0x02, 0x92, 0x01, 0x0d, 0xa2])
    XCTAssertEqual(try texts(signal.edges, flags: [0: .initialLevel]), ["65.8 26.9 1"])
    XCTAssertEqual(try texts(signal.edges), ["- - 0", "65.8 26.9 1"])
  }

  /// The frame fails at the edge that ends the pulse.
  func testPulsesOfNoBit() throws {
    for (low, high): (Int64, Int64) in [(50, 95), (50, 5), (100, 26), (20, 26)] {
      var signal = LineSignal()
      signal.low(1_000)
      signal.high(30)
      signal.low(80)
      signal.high(80)
      signal.low(low)
      signal.high(high)
      for _ in 0..<40 {
        signal.low(50)
        signal.high(26)
      }
      let edge = (30...90).contains(low) ? 6 : 5
      XCTAssertEqual(try DHT(.dht22).texts(signal.edges), ["\(signal.edges[edge].0): - - 0"], "\(low), \(high)")
    }
  }
}
