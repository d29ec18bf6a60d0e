import Foundation
import TestFiles
import XCTest

@testable import SluiceReadings
@testable import SluiceRecording

/// Recordings of this version and of earlier ones, made by Fixtures/make: a folder of them for each, and a row here for each file.
final class RecordedTraceTests: XCTestCase {
  private struct Recording {
    var path: String
    /// `STREAM: CHANNEL (UNIT), ...`
    var streams: [String]
    var readings: Int
    var gaps = 0
    var levels = 0
    var missed = 0
    var state = TraceMetadata.State.finished
    var values = TraceMetadata.Written.scaled
  }

  private static let meter = "METER: level"
  private static let dummy =
    "dummy0: voltage0 (mV), voltage1-voltage2 (mV), voltage3-voltage4 (mV), accel_x (m/s^2)"
  private static let timer = "timer 50ms: tick"
  private static let line = "gpiochip0:0: level"

  private let recordings = [
    Recording(path: "0.1.0-first/gpio.csv", streams: [meter], readings: 51, levels: 1),
    Recording(path: "0.1.0-first/gpio-values.csv", streams: ["gpiochip0 values: 0, METER"], readings: 50),
    Recording(path: "0.1.0-first/iio.csv", streams: [dummy], readings: 50, gaps: 2, missed: 3),
    Recording(path: "0.1.0-first/iio-raw.csv", streams: [dummy], readings: 50, values: .raw),
    Recording(path: "0.1.0-first/long.csv", streams: [meter, dummy, timer], readings: 120, gaps: 2, missed: 3),
    Recording(
      path: "0.1.0-first/long-raw.csv", streams: [meter, dummy, timer], readings: 120, gaps: 2, missed: 2, values: .raw),
    Recording(
      path: "0.1.0-first/folder", streams: [meter, dummy, line, timer], readings: 120, gaps: 3,
      missed: 3),
    Recording(path: "0.1.0-first/killed.csv", streams: ["timer 10ms: tick"], readings: 72, state: .unfinished),
    Recording(path: "0.1.0-first/losses.csv", streams: [dummy], readings: 80, gaps: 2, missed: 42),

    Recording(path: "0.1.0/gpio.csv", streams: [meter], readings: 51, levels: 1),
    Recording(path: "0.1.0/gpio-values.csv", streams: ["gpiochip0: 0, METER"], readings: 50),
    Recording(path: "0.1.0/iio.csv", streams: [dummy], readings: 50, gaps: 7, missed: 6),
    Recording(path: "0.1.0/iio-raw.csv", streams: [dummy], readings: 50, values: .raw),
    Recording(path: "0.1.0/long.csv", streams: [meter, dummy, timer], readings: 120, gaps: 14, missed: 10),
    Recording(
      path: "0.1.0/long-raw.csv", streams: [meter, dummy, timer], readings: 120, gaps: 2, missed: 2, values: .raw),
    Recording(
      path: "0.1.0/wide.csv", streams: [line, meter, timer, dummy], readings: 120, gaps: 2, missed: 3),
    Recording(
      path: "0.1.0/wide-raw.csv", streams: [line, meter, timer, dummy], readings: 120, values: .raw),
    Recording(path: "0.1.0/folder", streams: [meter, dummy, line, timer], readings: 120, gaps: 1, missed: 1),
    Recording(path: "0.1.0/killed.csv", streams: ["timer 10ms: tick"], readings: 74, state: .unfinished),
    Recording(path: "0.1.0/losses.csv", streams: [dummy], readings: 80, gaps: 8, missed: 107),
  ]

  private let fixtures = Checkout.file("Tests/SluiceRecordingTests/Fixtures")

  func testEveryFixtureIsHere() throws {
    for version in try FileManager.default.contentsOfDirectory(atPath: fixtures.path)
    where !["make", "documents", "tables"].contains(version) {
      for name in try FileManager.default.contentsOfDirectory(atPath: "\(fixtures.path)/\(version)")
      where !name.hasSuffix(".json") {
        XCTAssertTrue(recordings.contains { $0.path == "\(version)/\(name)" }, "\(version)/\(name)")
      }
    }
  }

