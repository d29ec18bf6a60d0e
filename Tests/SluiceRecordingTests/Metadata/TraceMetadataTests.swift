import Foundation
import TestFiles
import XCTest

@testable import SluiceReadings
@testable import SluiceRecording

final class TraceMetadataTests: XCTestCase {
  private func metadata(_ members: String, titles: String = "\"time_ns\"") throws -> TraceMetadata {
    let columns = "{\"columns\": [{\"titles\": \(titles)}]}"
    return try TraceMetadata(
      Array("{\"tableSchema\": \(columns)\(members.isEmpty ? "" : ", ")\(members)}".utf8), path: "t.csv-metadata.json")
  }

  private func scale(_ number: String) throws -> ExactDecimal? {
    try metadata(
      """
      "sluice:streams": [{"sluice:name": "a", "sluice:channels": [{"sluice:name": "x", "sluice:scale": \(number)}]}]
      """
    ).streams?[0].channels[0].scale
  }

  func testEveryMember() throws {
    let metadata = try metadata(
      """
      "sluice:version": "0.1.0", "sluice:state": "unfinished", "sluice:values": "raw", "sluice:later": {"a": [1, null]},
      "sluice:streams": [
        {"sluice:name": "imu", "sluice:columns": "channel",
          "sluice:device": {"sluice:path": "/sys/a", "sluice:bus": "i2c-1", "sluice:label": "left", "sluice:name": "bmi160"},
          "sluice:channels": [{"sluice:name": "x", "sluice:unit": "m/s^2", "sluice:format": "le:s12/16>>4",
            "sluice:scale": 0.000299792458, "sluice:offset": -7.50}]},
        {"sluice:name": "b", "sluice:channels": [{"sluice:name": "y"}]}],
      "sluice:losses": [
        {"sluice:streams": ["imu"], "sluice:reason": "lost", "sluice:count": 5, "sluice:first_ns": 1, "sluice:last_ns": 2},
        {"sluice:streams": ["imu", "b"], "sluice:reason": "removed", "sluice:count": 3, "sluice:unit": "occasions"}],
      "sluice:losses_shown": "some",
      "sluice:gap_before": [{"sluice:stream": "imu", "sluice:count": 9, "sluice:times_ns": [9223372036854775807, -1]}],
      "sluice:initial_level": [{"sluice:stream": "b", "sluice:count": 1, "sluice:times_ns": [3]}],
      "sluice:ledger": [{"sluice:stream": "imu", "sluice:received": 60, "sluice:written": 10, "sluice:dropped": 20,
        "sluice:suppressed": 15, "sluice:discarded": 5, "sluice:unwritten": 10, "sluice:unaccounted": 0}],
      "sluice:pauses": [{"sluice:from_ns": 4, "sluice:to_ns": 5}, {"sluice:from_ns": 6}],
      "sluice:trace": {"sluice:file": "old.csv", "sluice:state": "finished"},
      "sluice:earlier_runs": 3, "sluice:began_at_byte": 4096, "sluice:clocks": {"sluice:began_ns": 7}
      """, titles: "\"a \\\"b\\\" -1\"")
    var imu = StreamDescription(
      name: "imu",
      channels: [
        .init(
          name: "x", unit: "m/s^2", format: "le:s12/16>>4",
          scale: ExactDecimal(significand: 299_792_458, exponent: -12),
          offset: ExactDecimal(significand: -750, exponent: -2))
      ])
    imu.hasForeignColumns = true
    imu.device = .init(path: "/sys/a", bus: "i2c-1", label: "left", name: "bmi160")
    XCTAssertEqual(metadata.titles, ["a \"b\" -1"])
    XCTAssertEqual(metadata.version, "0.1.0")
    XCTAssertEqual(metadata.state, .unfinished)
    XCTAssertEqual(metadata.values, .raw)
    XCTAssertEqual(metadata.streams, [imu, StreamDescription(name: "b", channels: [.init(name: "y")])])
    XCTAssertEqual(
      metadata.losses,
      [
        .init(streams: ["imu"], reason: "lost", count: 5, first: 1, last: 2),
        .init(streams: ["imu", "b"], reason: "removed", count: 3, countsReadings: false),
      ])
    XCTAssertEqual(metadata.lossesShown, .some(.some))
    XCTAssertEqual(metadata.gapBefore, [.init(stream: "imu", count: 9, times: [.max, -1])])
    XCTAssertEqual(metadata.initialLevel, [.init(stream: "b", count: 1, times: [3])])
    XCTAssertEqual(
      metadata.ledger,
      [
        .init(
          stream: "imu", received: 60, dropped: 20, suppressed: 15, discarded: 5, written: 10, unwritten: 10)
      ])
    XCTAssertEqual(metadata.pauses, [.init(from: 4, to: 5), .init(from: 6, to: nil)])
    XCTAssertEqual(metadata.trace, .init(file: "old.csv", state: .finished))
    XCTAssertEqual(metadata.earlierRuns, 3)
    XCTAssertEqual(metadata.beganAtByte, 4_096)
    XCTAssertEqual(metadata.began, 7)
    XCTAssertEqual(metadata.missed, 35, "5 lost, 20 dropped, 10 unwritten")
  }

