import SluiceReadings
import XCTest

@testable import SluiceSQLite

final class RoundTripTests: SQLiteTestCase {
  func testReadingsOfSeveralStreamsInTheirOrder() throws {
    var random = Random(state: 4)
    let channels = [0, 1, 3, 8, 9, 64]
    let streams = channels.enumerated().map { number, count in
      StreamDescription(name: "s\(number)", channels: (0..<count).map { .init(name: "c\($0)") })
    }
    let readings = (0..<3_000).map { _ in
      // Times are in no order, and some readings are of no stream.
      let number = UInt16.random(in: 0..<6, using: &random)
      var values = Values()
      for _ in 0..<channels[Int(number)] {
        switch random.next() % 8 {
        case 0: values.append(.missing)
        case 1: values.append(random.next() % 2 == 0 ? Int64.min : Int64.max)
        case let n: values.append(Int64(truncatingIfNeeded: random.next()) >> Int64(n * 8))
        }
      }
      let flags = random.next() % 4 == 0 ? Reading.Flags(rawValue: UInt8(truncatingIfNeeded: random.next())) : []
      return reading(Int64(truncatingIfNeeded: random.next()), number, values, flags: flags)
    }
    let path = try record(readings, streams)
    let trace = try SQLiteTrace(path: path)
    XCTAssertEqual(trace.streams.map(\.name), streams.map(\.name))
    XCTAssertEqual(trace.streams.map(\.channels), streams.map(\.channels))
    for count in [1, 7, 5_000] { XCTAssertEqual(try SQLiteTrace(path: path).readAll(count), readings) }
    XCTAssertEqual(
      try query(
        path,
        "SELECT min(id), max(id), count(*) FROM (SELECT id FROM s0 UNION SELECT id FROM s1 UNION SELECT id "
          + "FROM s2 UNION SELECT id FROM s3 UNION SELECT id FROM s4 UNION SELECT id FROM s5)"), ["1|3000|3000"])
  }

  /// Scaled values have the digits that they have in a CSV file.
  func testScaledValuesHaveTheirDigits() throws {
    var random = Random(state: 5)
    for (scale, offset) in [
      ("0.010", "0"), ("0.000598205", "0"), ("1", "-0.50"), ("0.25", "100"), ("2", "3"), ("1000", "0"), ("1", "0.000"),
      ("0.0000000001", "-273.15"),
    ] {
      var description = stream("s", "a", "b")
      for channel in 0...1 {
        description.channels[channel].scale = try decimal(scale)
        description.channels[channel].offset = try decimal(offset)
      }
      let readings = (0..<500).map { index -> Reading in
        var values = Values()
        values.append(Int64(index - 250))
        values.append(Int64(truncatingIfNeeded: random.next()) >> Int64.random(in: 30...63, using: &random))
        return reading(Int64(index), 0, values)
      }
      let path = try record(readings, [description], to: file("\(scale) \(offset).db"))
      let trace = try SQLiteTrace(path: path)
      XCTAssertEqual(trace.streams.first?.isScaled, true)
      XCTAssertEqual(trace.streams.first?.channels, description.channels)
      let expected = try readings.map { reading in
        try reading.values.map { try XCTUnwrap($0.scaled(by: decimal(scale), offset: decimal(offset))).description }
      }
      XCTAssertEqual(try trace.readAll().map { $0.values.map(\.description) }, expected, scale)
    }
  }

  func testKindsOfValues() throws {
    let cases: [(value: String, kind: String, text: String, back: String)] = [
      ("", "null", "NULL", ""), ("5", "integer", "5", "5"), ("-7", "integer", "-7", "-7"),
      ("0.10", "real", "0.1", "0.1"),
      ("5.00", "real", "5.0", "5.0"), ("-0.000123", "real", "-0.000123", "-0.000123"),
      ("123456789.012345678", "text", "123456789.012345678", "123456789.012345678"),
      ("-0.1234567890123456789", "text", "-0.1234567890123456789", "-0.1234567890123456789"),
      ("1e-100", "real", "1.0e-100", "0." + String(repeating: "0", count: 99) + "1"),
    ]
    // More than the first eight, and one value in each channel in turn.
    let names = cases.indices.map { "c\($0)" }
    let readings = try cases.indices.map { turn in
      var values = Values()
      for index in cases.indices { values.append(try decimal(cases[(index + turn) % cases.count].value)) }
      return reading(Int64(turn), 0, values)
    }
    let path = try record(readings, [StreamDescription(name: "s", channels: names.map { .init(name: $0) })])
    let all = names.map { "typeof(\($0)), \($0)" }.joined(separator: ", ")
    XCTAssertEqual(
      try query(path, "SELECT \(all) FROM s"),
      cases.indices.map { turn in
        cases.indices.map { cases[($0 + turn) % cases.count] }.map { "\($0.kind)|\($0.text)" }.joined(separator: "|")
      })
    XCTAssertEqual(
      try readAll(path).map { $0.values.map(\.description) },
      cases.indices.map { turn in cases.indices.map { cases[($0 + turn) % cases.count].back } })
  }