  func testReplayGivesWhatWasRecorded() throws {
    for recording in recordings {
      let path = fixtures.appendingPathComponent(recording.path).path
      let warned = expectation(description: "warned")
      warned.isInverted = true
      let trace = try TraceReader(path: path) { _ in warned.fulfill() }
      var readings: [Reading] = []
      while let reading = try trace.next() { readings.append(reading) }
      wait(for: [warned], timeout: 0)
      XCTAssertEqual(described(trace.streams), recording.streams, recording.path)
      XCTAssertEqual(readings.count, recording.readings, recording.path)
      XCTAssertEqual(
        readings.filter { $0.flags.contains(.gapBefore) }.count, recording.gaps, recording.path)
      XCTAssertEqual(
        readings.filter { $0.flags.contains(.initialLevel) }.count, recording.levels, recording.path)
      XCTAssertEqual(trace.metadata?.missed, recording.missed, recording.path)
      XCTAssertEqual(trace.metadata?.state, recording.state, recording.path)
      XCTAssertEqual(trace.metadata?.values, recording.values, recording.path)
      XCTAssertTrue(trace.streams.allSatisfy { $0.isScaled == (recording.values == .scaled) }, recording.path)
      XCTAssertEqual(rows(readings, trace.streams, raw: true), try rows(path, trace.streams), recording.path)
      try checkScaled(readings, trace.streams, isScaled: recording.values == .scaled, recording.path)
    }
  }

  /// What the files list is what is flagged.
  func testFlagsAreAtTheTimesThatWereListed() throws {
    let trace = try TraceReader(path: fixtures.appendingPathComponent("0.1.0-first/losses.csv").path)
    var times: [Int64] = []
    while let reading = try trace.next() { if reading.flags == .gapBefore { times.append(reading.time) } }
    XCTAssertEqual(times, [1_795_295_218_320_679_425, 1_795_295_218_615_675_393])
  }

  // MARK: What they hold, read another way

  private func described(_ streams: [StreamDescription]) -> [String] {
    streams.map { stream in
      "\(stream.name): "
        + stream.channels.map { $0.name + ($0.unit.map { " (\($0))" } ?? "") }.joined(separator: ", ")
    }
  }

  /// Rows as the long layout has them.
  private func rows(_ readings: [Reading], _ streams: [StreamDescription], raw: Bool) -> [String] {
    let encoder = CSVEncoder(layout: .long, EncoderStreams(streams, raw: raw))
    return encoder.text(readings).split(separator: "\n").map(String.init)
  }

  private func rows(_ path: String, _ streams: [StreamDescription]) throws -> [String] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
      return try rows(file: path, streams)
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".csv") }.sorted()
    let all = try zip(names, streams).flatMap { name, stream in try rows(file: "\(path)/\(name)", [stream]) }
    // Rows of one time stay in the order of the files.
    return all.enumerated().sorted { a, b in
      let (first, second) = (a.element.split(separator: ",")[0], b.element.split(separator: ",")[0])
      return (first, a.offset) < (second, b.offset)
    }.map(\.element)
  }

  private func rows(file: String, _ streams: [StreamDescription]) throws -> [String] {
    let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map(String.init)
    guard lines[0] != "time_ns,stream,channel,value" else { return Array(lines.dropFirst()) }
    return lines.dropFirst().flatMap { line in
      let cells = line.split(separator: ",", omittingEmptySubsequences: false)
      var rest = cells.dropFirst()
      return streams.flatMap { stream -> [String] in
        let own = rest.prefix(stream.channels.count)
        rest = rest.dropFirst(own.count)
        guard streams.count == 1 || own.contains(where: { !$0.isEmpty }) else { return [] }
        return zip(own, stream.channels).map { "\(cells[0]),\(stream.name),\($1.name),\($0)" }
      }
    }
  }

  /// By another arithmetic than that of the encoder.
  private func checkScaled(
    _ readings: [Reading], _ streams: [StreamDescription], isScaled: Bool, _ name: String
  ) throws {
    let rows = rows(readings, streams, raw: false)
    var index = 0
    for reading in readings {
      let stream = streams[Int(reading.stream.index)]
      for (value, channel) in zip(reading.values, stream.channels) {
        let raw = try XCTUnwrap(Decimal(string: value.description))
        let scale = try XCTUnwrap(Decimal(string: channel.scale.description))
        let offset = try XCTUnwrap(Decimal(string: channel.offset.description))
        let written = try XCTUnwrap(rows[index].split(separator: ",").last.flatMap { Decimal(string: String($0)) })
        XCTAssertEqual(written, isScaled ? raw : (raw + offset) * scale, name)
        index += 1
      }
    }
    XCTAssertEqual(index, rows.count)
  }
}
