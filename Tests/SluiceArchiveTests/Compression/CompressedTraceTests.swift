import CZlib
import Dispatch
import Foundation
import Sluice
import SluiceReadings
import TestFiles
import XCTest

@testable import SluiceArchive
@testable import SluiceRecording

private let compressions: [any Compression.Type] = [GzipCompression.self, ZstdCompression.self]

/// Traces that are compressed, against the same that are not.
final class CompressedTraceTests: ArchiveTestCase {
  private let warnings = Locked<[String]>([])
  private var said: [String] { warnings.withLock { $0 } }

  /// As `zstd --ultra --long=31` makes it: nothing is damaged.
  func testAFrameThatNeedsTooMuchMemory() {
    let frame: [UInt8] = [0x28, 0xb5, 0x2f, 0xfd, 0x04, 0xa8, 0x51, 0, 0] + Array("time_ns,x\n".utf8)
    XCTAssertEqual(
      read(frame, "t.csv.zst").error,
      "cannot read t.csv.zst: its zstd data needs more than 128 MiB of memory; decompress it first with zstd -d --long=31"
    )
  }

  private func member(_ text: String, _ compression: any Compression.Type) throws -> [UInt8] {
    try XCTUnwrap(Array(text.utf8).withUnsafeBytes { compression.compressor().member($0) })
  }

  /// A member for each.
  private func compress(_ texts: [String], _ compression: any Compression.Type) throws -> [UInt8] {
    try texts.flatMap { try member($0, compression) }
  }

  private func read(
    _ bytes: [UInt8], _ name: String = "t.csv.gz", state: String? = nil, skipsBad: Bool = false
  ) -> (
    readings: [Reading], streams: [String], error: String?
  ) {
    let metadata = state.map {
      "{\"tableSchema\": {\"columns\": [{\"titles\": \"time_ns\"}, {\"titles\": \"x\"}]}, \"sluice:state\": \"\($0)\"}"
    }
    let warnings = warnings
    do {
      let reader = try TraceReader(
        bytes, name: name, metadata: metadata.map { Array($0.utf8) }, skipsBad: skipsBad, compressions: compressions
      ) { sentence in warnings.withLock { $0.append(sentence) } }
      let (readings, error) = all(reader)
      return (readings, reader.streams.map(\.name), error)
    } catch {
      return ([], [], "\(error)")
    }
  }

  private func all(_ reader: TraceReader) -> (readings: [Reading], error: String?) {
    var all: [Reading] = []
    do {
      while let reading = try reader.next() { all.append(reading) }
    } catch {
      return (all, "\(error)")
    }
    return (all, nil)
  }

  private let wide = "time_ns,x\n" + (1...200).map { "\($0),\($0 * 7)\n" }.joined()
  private let long = "time_ns,stream,channel,value\n" + (1...200).map { "\($0),s\($0 % 5),v,\($0)\n" }.joined()
  private let lines = (1...200).map { "{\"time_ns\":\($0),\"stream\":\"s\",\"values\":{\"x\":\($0)}}\n" }.joined()
  private let dump =
    "$timescale 1 ns $end\n$var wire 1 ! a $end\n$enddefinitions $end\n"
    + (0..<200).map { "#\($0)\n\($0 % 2)!\n" }.joined()

  // MARK: What is read

  func testEveryKindOfText() throws {
    for (text, name) in [(wide, "t.csv"), (long, "t.csv"), (lines, "t.jsonl"), (dump, "t.vcd")] {
      let plain = read(Array(text.utf8), name)
      XCTAssertGreaterThanOrEqual(plain.readings.count, 199)
      XCTAssertNil(plain.error)
      for compression in compressions {
        let bytes = try member(text, compression)
        for name in ["\(name).\(compression.ending)", name] {
          let read = read(bytes, name)
          XCTAssertEqual(read.readings, plain.readings, "\(name) \(compression.name)")
          XCTAssertEqual(read.streams, plain.streams)
          XCTAssertNil(read.error)
        }
      }
    }
    XCTAssertEqual(said, [])
  }

  func testMembersAreReadToTheEnd() throws {
    for compression in compressions {
      // Cut anywhere, with empty members between.
      let rest = wide.dropFirst(3)
      let pieces = [String(wide.prefix(3)), "", String(rest.prefix(500)), "", String(rest.dropFirst(500))]
      let read = read(try compress(pieces, compression))
      XCTAssertEqual(read.readings.count, 200)
      XCTAssertNil(read.error)
    }
    // A frame to be skipped, as pzstd writes it.
    let skipped: [UInt8] = [0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]
    XCTAssertEqual(read(skipped + (try member(wide, ZstdCompression.self)) + skipped).readings.count, 200)
  }