  func testWhatIsMissingIsNil() throws {
    let metadata = try metadata("")
    XCTAssertEqual(metadata, TraceMetadata(path: "t.csv-metadata.json", titles: ["time_ns"]))
    XCTAssertEqual(metadata.missed, 0)
    XCTAssertEqual(try self.metadata("\"sluice:losses_shown\": \"few\"").lossesShown, nil)
    XCTAssertEqual(try self.metadata("", titles: "[\"a\", \"b\"]").titles, ["a"])
    XCTAssertEqual(try self.metadata("", titles: "{\"en\": \"a\"}").titles, [""])
  }

  func testFaultsInWhatNoReaderNeedsAreIgnored() throws {
    let members = [
      "\"sluice:host\": 7", "\"sluice:pipeline\": [1]", "\"sluice:meta\": {\"sluice:key\": 1}", "\"sluice:part\": {}",
      "\"sluice:times_limit\": -1.5", "\"sluice:trace\": {\"sluice:files\": 1}", "\"url\": null, \"@context\": []",
    ]
    for members in members { XCTAssertEqual(try metadata(members).titles, ["time_ns"], members) }
  }

  func testScaledValuesAreSaidToBe() throws {
    let streams = "\"sluice:streams\": [{\"sluice:name\": \"a\", \"sluice:channels\": []}]"
    XCTAssertEqual(try metadata("\"sluice:values\": \"scaled\", \(streams)").streams?[0].isScaled, true)
    XCTAssertEqual(try metadata("\"sluice:values\": \"raw\", \(streams)").streams?[0].isScaled, false)
    XCTAssertEqual(try metadata(streams).streams?[0].isScaled, true, "printed as they are")
  }

  /// A digit lost, or a zero at the end, would be one in every value that is written.
  func testScalesKeepAllTheirDigits() throws {
    for text in ["0.000299792458", "0.10", "-12.500", "9223372036854775807", "0.9223372036854775807"] {
      XCTAssertEqual(try scale(text)?.description, text)
    }
    XCTAssertEqual(try scale("1.50e-5")?.description, "0.0000150")
    let long = "0.12345678901234567890123456789012345678"
    let refused = error { _ = try scale(long) }
    XCTAssertTrue(refused?.cause.contains("\(long), which is no number whose digits fit in 64 bits") == true)
    XCTAssertTrue(refused?.cause.hasPrefix("sluice:streams[0].sluice:channels[0].sluice:scale is ") == true)
  }

