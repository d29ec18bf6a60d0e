import Foundation
import SluiceReadings
import SluiceRecording
import TestFiles
import XCTest

@testable import SluiceArchive

/// Sessions that are damaged, or none: what stands before the damage is read, and then one sentence says what is wrong.
final class SigrokFaultTests: ArchiveTestCase {
  override func setUpWithError() throws {
    try super.setUpWithError()
    try InstalledLibrary.archive.needed()
  }

  private static let line = ["capturefile=logic-1", "total probes=1", "samplerate=1 MHz", "unitsize=1", "probe1=A"]

  private func opening(_ bytes: [UInt8]) -> String? {
    error { _ = try SigrokTrace(bytes, name: "t.sr") }.map(\.description)
  }

  private func reading(_ bytes: [UInt8]) throws -> (times: [Int64], error: String?) {
    let read = try SigrokTrace(bytes, name: "t.sr").readAll()
    return (read.readings.map(\.time), read.error?.description)
  }

  // MARK: What it is

  /// Its directory is at the end, and so it is read entry by entry.
  func testACutOffSessionNamesTheEntry() throws {
    let parts = (1...3).map { part in
      (name: "logic-1-\(part)", bytes: (0..<20_000).map { UInt8(truncatingIfNeeded: ($0 &* $0) >> 3) })
    }
    let bytes = session(["capturefile=logic-1", "total probes=1", "samplerate=1", "unitsize=1", "probe1=A"], parts)
    for length in stride(from: 600, to: bytes.count - 30, by: 997) {
      let fault: String
      do {
        let trace = try SigrokTrace(Array(bytes[..<length]), name: "t.sr")
        guard let error = trace.readAll().error else { continue }
        fault = "\(error)"
      } catch {
        fault = "\(error)"
      }
      XCTAssertTrue(fault.contains("logic-1-") || fault.contains("metadata"), "\(length): \(fault)")
      XCTAssertFalse(fault.contains("\n"), fault)
    }
  }

  func testWhatIsNoSession() {
    let what = "cannot read t.sr: it is a ZIP archive, but not a sigrok session: it has no entry"
    XCTAssertEqual(opening(zip([("a.txt", [1])])), "\(what) \"version\"")
    XCTAssertEqual(opening(zip([])), "\(what) \"version\"")
    XCTAssertEqual(opening(zip([("version", [0x32])])), "\(what) \"metadata\"")
    XCTAssertNotNil(opening(Array("PK\u{3}\u{4} and no more".utf8)))
    XCTAssertNotNil(opening([]))
  }

  func testVersions() throws {
    for version in ["1", "2", "2\n"] { XCTAssertNil(opening(session(Self.line, [("logic-1", [1])], version: version))) }
    for version in ["3", "", "0", "1x"] {
      XCTAssertEqual(
        opening(session(Self.line, [("logic-1", [1])], version: version)),
        "cannot read t.sr: its version is \"\(version)\", but only sigrok sessions of the versions 1 and 2 can be read; "
          + "write it again with sigrok-cli")
    }
    XCTAssertEqual(
      opening(session(Self.line, [], version: String(repeating: "2", count: 65))),
      "cannot read t.sr: its entry \"version\" is longer than 64 bytes")
  }