  /// As the commands make it: with a name and a time, and without lengths.
  func testWhatGzipAndZstdWrite() throws {
    let path = file("t.csv", Array(wide.utf8))
    for (command, name) in [
      ("gzip -k", "t.csv.gz"), ("zstd -q --no-check", "t.csv.zst"), ("zstd -q -f --stream-size=0 -19", "t.csv.zst"),
    ] {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = command.split(separator: " ").map(String.init) + [path]
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      guard process.terminationStatus == 0 else { continue }
      let trace = try TraceReader(path: "\(folder)/\(name)", kinds: TraceKinds.all, compressions: compressions)
      XCTAssertEqual(trace.streams.map(\.name), ["t"])
      XCTAssertEqual(all(trace).readings.count, 200)
    }
  }

  func testMetadataBesideIt() throws {
    let metadata = """
      {"tableSchema": {"columns": [{"titles": "time_ns"}, {"titles": "x", "sluice:stream": "imu"}]},
       "sluice:state": "finished"}
      """
    for name in ["walk.csv.gz", "walk.csv"] {
      _ = file("walk.csv.gz", try member(wide, GzipCompression.self))
      let beside = file("\(name)-metadata.json", Array(metadata.utf8))
      let trace = try TraceReader(path: "\(folder)/walk.csv.gz", kinds: TraceKinds.all, compressions: compressions)
      XCTAssertEqual(trace.metadata?.path, beside)
      XCTAssertEqual(all(trace).readings.count, 200)
      try FileManager.default.removeItem(atPath: beside)
    }
  }

  func testAFolder() throws {
    _ = file("a.csv.gz", try member(wide, GzipCompression.self))
    _ = file("b.csv.zst", try member(wide, ZstdCompression.self))
    _ = file("c.csv", Array(wide.utf8))
    _ = file("d.gz", try member(wide, GzipCompression.self))
    let trace = try TraceReader(path: folder.path, kinds: TraceKinds.all, compressions: compressions)
    XCTAssertEqual(trace.streams.map(\.name), ["a", "b", "c"])
    XCTAssertEqual(all(trace).readings.count, 600)
  }

  func testSessionsAndOthersWithoutTheKinds() throws {
    try InstalledLibrary.archive.needed()
    let session = session(["capturefile=l", "total probes=1", "samplerate=1", "probe1=A"], [("l", [1])])
    let bytes = try XCTUnwrap(session.withUnsafeBytes { GzipCompressor().member($0) })
    let path = file("t.sr.gz", bytes)
    XCTAssertEqual(
      error { _ = try TraceReader(path: path, kinds: [SigrokTraceKind.self], compressions: compressions) }?.description,
      "cannot read \(path): a ZIP archive cannot be read from a compressed file; decompress it first")
    // Without the compressions it is what it is.
    XCTAssertTrue(
      try XCTUnwrap(error { _ = try TraceReader(path: path) }).cause.hasPrefix("it begins with \"\\x1f\\x8b"))
  }

  // MARK: Damage

  func testEveryLength() throws {
    for compression in compressions {
      let bytes = try compress([String(wide.prefix(900)), String(wide.dropFirst(900))], compression)
      var most = 0
      for length in 4..<bytes.count {
        let cut = read(Array(bytes[..<length]))
        XCTAssertEqual(cut.readings.map(\.time), (0..<cut.readings.count).map { Int64($0 + 1) })
        let place = "it ends at byte \(length) in the middle of its \(compression.name) data, and was cut off there"
        if let error = cut.error {
          XCTAssertEqual(error, "cannot read t.csv.gz: \(place)", "\(length)")
        } else {
          // Between the members.
          XCTAssertEqual(length, try member(String(wide.prefix(900)), compression).count)
        }
        most = max(most, cut.readings.count)
      }
      XCTAssertGreaterThan(most, 100)
    }
  }

