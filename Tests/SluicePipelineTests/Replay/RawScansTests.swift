import Foundation
import SluiceReadings
import SluiceRecording
import SluiceSystem
import TestFiles
import XCTest

@testable import SluicePipeline

/// Dumps of an IIO buffer, whose layout the user says.
final class RawScansTests: XCTestCase {
  private struct Replayed {
    var rows: [String] = []
    var streams: [StreamDescription] = []
    var fault: String?
    var said: [String] = []
  }

  private func replay(_ bytes: [UInt8], _ layout: String, rate: String? = nil, block: Int = 512) throws -> Replayed {
    let folder = TemporaryFolder()
    let path = folder.file("scans.bin")
    XCTAssertTrue(FileManager.default.createFile(atPath: path, contents: Data(bytes)))
    return try replay(path: path, RawScans(layout, sampleRate: rate), block: block)
  }

  private func replay(path: String, _ scans: RawScans, block: Int = 512) throws -> Replayed {
    let sentences = Sentences()
    let trace = try TraceReader(
      paths: [path], kinds: Traces.all, opens: scans.opener, warn: { sentences.add($0) })
    var replayed = Replayed()
    replayed.streams = trace.streams
    do throws(SluiceError) {
      var readings = Array(repeating: Reading(time: 0, stream: StreamID(0), values: []), count: block)
      while true {
        let count = try trace.next(into: &readings)
        if count == 0 { break }
        for reading in readings[..<count] {
          let values = reading.values.map { $0.isMissing ? "-" : $0.description }
          replayed.rows.append("\(reading.time) \(values.joined(separator: "|"))")
        }
      }
    } catch {
      replayed.fault = error.cause
    }
    replayed.said = sentences.all.map { $0.replacingOccurrences(of: path, with: "x.bin") }
    return replayed
  }

  private final class Sentences: @unchecked Sendable {
    // The lock protects `sentences`.
    private let lock = NSLock()
    private var sentences: [String] = []
    var all: [String] { lock.withLock { sentences } }
    func add(_ sentence: String) { lock.withLock { sentences.append(sentence) } }
  }

  /// Three values of 16 bits, and two bytes of padding before the timestamp, as the kernel has them.
  private func scan(_ values: [Int16], _ time: Int64) -> [UInt8] {
    var bytes = values.flatMap { value in withUnsafeBytes(of: value.littleEndian) { Array($0) } }
    bytes += Array(repeating: 0xaa, count: (8 - bytes.count % 8) % 8)
    return bytes + withUnsafeBytes(of: time.littleEndian) { Array($0) }
  }

  func testScansWithATimestamp() throws {
    let layout =
      "accel_x=le:s12/16>>4 +3 *0.0005 m/s^2, accel_y=le:s12/16>>4 -1.5,temp=le:s16/16>>0 degC, timestamp=le:s64/64>>0"
    let bytes = scan([0x7ff0, -16, 5], 1_700_000_000_000_000_001) + scan([-0x8000, 16, -5], 1_700_000_000_000_000_002)
    let replayed = try replay(bytes, layout)
    XCTAssertEqual(replayed.rows, ["1700000000000000001 2047|-1|5", "1700000000000000002 -2048|1|-5"])
    XCTAssertNil(replayed.fault)
    XCTAssertEqual(replayed.said, [])
    XCTAssertEqual(
      replayed.streams[0].channels,
      [
        .init(
          name: "accel_x", unit: "m/s^2", format: "le:s12/16>>4", scale: ExactDecimal(significand: 5, exponent: -4),
          offset: ExactDecimal(significand: 3)),
        .init(name: "accel_y", format: "le:s12/16>>4", offset: ExactDecimal(significand: -15, exponent: -1)),
        .init(name: "temp", unit: "degC", format: "le:s16/16>>0"),
      ])
    XCTAssertEqual(replayed.streams.count, 1)
    XCTAssertEqual(replayed.streams[0].name, "scans")
  }