  func testWhatCannotBeReadIsOneSentence() throws {
    let cases: [(String, String)] = [
      ("", "it is empty"),
      ("{", "it is not JSON (line 1, column 2 should have a key in double quotes)"),
      (
        "{\"tableSchema\": {\"columns\": [{\"titles\": \"time_ns\"}",
        "it is not JSON (line 1, column 51 should have a comma or a closing bracket)"
      ),
      (
        String(repeating: "[", count: 100_000),
        "it is not JSON (line 1, column 101 has more than 100 objects and lists inside one another)"
      ),
      ("\u{0}\u{0}\u{0}", "it is not JSON (line 1, column 1 should have a value)"),
      ("[]", "it takes an object"),
      ("7", "it takes an object"),
      ("{}", "it has no member \"tableSchema\""),
      ("{\"tableSchema\": {}}", "tableSchema has no member \"columns\""),
      ("{\"tableSchema\": {\"columns\": [1]}}", "tableSchema.columns[0] takes an object"),
      (
        "{\"tableSchema\": {\"columns\": []}, \"sluice:values\": \"squared\"}",
        "sluice:values is \"squared\", but this version knows only \"raw\" and \"scaled\""
      ),
      (
        "{\"tableSchema\": {\"columns\": []}, \"sluice:gap_before\": [{\"sluice:stream\": \"a\", \"sluice:times_ns\": [1.5]}]}",
        "sluice:gap_before[0].sluice:times_ns[0] is 1.5, which is no whole number whose digits fit in 64 bits"
      ),
      (
        "{\"tableSchema\": {\"columns\": []}, \"sluice:losses\": [{\"sluice:reason\": \"a\", \"sluice:count\": -1}]}",
        "sluice:losses[0].sluice:count is -1, which is no whole number"
      ),
    ]
    for (text, cause) in cases {
      let refused = error { _ = try TraceMetadata(Array(text.utf8), path: "t.csv-metadata.json") }
      XCTAssertEqual(refused?.code, .malformed, text.prefix(80).description)
      XCTAssertTrue(refused?.cause.hasPrefix(cause) == true, "\(refused?.cause ?? "") instead of \(cause)")
      XCTAssertEqual(refused?.object, "t.csv-metadata.json")
      XCTAssertEqual(refused?.remedy, "repair it, or move it away to read the trace without it")
    }
  }

  /// A loss may be estimated as large as a device likes.
  func testMissedDoesNotOverflow() throws {
    let loss = "{\"sluice:reason\": \"a\", \"sluice:count\": 9223372036854775807}"
    XCTAssertEqual(try metadata("\"sluice:losses\": [\(loss), \(loss)]").missed, .max)
  }

  func testOnlyARegularFileOfAReasonableSizeIsRead() throws {
    let folder = TemporaryFolder()
    let path = folder.file("t.csv")
    XCTAssertNil(try TraceMetadata(beside: path))
    mkfifo(path + "-metadata.json", 0o600)
    XCTAssertEqual(error { _ = try TraceMetadata(beside: path) }?.cause, "it is not a regular file")
    unlink(path + "-metadata.json")
    let large = open(path + "-metadata.json", O_WRONLY | O_CREAT, 0o600)
    XCTAssertEqual(ftruncate(large, off_t(TraceMetadata.longest + 1)), 0)
    close(large)
    XCTAssertEqual(error { _ = try TraceMetadata(beside: path) }?.cause, "it is larger than 64 MiB")
  }

  /// 500,000 of them took 3 GB.
  func testTheStreamsOfMetadataHaveALimit() throws {
    func document(_ count: Int) -> [UInt8] {
      let streams = (0..<count).map { "{\"sluice:name\":\"s\($0)\",\"sluice:channels\":[{\"sluice:name\":\"x\"}]}" }
      return Array("{\"sluice:format\":\"mcap\",\"sluice:streams\":[\(streams.joined(separator: ","))]}".utf8)
    }
    XCTAssertEqual(try TraceMetadata(document(16_384), path: "m").streams?.count, 16_384)
    XCTAssertThrowsError(try TraceMetadata(document(16_385), path: "m")) {
      XCTAssertEqual(($0 as? SluiceError)?.cause, "it has 16385 streams, but 16384 is the limit")
    }
  }