  func testTheEndOfWhatIsUnfinished() throws {
    for compression in compressions {
      let first = try member("time_ns,x\n1,2\n2,3\n", compression)
      let second = try member("3,4\n4,5\n", compression)
      for length in 1..<second.count {
        let before = said.count
        let read = read(first + second[..<length], state: "unfinished")
        XCTAssertNil(read.error)
        XCTAssertTrue([1, 2, 3, 4].starts(with: read.readings.map(\.time)))
        XCTAssertGreaterThanOrEqual(read.readings.count, 2)
        XCTAssertEqual(said.count, before + 1)
        XCTAssertTrue(
          [
            "t.csv.gz: its \(compression.name) data has no end, because the recording was cut off there",
            "t.csv.gz: its last row has no line end and is left out, because the recording was cut off there",
          ].contains(said.last), said.last ?? "")
      }
      let nuls = first + [UInt8](repeating: 0, count: 100_000)
      XCTAssertEqual(read(nuls, state: "unfinished").readings.count, 2)
      XCTAssertEqual(
        said.last, "t.csv.gz: the NUL bytes at its end are left out, because the recording was cut off there")
      XCTAssertNil(read(nuls).error)
      XCTAssertEqual(said.last, "t.csv.gz: the NUL bytes at its end are left out")
      XCTAssertEqual(
        read(nuls + first).error,
        "cannot read t.csv.gz: its \(compression.name) data is damaged after byte \(nuls.count): other bytes follow its NUL bytes"
      )
    }
  }

  func testDamage() throws {
    for compression in compressions {
      let first = try member(wide, compression)
      // The checksum is at the end.
      var wrong = first
      wrong[first.count - 5] ^= 1
      var read = read(wrong)
      XCTAssertNotNil(read.error)
      XCTAssertTrue(try XCTUnwrap(read.error).contains("its \(compression.name) data is damaged after byte"))
      XCTAssertGreaterThan(read.readings.count, compression == GzipCompression.self ? 190 : -1)
      read = self.read(first + Array("xyz".utf8))
      XCTAssertEqual(read.readings.count, 200)
      XCTAssertTrue(
        try XCTUnwrap(read.error).hasPrefix(
          "cannot read t.csv.gz: its \(compression.name) data is damaged after byte \(first.count)"),
        "\(read.error ?? "")")
      for index in first.indices {
        var bytes = first
        bytes[index] ^= 0x10
        _ = self.read(bytes)
      }
    }
  }

  /// The long layout is read twice, and what is damaged is said once, behind what is good.
  func testDamageOfWhatIsReadTwice() throws {
    for compression in compressions {
      let bytes = try member(long, compression) + Array("junk".utf8)
      let read = read(bytes)
      XCTAssertEqual(read.streams.count, 5)
      XCTAssertEqual(read.readings.count, 200)
      XCTAssertNotNil(read.error)
    }
  }

  private let shared = "time_ns,a.x,b.y\n" + (1...200).map { "\($0),\($0),\($0 % 3)\n" }.joined()
  private let levels = "Time [s],Channel 0\n" + (1...200).map { "\($0).5,\($0 % 2)\n" }.joined()
  private let objects = (1...200).map { "{\"ts_ms\":\($0),\"temp\":\($0)}\n" }.joined()
  private let edges = (1...200).map {
    "event:  RISING EDGE offset: \($0 % 3) timestamp: [\($0 + 1000).500000000]\n"
  }.joined()

  /// With `--skip-bad` the rows before the damage are read, and the damage is no row that could be left out.
  func testDamageIsNoBadRow() throws {
    for text in [wide, shared, levels, long, lines, objects, edges, dump] {
      for compression in compressions {
        let whole = try member(text, compression)
        // In the middle of a row.
        let first = try member(String(text.prefix(1_501)), compression)
        let second = try member(String(text.dropFirst(1_501)), compression)
        let damaged: [[UInt8]] = [
          whole + Array("and more".utf8), first + Array(second.dropLast(5)),
          first + Array(second.prefix(second.count / 2)),
        ]
        for bytes in damaged {
          let stopped = read(bytes)
          let error = try XCTUnwrap(stopped.error, text)
          XCTAssertTrue(error.contains("its \(compression.name) data is damaged") || error.contains("cut off"), error)
          XCTAssertGreaterThan(stopped.readings.count, 15)
          let skipped = read(bytes, skipsBad: true)
          XCTAssertEqual(skipped.error, error)
          XCTAssertEqual(skipped.readings, stopped.readings)
          XCTAssertEqual(skipped.streams, stopped.streams)
          let piped = try readFromPipe(bytes)
          XCTAssertEqual(piped.error?.replacingOccurrences(of: "\(folder)/pipe.gz", with: "t.csv.gz"), error)
          XCTAssertEqual(piped.readings, stopped.readings)
          XCTAssertEqual(piped.skipped, 0)
        }
      }
    }
  }

