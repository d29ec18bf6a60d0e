import SluiceReadings
import SluiceStages
import XCTest

final class OneWireTests: XCTestCase {
  private let device = rom(0x28, 0xc8cf9b)

  /// Without the times.
  private func texts(_ signal: LineSignal, flags: [Int: Reading.Flags] = [:]) throws -> [String] {
    try texts(signal.edges, flags: flags)
  }

  private func texts(_ edges: [(Int64, Int64)], flags: [Int: Reading.Flags] = [:]) throws -> [String] {
    try OneWire().texts(edges, flags: flags).map {
      String($0[($0.firstIndex(of: " ") ?? $0.startIndex)...].dropFirst())
    }
  }

  /// A host that addresses a device and reads its memory.
  private func read(_ rom: [UInt8], _ memory: [UInt8], into signal: inout LineSignal) {
    signal.reset()
    signal.bytes([0x55] + rom + [0xbe])
    signal.bytes(memory, byDevice: true)
  }

  private func skip(_ memory: [UInt8], into signal: inout LineSignal) {
    signal.reset()
    signal.bytes([0xcc, 0xbe])
    signal.bytes(memory, byDevice: true)
  }

  func testAddressedDevices() throws {
    XCTAssertEqual(OneWire().channels.map(\.name), ["temperature", "family", "serial", "crc"])
    XCTAssertEqual(OneWire().channels.map(\.unit), ["degC", nil, nil, nil])
    var signal = LineSignal()
    read(device, scratchpad(sixteenths: 408), into: &signal)
    // The edge that ends the last slot's low is the last one.
    let end = signal.edges.last?.0 ?? 0
    read(rom(0x28, 7), scratchpad(sixteenths: -1), into: &signal)
    let made = try OneWire().texts(signal.edges)
    XCTAssertEqual(made.first, "\(end): 25.5000 40 13160347 1")
    XCTAssertEqual(made.last?.contains(" -0.0625 40 7 1"), true)
  }

  /// The rows of the data sheet's table.
  func testTemperatures() throws {
    for (sixteenths, text): (UInt16, String) in [
      (0x07d0, "125.0000"), (0x0550, "85.0000"), (0x0191, "25.0625"), (0x00a2, "10.1250"), (0x0008, "0.5000"),
      (0x0000, "0.0000"), (0xfff8, "-0.5000"), (0xff5e, "-10.1250"), (0xfe6f, "-25.0625"), (0xfc90, "-55.0000"),
    ] {
      var signal = LineSignal()
      skip(scratchpad(sixteenths: Int16(bitPattern: sixteenths)), into: &signal)
      XCTAssertEqual(try texts(signal), ["\(text) - - 1"])
    }
  }

  /// Bits below the resolution are undefined.
  func testResolutions() throws {
    for (configuration, text): (UInt8, String) in [
      (0x1f, "25.5000"), (0x3f, "25.7500"), (0x5f, "25.8750"), (0x7f, "25.9375"), (0x00, "-"), (0x9f, "-"),
    ] {
      var signal = LineSignal()
      skip(scratchpad(sixteenths: 415, configuration: configuration), into: &signal)
      XCTAssertEqual(try texts(signal), ["\(text) - - 1"])
    }
  }

  /// DS18S20: the table of its data sheet, the finer part of which is in bytes 6 and 7.
  func testHalves() throws {
    for (raw, remaining, text): (UInt16, UInt8, String) in [
      (0x0032, 0x0c, "25.0000"), (0x0033, 0x04, "25.5000"), (0xffce, 0x0c, "-25.0000"), (0x00aa, 0x0c, "85.0000"),
    ] {
      let memory = withCheck([UInt8(raw & 0xff), UInt8(raw >> 8), 0x4b, 0x46, 0xff, 0xff, remaining, 0x10])
      var signal = LineSignal()
      skip(memory, into: &signal)
      read(rom(0x10, 5), memory, into: &signal)
      // A memory of another kind than the family's.
      read(rom(0x28, 5), memory, into: &signal)
      XCTAssertEqual(try texts(signal), ["\(text) - - 1", "\(text) 16 5 1", "- 40 5 1"])
    }
    var signal = LineSignal()
    read(rom(0x10, 5), [0x33, 0x00], into: &signal)
    XCTAssertEqual(try texts(signal), ["25.5000 16 5 -"])
  }

  func testTheROMIsKept() throws {
    let memory = scratchpad(sixteenths: 16)
    var read = LineSignal()
    read.reset()
    read.bytes([0x33])
    read.bytes(device, byDevice: true)
    var search = LineSignal()
    search.reset()
    search.search(device)
    for var signal in [read, search] {
      skip(memory, into: &signal)
      XCTAssertEqual(try texts(signal), ["1.0000 40 13160347 1"])
      // All of several devices: which one answers is not known.
      signal.reset()
      signal.search(rom(0x28, 7))
      skip(memory, into: &signal)
      XCTAssertEqual(try texts(signal), ["1.0000 40 13160347 1", "1.0000 - - 1"])
    }
  }

  func testAROMWithAWrongCheckIsNotKept() throws {
    var signal = LineSignal()
    signal.reset()
    signal.bytes([0x33] + device.dropLast() + [device[7] ^ 1])
    signal.reset()
    signal.bytes([0x33] + Array(repeating: 0, count: 8))
    skip(scratchpad(sixteenths: 16), into: &signal)
    XCTAssertEqual(try texts(signal), ["1.0000 - - 1"])
  }