  func testMetadata() {
    func metadata(_ lines: [String]) -> String? {
      opening(session(lines, [("logic-1-1", [1])]))?.replacingOccurrences(of: "cannot read t.sr: ", with: "")
    }
    func changed(_ key: String, _ value: String?) -> String? {
      metadata(Self.line.filter { !$0.hasPrefix(key) } + (value.map { ["\(key)=\($0)"] } ?? []))
    }
    let noRate = "is not a samplerate: a whole number of Hz above 0"
    XCTAssertEqual(changed("samplerate", nil), "its metadata has no samplerate, so its samples have no times")
    for rate in ["0", "0 MHz", "x", "", "-1", "1.5", "1.5 Hz", "99999999999999999999999", "1 MHzz", "20000000 THz"] {
      XCTAssertEqual(changed("samplerate", rate), "\"\(rate)\" \(noRate)", rate)
    }
    XCTAssertEqual(changed("total probes", "1025"), "it has 1025 lines, but 1024 is the limit")
    XCTAssertEqual(changed("total probes", "-1"), "\"-1\" is not a number for \"total probes\" in its metadata")
    XCTAssertEqual(changed("unitsize", "0"), "its unitsize is 0, which does not fit its 1 line")
    XCTAssertEqual(changed("unitsize", "2147483647"), "its unitsize is 2147483647, which does not fit its 1 line")
    XCTAssertEqual(
      changed("unitsize", "99999999999999999999"),
      "\"99999999999999999999\" is not a number for \"unitsize\" in its metadata")
    XCTAssertEqual(changed("total analog", "65"), "it has 65 analog channels, but 64 is the limit")
    XCTAssertEqual(metadata(["samplerate=1"]), "its metadata names neither a line nor an analog channel")
    XCTAssertEqual(
      opening(zip([("version", [0x32]), ("metadata", [])])), "cannot read t.sr: its metadata has no section [device 1]")
    // A line as long as the entry may be, and one that is longer.
    XCTAssertNil(metadata(Self.line + ["x=" + String(repeating: "y", count: 1 << 19)]))
    XCTAssertEqual(
      metadata(Self.line + ["x=" + String(repeating: "y", count: 1 << 20)]),
      "its entry \"metadata\" is longer than 1048576 bytes")
  }

  func testSampleRates() {
    let rates: [(String, UInt64)] = [
      ("8000000", 8_000_000), ("1 MHz", 1_000_000), ("1MHz", 1_000_000), ("500 kHz", 500_000), ("1.5 MHz", 1_500_000),
      ("12.50 kHz", 12_500), ("2 GHz", 2_000_000_000), ("100 Hz", 100), ("100Hz", 100), ("5k", 5_000),
    ]
    for (text, rate) in rates { XCTAssertEqual(SigrokMetadata.rate(text), rate, text) }
  }

  /// Ends of lines, spaces, comments and escapes as GLib takes them.
  func testFormOfMetadata() throws {
    let text =
      "# x\r\n[device 1]\r\n capturefile = logic-1 \r\ntotal probes=2\r\rsamplerate = 1MHz\n\r"
      + "probe1=\\sa\\\\b \nprobe2 = ä=1\n[device 2]\nprobe1=z\n"
    let bytes = zip([("version", [0x31]), ("metadata", Array(text.utf8)), ("logic-1", [2])])
    let trace = try SigrokTrace(bytes, name: "t.sr")
    XCTAssertEqual(trace.streams.map(\.name), [" a\\b", "ä=1"])
    XCTAssertEqual(trace.notices, ["t.sr: it has several devices, and only the first is read"])
    XCTAssertEqual(trace.readAll().readings.map { $0.values[0].significand }, [0, 1])
  }

  // MARK: Samples

  func testMissingParts() throws {
    let parts: [(name: String, bytes: [UInt8])] = [("logic-1-1", [0, 1]), ("logic-1-2", [0]), ("logic-1-4", [1])]
    let read = try reading(session(Self.line, parts))
    XCTAssertEqual(read.times, [0, 1_000, 2_000])
    XCTAssertEqual(read.error, "cannot read t.sr: it has no entry \"logic-1-3\", but it has later ones")
    XCTAssertEqual(
      try reading(session(Self.line, [("logic-2-1", [1])])).error, "cannot read t.sr: it has no entry \"logic-1-1\"")
    XCTAssertEqual(
      try reading(session(Self.line, [("logic-1-1", [1]), ("logic-1-1", [1])])).error,
      "cannot read t.sr: it has two entries \"logic-1-1\"")
  }