  /// As `sluice replay - --skip-bad` reads it, and no error is read past.
  private func readFromPipe(_ bytes: [UInt8]) throws -> (readings: [Reading], error: String?, skipped: Int) {
    let (path, writer) = try fifo()
    defer { unlink(path) }
    XCTAssertEqual(write(writer, bytes, bytes.count), bytes.count)
    var isOpen = true
    defer { if isOpen { close(writer) } }
    do {
      let trace = try TraceReader(path: path, skipsBad: true, kinds: TraceKinds.all, compressions: compressions)
      close(writer)
      isOpen = false
      let (readings, error) = all(trace)
      // It stays what it was.
      if let error { XCTAssertEqual(all(trace).error, error) }
      return (readings, error, trace.skippedRows.count)
    } catch {
      return ([], "\(error)", 0)
    }
  }

  func testABombIsReadInPieces() throws {
    let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: 20 << 20)
    for compression in compressions {
      let bytes = try XCTUnwrap(zeros.withUnsafeBytes { compression.compressor().member($0) })
      XCTAssertLessThan(bytes.count, 100_000)
      XCTAssertEqual(
        read(bytes).error,
        "cannot read t.csv.gz: line 1, column 1: the row is longer than 16 MiB; repair the row, or leave out such rows with --skip-bad"
      )
    }
  }

  // MARK: Pipes

  private func fifo() throws -> (path: String, writer: Int32) {
    let path = "\(folder)/pipe.gz"
    XCTAssertEqual(mkfifo(path, 0o600), 0)
    // Both ends, so that neither open waits.
    let writer = open(path, O_RDWR)
    XCTAssertGreaterThanOrEqual(writer, 0)
    return (path, writer)
  }

  func testASlowPipe() throws {
    for compression in compressions {
      let (path, writer) = try fifo()
      defer { unlink(path) }
      let first = try member("time_ns,x\n1,2\n", compression)
      // Less than the 512 bytes that a kind is known by, and no more is written before it is read.
      XCTAssertEqual(write(writer, first, first.count), first.count)
      let trace = try TraceReader(path: path, kinds: TraceKinds.all, compressions: compressions)
      XCTAssertEqual(try trace.next()?.time, 1)
      let second = try member("2,3\n", compression)
      XCTAssertEqual(write(writer, second, second.count), second.count)
      XCTAssertEqual(try trace.next()?.time, 2)
      close(writer)
      XCTAssertNil(try trace.next())
    }
  }

  /// What the writer has flushed comes out, though its member goes on.
  func testAFlushedMember() throws {
    var stream = z_stream()
    XCTAssertNil(czlib_load())
    XCTAssertEqual(
      deflateInit2_(
        &stream, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)), Z_OK)
    defer { deflateEnd(&stream) }
    func deflated(_ text: String) -> [UInt8] {
      let input = Array(text.utf8)
      var output = [UInt8](repeating: 0, count: 1_000)
      input.withUnsafeBufferPointer { input in
        output.withUnsafeMutableBufferPointer { output in
          stream.next_in = input.baseAddress
          stream.avail_in = UInt32(input.count)
          stream.next_out = output.baseAddress
          stream.avail_out = UInt32(output.count)
          XCTAssertEqual(deflate(&stream, Z_SYNC_FLUSH), Z_OK)
        }
      }
      return Array(output.dropLast(Int(stream.avail_out)))
    }
    let (path, writer) = try fifo()
    for (index, text) in ["time_ns,x\n1,2\n", "2,3\n", "3,4\n"].enumerated() {
      let bytes = deflated(text)
      XCTAssertEqual(write(writer, bytes, bytes.count), bytes.count)
      if index == 0 {
        reader = try TraceReader(path: path, kinds: TraceKinds.all, compressions: compressions)
      }
      XCTAssertEqual(try reader?.next()?.time, Int64(index + 1))
    }
    close(writer)
    XCTAssertTrue("\(try XCTUnwrap(error { _ = try reader?.next() }))".contains("in the middle of its gzip data"))
  }
  private var reader: TraceReader?

  func testAPipeThatIsInterrupted() throws {
    let (path, writer) = try fifo()
    defer { close(writer) }
    let beginning = try member("time_ns", GzipCompression.self)
    XCTAssertEqual(write(writer, beginning, beginning.count), beginning.count)
    let looks = Locked(0)
    let failure = error {
      _ = try TraceReader(
        path: path, kinds: TraceKinds.all, compressions: compressions,
        isInterrupted: {
          looks.withLock { count in
            count += 1
            return count > 4
          }
        })
    }
    XCTAssertEqual(failure?.code, .interrupted)
    XCTAssertEqual(failure?.errno, EINTR)
  }
}