  func testScansWithoutATimestamp() throws {
    let bytes: [UInt8] = [1, 0, 0, 2, 3, 0, 0, 4, 5, 0, 0, 6]
    // A byte, one of padding, and two.
    let replayed = try replay(bytes, "a=le:u8/8>>0,b=be:u16/16>>0", rate: "400")
    XCTAssertEqual(replayed.rows, ["0 1|2", "2500000 3|4", "5000000 5|6"])
    let third = try replay(bytes, "a=le:u8/8>>0,b=be:u16/16>>0", rate: "3")
    XCTAssertEqual(third.rows, ["0 1|2", "333333333 3|4", "666666667 5|6"])
    XCTAssertEqual(third.said, ["x.bin: times are rounded to nanoseconds"])
    XCTAssertEqual(try replay(bytes, "a=be:u32/32>>0", rate: "0.5").rows[2], "4000000000 83886086")
  }

  func testAChannelMayRepeat() throws {
    let replayed = try replay([1, 2, 3, 4], "q=le:s8/8X4>>0", rate: "1")
    XCTAssertEqual(replayed.streams[0].channels.map(\.name), ["q_0", "q_1", "q_2", "q_3"])
    XCTAssertEqual(replayed.rows, ["0 1|2|3|4"])
  }

  func testTheRestIsReported() throws {
    let replayed = try replay([1, 0, 2, 0, 3], "a=le:u16/16>>0", rate: "1")
    XCTAssertEqual(replayed.rows, ["0 1", "1000000000 2"])
    XCTAssertEqual(
      replayed.said,
      [
        "x.bin: its last byte, at byte 4, is not a whole scan of 2 bytes and is left out; if the file is whole, check --scan-layout"
      ])
    XCTAssertNil(replayed.fault)
    XCTAssertEqual(try replay([1, 0, 2], "a=le:u32/32>>0", rate: "1").said.count, 1)
    XCTAssertEqual(try replay([], "a=le:u32/32>>0", rate: "1").said, [])
  }

  /// The readings before it are delivered.
  func testATimeThatDoesNotFit() throws {
    let replayed = try replay(scan([1], 5) + scan([2], -1) + scan([3], 7), "a=le:s16/16>>0,timestamp=le:u64/64>>0")
    XCTAssertEqual(replayed.rows, ["5 1"])
    XCTAssertEqual(replayed.fault, "scan 2, at byte 16: its timestamp needs more than 63 bits")
    let late = try replay(Array(repeating: 1, count: 12), "a=le:u8/8>>0", rate: "0.0000000001")
    XCTAssertEqual(late.rows, ["0 1"])
    XCTAssertEqual(late.fault, "scan 2, at byte 1: its time needs more than 63 bits")
  }

  /// More than a buffer, with scans across its end, whatever is asked for at a time.
  func testBlocks() throws {
    let bytes = (0..<300_001).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let layout = "a=le:u8/8>>0,b=le:u8/8>>0,c=le:u8/8>>0"
    let whole = try replay(bytes, layout, rate: "1000")
    XCTAssertEqual(whole.rows.count, 100_000)
    XCTAssertEqual(whole.rows[99_999], "99999000000 \(299_997 * 7 & 255)|\(299_998 * 7 & 255)|\(299_999 * 7 & 255)")
    XCTAssertEqual(try replay(bytes, layout, rate: "1000", block: 7).rows, whole.rows)
  }

  func testPipe() throws {
    let pipe = Pipe()
    let writing = pipe.fileHandleForWriting
    Thread.detachNewThread {
      for byte: UInt8 in [1, 0, 2, 0, 3, 0] { writing.write(Data([byte])) }
      writing.closeFile()
    }
    let replayed = try replay(
      path: "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)", RawScans("a=le:u16/16>>0", sampleRate: "1"))
    XCTAssertEqual(replayed.rows, ["0 1", "1000000000 2", "2000000000 3"])
  }