  func testPartOfASample() throws {
    let metadata = ["capturefile=logic-1", "total probes=9", "samplerate=1 MHz", "unitsize=2", "probe1=A"]
    let read = try reading(session(metadata, [("logic-1-1", [0, 0, 1, 0, 0]), ("logic-1-2", [0, 0])]))
    XCTAssertEqual(read.times, [0, 1_000])
    XCTAssertEqual(read.error, "cannot read t.sr: logic-1-1, byte 5: it ends in the middle of a sample of 2 bytes")
  }

  func testChannelsOfUnequalLength() throws {
    let metadata = ["samplerate=1 kHz", "total analog=2", "analog1=V", "analog2=I"]
    for (first, second) in [(2, 1), (1, 2)] {
      let bytes = session(
        metadata,
        [
          ("analog-1-1-1", [UInt8](repeating: 0, count: 4 * first)),
          ("analog-1-2-1", [UInt8](repeating: 0, count: 4 * second)),
        ])
      let read = try reading(bytes)
      XCTAssertEqual(read.times, [0])
      let (short, long) = first < second ? (1, 2) : (2, 1)
      XCTAssertEqual(
        read.error, "cannot read t.sr: analog-1-\(short) ends after 1 sample, but analog-1-\(long) has more")
    }
  }

  /// However few readings are asked for at a time, and with edges of a line at the sample of the fault.
  func testAFaultOfTheSecondChannel() throws {
    let metadata = Self.line + ["total analog=2", "analog2=V", "analog3=I"]
    let analog = [UInt8](repeating: 0, count: 40)
    let bytes = session(
      metadata,
      [
        ("logic-1-1", [0, 1, 0, 1]), ("analog-1-2-1", analog), ("analog-1-3-1", Array(analog.prefix(4))),
        ("analog-1-3-3", analog),
      ])
    for count in [1, 2, 64] {
      let read = try SigrokTrace(bytes, name: "t.sr").readAll(count)
      XCTAssertEqual(read.readings.map(\.time), [0, 0, 1_000])
      XCTAssertEqual(
        read.error?.description, "cannot read t.sr: it has no entry \"analog-1-3-2\", but it has later ones")
    }
  }

  /// What is wrong with the lines comes behind the analog samples before it.
  func testFaultsHaveTheirPlaceInTime() throws {
    let metadata = Self.line + ["total analog=1", "analog2=V"]
    let analog = [UInt8](repeating: 0, count: 20)
    let read = try reading(
      session(metadata, [("logic-1-1", [0, 0, 0]), ("logic-1-3", [0]), ("analog-1-2-1", analog)]))
    XCTAssertEqual(read.times, [0, 0, 1_000, 2_000])
    XCTAssertEqual(read.error, "cannot read t.sr: it has no entry \"logic-1-2\", but it has later ones")
  }

  func testChecksums() throws {
    var bytes = session(Self.line, [("logic-1-1", [0, 1, 0]), ("logic-1-2", [1, 0, 1, 1, 1])], method: "store")
    let pattern: [UInt8] = [1, 0, 1, 1, 1]
    let place = try XCTUnwrap(bytes.indices.first { bytes[$0...].starts(with: pattern) })
    bytes[place + 3] = 0
    let read = try reading(bytes)
    // The checksum is known at the end of the entry.
    XCTAssertEqual(read.times, [0, 1_000, 2_000, 3_000, 4_000, 5_000, 6_000, 7_000])
    XCTAssertTrue(try XCTUnwrap(read.error).hasPrefix("cannot read t.sr: logic-1-2, byte 5: ZIP bad CRC"), "\(read)")
  }

  /// The analog samples before a fault of the lines are read after it was found.
  func testAFaultIsNotForgotten() throws {
    let pattern: [UInt8] = [1, 0, 1, 1, 1]
    let metadata = Self.line + ["total analog=1", "analog2=V"]
    var bytes = session(
      metadata, [("logic-1-1", pattern), ("logic-1-2", [0, 1]), ("analog-1-2-1", [UInt8](repeating: 0, count: 40))],
      method: "store")
    let place = try XCTUnwrap(bytes.indices.first { bytes[$0...].starts(with: pattern) })
    bytes[place + 3] = 0
    let read = try reading(bytes)
    XCTAssertEqual(read.times.max(), 4_000)
    XCTAssertTrue(try XCTUnwrap(read.error).hasPrefix("cannot read t.sr: logic-1-1, byte 5: ZIP bad CRC"), "\(read)")
  }