  func testRawAndScaled() throws {
    var description = stream("s", "a")
    description.channels[0].scale = try decimal("0.5")
    let readings = [reading(1, 0, [3])]
    var trace = try SQLiteTrace(path: try record(readings, [description], raw: true, to: file("raw.db")))
    XCTAssertEqual(trace.streams, [description])
    XCTAssertEqual(try trace.readAll(), readings)
    description.isScaled = true
    trace = try SQLiteTrace(path: try record(readings, [description], to: file("as-is.db")))
    XCTAssertEqual(trace.streams, [description])
    // One decimal is known, and the value had none.
    XCTAssertEqual(try trace.readAll(), readings)
    trace = try SQLiteTrace(path: try record(readings, [description], raw: true, to: file("raw-as-is.db")))
    XCTAssertEqual(trace.streams, [description])
    XCTAssertEqual(try trace.readAll(), readings)
  }

  /// As in a CSV file, whose cell is empty then.
  func testTooManyDigitsAreNone() throws {
    var description = stream("s", "a", "b")
    for channel in 0...1 { description.channels[channel].scale = ExactDecimal(significand: .max) }
    description.channels[0].offset = try decimal("0.5")
    let path = try record([reading(1, 0, [.max, .max])], [description])
    XCTAssertEqual(try query(path, "SELECT a, b FROM s"), ["NULL|85070591730234615847396907784232501249"])
    XCTAssertEqual(
      try readAll(path).map { $0.values.map(\.description) }, [["", "8507059173023461585" + "0000000000000000000"]])
  }

  func testNumbersBeyondTheLimitsOfAReading() throws {
    let path = try record(
      [reading(1, 0, [1, 1]), reading(2, 0, [1, 1])], [stream("s", "a", "b")])
    try execute(
      path, "UPDATE s SET a = 5e110, b = -5e110 WHERE id = 1; UPDATE s SET a = 1e-300, b = -4e-101 WHERE id = 2")
    XCTAssertEqual(
      try readAll(path).map { $0.values.map(\.description) },
      [
        ["5" + String(repeating: "0", count: 110), "-5" + String(repeating: "0", count: 110)],
        ["0", "0." + String(repeating: "0", count: 100)],
      ])
  }

  func testMoreOrFewerValuesThanChannels() throws {
    let path = try record(
      [reading(1, 0, [1, 2, 3]), reading(2, 0, [4]), reading(3, 0, []), reading(4, 7, [1])], [stream("s", "a", "b")])
    let read = try readAll(path)
    XCTAssertEqual(read.map { $0.values.map(\.description) }, [["1", "2"], ["4", ""], ["", ""]])
  }

  func testFlagsAreThereOnlyWhereSet() throws {
    let readings = [
      reading(1, 0, [1]), reading(2, 0, [2], flags: [.gapBefore, .late]), reading(3, 0, [3]),
      reading(4, 0, [4], flags: .initialLevel),
    ]
    let path = try record(readings, [stream("s", "a")])
    XCTAssertEqual(try query(path, "SELECT flags FROM s"), ["NULL", "5", "NULL", "2"])
    XCTAssertEqual(try readAll(path), readings)
  }

  func testDescriptions() throws {
    var first = StreamDescription(
      name: "imu",
      channels: [
        .init(
          name: "x", unit: "m/s²", format: "le:s12/16>>4", scale: try decimal("0.0100"), offset: try decimal("-2.50")),
        .init(name: "y"),
      ], device: .init(path: "/dev/iio:device0", bus: "1-0048", label: "imü", name: "bmi160"))
    first.hasForeignColumns = true
    let second = StreamDescription(name: "edge", channels: [.init(name: "v")], device: .init(label: "only"))
    let path = try record([], [first, second, stream("none")], raw: true)
    XCTAssertEqual(try SQLiteTrace(path: path).streams, [first, second, stream("none")])
    XCTAssertEqual(try readAll(path), [])
  }

  func testNoStreams() throws {
    let path = try record([reading(1, 0, [1])], [])
    XCTAssertEqual(try SQLiteTrace(path: path).streams, [])
    XCTAssertEqual(try readAll(path), [])
  }
}