  func testMutatedFilesNeverTrap() throws {
    let original = Array(
      "{\"tableSchema\": {\"columns\": [{\"titles\": \"time_ns\"}]}, \"sluice:losses\": [{\"sluice:reason\": \"\\u00e9\\\"\", \"sluice:count\": 5}], \"sluice:gap_before\": [{\"sluice:stream\": \"a\", \"sluice:times_ns\": [-1, 1e3]}]}"
        .utf8)
    let alphabet = Array("0123456789,,\"\n\\.-+e {}[]:ntf".utf8) + [0, 0x80, 0xff]
    for _ in 0..<3_000 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...4) {
        let place = Int.random(in: 0..<bytes.count)
        switch Int.random(in: 0..<3) {
        case 0: bytes[place] = alphabet.randomElement() ?? 0
        case 1: bytes.insert(alphabet.randomElement() ?? 0, at: place)
        default: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...9)))
        }
        if bytes.isEmpty { bytes = original }
      }
      if let refused = error(of: { _ = try TraceMetadata(bytes, path: "t") }) {
        XCTAssertEqual(refused.code, .malformed)
      }
    }
  }

  /// Each recording into a file has losses of its own, also if they are equal. Files of one folder share those of a
  /// device, and each has the account of its own streams.
  func testEqualLossesOfOneFileAddUp() throws {
    func metadata(_ stream: String) throws -> TraceMetadata {
      let text = """
        {"tableSchema": {"columns": [{"titles": "time_ns"}]}, "sluice:state": "finished",
         "sluice:losses": [{"sluice:streams": ["a", "b"], "sluice:reason": "missing", "sluice:count": 3}],
         "sluice:ledger": [{"sluice:stream": "\(stream)", "sluice:received": 15, "sluice:written": 5,
           "sluice:dropped": 10}]}
        """
      return try TraceMetadata(Array(text.utf8), path: "t.csv-metadata.json")
    }
    let (a, b) = (try metadata("a"), try metadata("b"))
    XCTAssertEqual(a.missed, 13)
    XCTAssertEqual(TraceMetadata(merging: [a, a], isOneFile: true)?.missed, 26)
    XCTAssertEqual(TraceMetadata(merging: [a, b])?.missed, 23)
    let (twoA, twoB) = (
      TraceMetadata(merging: [a, a], isOneFile: true), TraceMetadata(merging: [b, b], isOneFile: true)
    )
    XCTAssertEqual(TraceMetadata(merging: [twoA, twoB])?.missed, 46)
  }

  /// Accounts of two names that only look the same are equal for Swift, and both count.
  func testLookalikesOfAFolderBothCount() throws {
    let all = try ["\u{e9}", "e\u{301}"].map { name in
      let text = """
        {"tableSchema": {"columns": []}, "sluice:ledger": [{"sluice:stream": "\(name)", "sluice:dropped": 5}]}
        """
      return try TraceMetadata(Array(text.utf8), path: "t.csv-metadata.json")
    }
    XCTAssertEqual(TraceMetadata(merging: all)?.missed, 10)
  }

  /// The first version did not tell removals from readings.
  func testARemovalIsNoReading() throws {
    let text = """
      {"tableSchema": {"columns": [{"titles": "time_ns"}]},
       "sluice:losses": [{"sluice:reason": "times removed", "sluice:count": 2}]}
      """
    let metadata = try TraceMetadata(Array(text.utf8), path: "t.csv-metadata.json")
    XCTAssertEqual(metadata.missed, 0)
    XCTAssertEqual(metadata.losses?.first?.isUncounted, true)
  }
}