  /// Methods other than deflate may want much memory.
  func testOtherMethods() throws {
    var bytes = session(Self.line, [("logic-1-1", [0, 1, 0, 1])], method: "store")
    // The method of the last entry, in its own header and in the directory: 14 is LZMA.
    for (signature, offset) in [([0x50, 0x4b, 3, 4] as [UInt8], 8), ([0x50, 0x4b, 1, 2], 10)] {
      let place = try XCTUnwrap(bytes.indices.last { bytes[$0...].starts(with: signature) })
      bytes[place + offset] = 14
    }
    XCTAssertEqual(
      try reading(bytes).error,
      "cannot read t.sr: logic-1-1, byte 0: it is compressed with another method than deflate")
  }

  /// Wherever a download ended, the readings are the first ones of the session.
  func testEveryLength() throws {
    var random = SplitMix(state: 5)
    let parts = (1...4).map { (name: "logic-1-\($0)", bytes: random.samples(unit: 1, count: 60, density: 0.4)) }
    let whole = session(Self.line, parts)
    let all = try reading(whole).times
    XCTAssertGreaterThan(all.count, 8)
    var most = 0
    for length in 0..<whole.count {
      guard let trace = try? SigrokTrace(Array(whole[..<length]), name: "t.sr") else { continue }
      let read = trace.readAll()
      let times = read.readings.map(\.time)
      XCTAssertEqual(times, Array(all.prefix(times.count)), "\(length) bytes")
      if times.count < all.count { XCTAssertNotNil(read.error, "\(length) bytes") }
      most = max(most, times.count)
    }
    XCTAssertEqual(most, all.count)
  }

  func testEveryDamagedByte() throws {
    let whole = session(Self.line, [("logic-1-1", [0, 1, 1, 0, 1, 0, 0, 0, 1]), ("logic-1-2", [1, 0])])
    for index in whole.indices {
      for bits in [0x01, 0x80, 0xff] as [UInt8] {
        var bytes = whole
        bytes[index] ^= bits
        // It is read or refused; nothing traps.
        if let trace = try? SigrokTrace(bytes, name: "t.sr") { _ = trace.readAll() }
      }
    }
  }

  // MARK: Files

  func testAKindOfTrace() throws {
    let path = file("t.sr", session(Self.line, [("logic-1-1", [0, 1])]))
    let trace = try TraceReader(path: path, kinds: [SigrokTraceKind.self] + TraceKinds.all)
    XCTAssertEqual(trace.streams.map(\.name), ["A"])
    XCTAssertEqual(try trace.next()?.flags, .initialLevel)
    XCTAssertEqual(try trace.next()?.time, 1_000)
    XCTAssertNil(try trace.next())
    // Whatever it is called.
    let other = file("t.zip", zip([("a", [1])]))
    XCTAssertEqual(
      error { _ = try TraceReader(path: other, kinds: [SigrokTraceKind.self]) }?.description,
      "cannot read \(other): it is a ZIP archive, but not a sigrok session: it has no entry \"version\"")
  }

  func testPipesAreRefused() throws {
    let path = "\(folder)/pipe.sr"
    XCTAssertEqual(mkfifo(path, 0o600), 0)
    let writer = open(path, O_RDWR)
    defer { close(writer) }
    let bytes = session(Self.line, [("logic-1-1", [0, 1])]) + [0x0a]
    XCTAssertEqual(write(writer, bytes, bytes.count), bytes.count)
    XCTAssertEqual(
      error { _ = try TraceReader(path: path, kinds: [SigrokTraceKind.self]) }?.description,
      "cannot read \(path): a ZIP archive cannot be read from a pipe; give it as a file")
  }
}
