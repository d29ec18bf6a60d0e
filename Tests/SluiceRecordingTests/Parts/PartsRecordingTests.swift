import Foundation
import Sluice
import SluiceReadings
import TestFiles
import XCTest

@testable import SluiceRecording

/// A recording that is cut into parts is the recording that is not.
final class PartsRecordingTests: XCTestCase {
  private lazy var folder = temporaryFolder()
  private let device = StreamDescription.Device(path: "dev")
  private lazy var streams = [
    StreamDescription(name: "imu", channels: ["x", "y"].map { .init(name: $0, unit: "g") }, device: device),
    StreamDescription(name: "b", channels: [.init(name: "level")], device: device),
    StreamDescription(name: "c", channels: [.init(name: "v")]),
  ]

  /// Of three streams, two of which share rows; the times go on.
  private func readings(_ seed: Int) -> [Reading] {
    var time: Int64 = 1_795_272_907_000_000_000
    var readings: [Reading] = []
    for number in 0..<120 {
      time += Int64((number &* 7_919_311 &+ seed) % 50_000_000)
      readings.append(reading(time, 0, [Int64(number), -Int64(number)]))
      if number % 3 != 0 { readings.append(reading(time, 1, [Int64(number % 2)])) }
      if number % 5 == 0 { readings.append(reading(time + 1, 2, [Int64(number) * 1_000_003])) }
    }
    return readings
  }

  private func record(_ readings: [Reading], _ output: RecordingOutput) throws -> [Int] {
    let done = expectation(description: "done")
    let sink = try RecordingSink(
      [output], streams: streams, ahead: 64, claims: OutputClaims(disk: Disk(sync: .never)), rowsEndByTime: false
    ) { error in
      XCTAssertNil(error)
      done.fulfill()
    }
    readings.publisher.subscribe(sink)
    wait(for: [done], timeout: 60)
    return sink.written
  }

  private var parts: [String] { folder.files.filter { PartName($0) != nil } }

  private func decoded(_ path: String) throws -> [String] {
    let trace = try TraceReader(path: path) { XCTFail($0) }
    var rows: [String] = []
    var readings = Array(repeating: Reading.empty, count: 512)
    while case let count = try trace.next(into: &readings), count > 0 {
      for reading in readings[..<count] {
        let stream = trace.streams[Int(reading.stream.index)].name
        rows.append("\(reading.time) \(stream) \(reading.values.map(\.description).joined(separator: "|"))")
      }
    }
    return rows
  }

  private let formats: [any RecordingFormat] = [
    CSVFormat(layout: .wide), CSVFormat(layout: .long), JSONLinesFormat(), VCDFormat(),
  ]

  /// Each part can be read alone, and together they have every reading once, in its order.
  func testNothingIsLostOrDoubledAtASeam() throws {
    for (number, format) in formats.enumerated() {
      let ending = type(of: format).extensions[0]
      let readings = readings(number)
      let written = try record(readings, RecordingOutput(path: folder.file("whole.\(ending)"), format: format))
      XCTAssertEqual(written.reduce(0, +), readings.count)
      let whole = try decoded(folder.file("whole.\(ending)"))
      XCTAssertEqual(whole.count, readings.count)
      for rotation in [
        Rotation(size: 1_500), Rotation(period: .milliseconds(100)), Rotation(size: 3_000, period: .milliseconds(70)),
        Rotation(size: 1),
      ] {
        let output = RecordingOutput(path: folder.file("r.\(ending)"), format: format, rotation: rotation)
        XCTAssertEqual(try record(readings, output), written)
        let names = parts
        XCTAssertGreaterThan(names.count, 2)
        XCTAssertEqual(names.compactMap { PartName($0)?.number }, Array(1...names.count))
        XCTAssertEqual(try names.flatMap { try decoded(folder.file($0)) }, whole, "\(ending) \(rotation)")
        XCTAssertEqual(try decoded(folder.file("r.\(ending)")), whole, "\(ending) \(rotation)")
        // A part is called after its first reading.
        for name in names {
          let first = try XCTUnwrap(decoded(folder.file(name)).first, name)
          let time = try XCTUnwrap(first.split(separator: " ").first.flatMap { Int64($0) })
          XCTAssertEqual(PartName(name)?.time, PartName(stem: "r", number: 1, time: time, ending: "csv").time)
        }
        for name in folder.files where name.hasPrefix("r.") { unlink(folder.file(name)) }
      }
      for name in folder.files { unlink(folder.file(name)) }
    }
  }

  func testTheSameReadingsMakeTheSameParts() throws {
    for format in formats {
      let ending = type(of: format).extensions[0]
      var runs: [[String: String?]] = []
      for _ in 0..<2 {
        let rotation = Rotation(size: 2_000, period: .milliseconds(300))
        _ = try record(
          readings(3), RecordingOutput(path: folder.file("r.\(ending)"), format: format, rotation: rotation))
        runs.append(Dictionary(uniqueKeysWithValues: parts.map { ($0, folder.text($0)) }))
        for name in folder.files { unlink(folder.file(name)) }
      }
      XCTAssertEqual(runs[0], runs[1])
      XCTAssertGreaterThan(runs[0].count, 3)
    }
  }

  /// Readings that share a row are not cut apart, so that the rows are those of one file.
  func testTheRowsAreThoseOfOneFile() throws {
    for layout in [CSVLayout.wide, .long] {
      _ = try record(readings(1), .csv(folder.file("whole.csv"), layout: layout))
      let whole = try XCTUnwrap(folder.text("whole.csv")).split(separator: "\n")
      for rotation in [Rotation(size: 700), Rotation(period: .milliseconds(30))] {
        _ = try record(readings(1), .csv(folder.file("r.csv"), layout: layout, rotation: rotation))
        let texts = parts.compactMap { folder.text($0)?.split(separator: "\n") }
        XCTAssertEqual(Set(texts.compactMap(\.first)), [whole[0]])
        XCTAssertEqual(texts.flatMap { $0.dropFirst() }, Array(whole.dropFirst()))
        for name in folder.files where name.hasPrefix("r.") { unlink(folder.file(name)) }
      }
      for name in folder.files { unlink(folder.file(name)) }
    }
  }
}