  func testOtherCommandsArePassedOver() throws {
    var signal = LineSignal()
    for bytes: [UInt8] in [[0xcc, 0x44, 0xbe, 1, 2], [0xcc, 0x4e, 0xbe], [0xa5, 0xbe, 1, 2], [0xcc], [0xcc, 0xbe]] {
      signal.reset()
      signal.bytes(bytes)
    }
    // Another device with this command: a battery monitor.
    read(rom(0x26, 1), [0] + withCheck(Array(repeating: 3, count: 8)), into: &signal)
    signal.reset()
    XCTAssertEqual(try texts(signal), [])
  }

  func testNobodyThere() throws {
    var signal = LineSignal()
    signal.reset(presence: false)
    signal.bytes([0xf0, 0xff, 0xff])
    signal.reset(presence: false)
    signal.bytes([0xcc, 0xbe])
    signal.bytes(Array(repeating: 0xff, count: 9), byDevice: true)
    XCTAssertEqual(try texts(signal), ["- - - 0"])
  }

  /// The data sheet lets a host stop with a reset.
  func testAHostThatStops() throws {
    let memory = scratchpad(sixteenths: 408)
    for slots in 0...72 {
      for isReset in [false, true] {
        var signal = LineSignal()
        signal.reset()
        signal.bytes([0x55] + device + [0xbe])
        for slot in 0..<slots { signal.slot(memory[slot / 8] >> UInt8(slot % 8) & 1 == 1, byDevice: true) }
        if isReset { signal.reset() } else { signal.high(1) }
        let whole = slots == 72 ? "25.5000 40 13160347 1" : "25.5000 40 13160347 -"
        let expected = slots == 0 ? [] : slots >= 16 && slots % 8 == 0 ? [whole] : ["- 40 13160347 0"]
        XCTAssertEqual(try texts(signal), expected, "\(slots) slots")
      }
    }
  }

  func testRandomDevices() throws {
    for seed: UInt64 in 0..<200 {
      var random = SeededGenerator(seed: seed)
      var signal = LineSignal()
      var expected: [String] = []
      for _ in 0..<3 {
        let serial = Int64.random(in: 0..<1 << 48, using: &random)
        let sixteenths = Int16.random(in: -880...2_000, using: &random)
        read(rom(0x28, serial), scratchpad(sixteenths: sixteenths), into: &signal)
        let temperature = ExactDecimal(significand: Int64(sixteenths) * 625, exponent: -4)
        expected.append("\(temperature) 40 \(serial) 1")
      }
      XCTAssertEqual(try texts(signal), expected, "seed \(seed)")
    }
  }

  func testAWrongCheck() throws {
    var memory = scratchpad(sixteenths: 408)
    for index in 0..<72 {
      memory[index / 8] ^= 1 << UInt8(index % 8)
      var signal = LineSignal()
      read(device, memory, into: &signal)
      XCTAssertEqual(try texts(signal), ["- 40 13160347 0"], "bit \(index)")
      memory[index / 8] ^= 1 << UInt8(index % 8)
    }
  }

  func testCutsAnywhere() throws {
    var signal = LineSignal()
    read(device, scratchpad(sixteenths: 408), into: &signal)
    let edges = signal.edges
    for count in 0...edges.count {
      let good: Set = ["25.5000 40 13160347 1", "25.5000 40 13160347 -", "- 40 13160347 0"]
      XCTAssertTrue(Set(try texts(Array(edges[..<count]))).isSubset(of: good), "\(count) edges")
      XCTAssertEqual(try texts(Array(edges[count...])), count == 0 ? ["25.5000 40 13160347 1"] : [], "from \(count)")
    }
  }

  func testALostEdge() throws {
    var one = LineSignal()
    read(device, scratchpad(sixteenths: 408), into: &one)
    let count = one.edges.count
    var signal = LineSignal()
    for sixteenths: Int16 in [16, 408, 32] { read(device, scratchpad(sixteenths: sixteenths), into: &signal) }
    let (first, last) = ("1.0000 40 13160347 1", "2.0000 40 13160347 1")
    for lost in 0..<count {
      var edges = signal.edges
      edges.remove(at: count + lost)
      // In the memory the check fails; before it is known that the memory is read, there is nothing to check. The presence
      // may be lost.
      let made = try texts(edges)
      XCTAssertEqual(made.first, first, "\(lost)")
      XCTAssertEqual(made.last, last, "\(lost)")
      XCTAssertEqual(made.dropFirst().dropLast().filter { $0 != "- 40 13160347 0" }, [], "\(lost)")
      XCTAssertEqual(made.count, lost < count - 144 ? 2 : 3, "\(lost)")
    }
  }

  func testAGap() throws {
    var signal = LineSignal()
    skip(scratchpad(sixteenths: 408), into: &signal)
    skip(scratchpad(sixteenths: 408), into: &signal)
    XCTAssertEqual(try texts(signal, flags: [60: .gapBefore]), ["- - - 0 gap", "25.5000 - - 1"])
    XCTAssertEqual(try texts(signal, flags: [10: .gapBefore]), ["25.5000 - - 1 gap"])
  }

  /// Echoes of the host's release, as a recording has them.
  func testEchoes() throws {
    var signal = LineSignal()
    signal.reset()
    for byte: UInt8 in [0xcc, 0xbe] + scratchpad(sixteenths: 408) {
      for bit in 0..<8 {
        let length: Int64 = byte >> UInt8(bit) & 1 == 1 ? 10 : 28
        signal.low(length)
        signal.high(1)
        signal.low(1)
        signal.high(68 - length)
      }
    }
    XCTAssertEqual(try texts(signal), ["25.5000 - - 1"])
  }
}