  func testWhatIsWrongWithALayout() {
    let many = (0..<65).map { "c\($0)=le:u8/8>>0" }.joined(separator: ",")
    for (layout, rate, sentence) in [
      ("", "1", "\"\" is not a channel; write each as NAME=TYPE, separated by commas"),
      ("a=le:u8/8>>0,", "1", "\"\" is not a channel"),
      ("le:u8/8>>0", "1", "is not a channel"),
      ("=le:u8/8>>0", "1", "is not a channel"),
      ("a=le:u8", "1", "the type of a, \"le:u8\", is not one that the kernel writes"),
      ("a=le:u9/8>>0", "1", "is not one that the kernel writes"),
      ("a=le:u8/8>>0 *2 +3", "1", "\"+3\" of channel a is out of place; write NAME=TYPE +OFFSET *SCALE UNIT"),
      ("a=le:u8/8>>0 V V", "1", "\"V\" of channel a is out of place"),
      ("a=le:u8/8>>0 *x", "1", "\"*x\" of channel a is out of place"),
      ("a=le:u8/8>>0,a=le:u8/8>>0", "1", "two of its channels are called a"),
      ("timestamp=le:s64/64>>0", nil, "it has no channel except the timestamp"),
      ("a=le:u8/8>>0,timestamp=le:s64/64>>0 ns", nil, "\"timestamp\" may appear once, without scale"),
      ("a=le:u8/8>>0", nil, "it has no channel timestamp; give --sample-rate"),
      ("a=le:u8/8>>0,timestamp=le:s64/64>>0", "1", "it has the channel timestamp; leave out --sample-rate"),
      ("a=le:u8/8>>0", "0", "it is not a rate in hertz"), ("a=le:u8/8>>0", "-1", "it is not a rate in hertz"),
      ("a=le:u8/8>>0", "fast", "it is not a rate in hertz"), ("a=le:u8/8>>0", "1e30", "it is not a rate in hertz"),
      ("a=le:u8/8>>0", "1e-30", "it is not a rate in hertz"),
      (many, "1", "it has more than 64 values in a scan"),
    ] as [(String, String?, String)] {
      XCTAssertThrowsError(try RawScans(layout, sampleRate: rate), layout) { error in
        XCTAssertTrue("\(error)".contains(sentence), "\(layout): \(error)")
      }
    }
  }

  func testPlan() throws {
    let text = #"""
      {"version": 1, "replay": {"file": "x.bin", "scan-layout": "a=le:u8/8>>0 *2 V", "sample-rate": "12.5"}, "outputs": [{"path": "y.csv"}]}
      """#
    let plan = try RecordingPlan(json: Array(text.utf8), name: "p.json")
    XCTAssertEqual(plan.replay?.scans, try RawScans("a=le:u8/8>>0 *2 V", sampleRate: "12.5"))
    XCTAssertEqual(plan.json.text, text)
    for (replay, sentence) in [
      (#""sample-rate": 4"#, "replay.sample-rate gives times to a dump of an IIO buffer: give \"scan-layout\" too"),
      (#""scan-layout": "a=le:u8""#, "replay.scan-layout: the type of a, \"le:u8\", is not one that the kernel writes"),
      (#""scan-layout": 4"#, "replay.scan-layout takes a text, not 4"),
    ] {
      let plan = #"{"version": 1, "replay": {"file": "x", \#(replay)}, "outputs": [{"path": "y.csv"}]}"#
      XCTAssertThrowsError(try RecordingPlan(json: Array(plan.utf8), name: "p.json")) {
        XCTAssertTrue("\($0)".contains(sentence), "\($0)")
      }
    }
  }

  func testAFolderIsRefused() throws {
    let scans = try RawScans("a=le:u8/8>>0", sampleRate: "1")
    XCTAssertThrowsError(try replay(path: NSTemporaryDirectory(), scans)) {
      XCTAssertTrue("\($0)".contains("it is a folder, but --scan-layout reads one file"), "\($0)")
    }
  }
}
