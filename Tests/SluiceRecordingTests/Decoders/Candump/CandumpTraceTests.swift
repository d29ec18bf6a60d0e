import Foundation
import SluiceCAN
import SluiceReadings
import SluiceSystem
import TestFiles
import XCTest

@testable import SluiceRecording

/// What `candump -L` and `candump -l` of can-utils write.
final class CandumpTraceTests: XCTestCase {
  private func rows(_ trace: TraceReader) throws -> [String] {
    var rows: [String] = []
    while let reading = try trace.next() {
      let values = reading.values.map { $0.isMissing ? "-" : $0.description }.joined(separator: " ")
      rows.append("\(reading.time) \(trace.streams[Int(reading.stream.index)].name) \(values)")
    }
    return rows
  }

  private func rows(_ text: String) throws -> [String] {
    try rows(TraceReader(Array(text.utf8), name: "can.log"))
  }

  func testAllForms() throws {
    XCTAssertEqual(
      try rows(
        """
        (1436509052.249713) vcan0 044#2A366C2BBA
        (1436509052.249714) vcan0 1FFFFFFF#
        (1436509052.249715) can1 123#R
        (1436509052.249716) can1 123#R8_C
        (1436509052.249717) vcan0 20000204#0004000000000009
        (1436509052.249718) vcan0 123##5AABBCCDDEE
        (1436509052.249719) vcan0 7ff#1122334455667788_f R\r

        (1436509052.249719123) vcan0 00000001#01 T

        """),
      [
        "1436509052249713000 vcan0 68 0 0 5 42 54 108 43 186 - - -",
        "1436509052249714000 vcan0 536870911 1 0 0 - - - - - - - -",
        "1436509052249715000 can1 291 0 1 0 - - - - - - - -",
        "1436509052249716000 can1 291 0 1 8 - - - - - - - -",
        "1436509052249717000 vcan0:error 516 0 4 0 0 0 0 9",
        "1436509052249718000 vcan0:fd 291 0 1 0 5 3721182122 238 - - - - - - - - - - - - - -",
        "1436509052249719000 vcan0 2047 0 0 8 17 34 51 68 85 102 119 136",
        "1436509052249719123 vcan0 1 1 0 1 1 - - - - - - -",
      ])
  }

  func testStreamsAreThoseThatCome() throws {
    let trace = try TraceReader(
      Array("(1.5) can0 001#01\n(2.5) can0 20000001#0000000000000000\n".utf8), name: "can.log")
    XCTAssertEqual(trace.streams.map(\.name), ["can0", "can0:error"])
    XCTAssertEqual(
      trace.streams[0].channels.map(\.name),
      ["id", "extended", "remote", "length"] + (0..<8).map { "byte\($0)" })
    XCTAssertFalse(trace.isGrowing)
  }

  func testBadLines() {
    for (line, cause) in [
      ("(1.0) can0", "\"(1.0) can0\" is not a line of candump -L"),
      ("(1.0) can0 123", "\"(1.0) can0 123\" is not a line of candump -L"),
      ("1.0 can0 123#", "\"1.0 can0 123#\" is not a line of candump -L"),
      ("(1.0) can0 12#", "\"12#\" has no identifier of 3 or 8 digits"),
      ("(1.0) can0 12G#", "\"12G#\" has an identifier that is not hexadecimal"),
      ("(1.0) can0 800#", "\"800#\" has an identifier of more than 11 bits"),
      ("(1.0) can0 40000000#", "\"40000000#\" has an identifier of more than 29 bits"),
      ("(1.0) can0 123#1", "\"123#1\" has bytes that are not two digits each"),
      ("(1.0) can0 123#112233445566778899", "\"123#112233445566778899\" has more than 8 bytes"),
      ("(1.0) can0 123#R9", "\"123#R9\" has a length of more than 8 bytes"),
      ("(1.0) can0 123##", "\"123##\" has no flags after ##"),
      ("(1.0) can0 123#81:00:12345678#11", "\"123#81:00:12345678#11\" is a frame of CAN XL"),
      ("(1.0) can:0 123#", "\"can:0\" is not the name of an interface"),
      ("(1.0) a/b 123#", "\"a/b\" is not the name of an interface"),
      ("(x) can0 123#", nil),
    ] as [(String, String?)] {
      XCTAssertThrowsError(try rows("(0.5) can0 001#\n\(line)\n"), line) {
        guard let cause else { return XCTAssertTrue("\($0)".contains("line 2: "), "\($0)") }
        XCTAssertTrue("\($0)".contains("line 2: \(cause)"), "\($0)")
      }
    }
  }

  /// A replay has the frames that a recording has: random frames, as the kernel and as can-utils write them.
  func testRandomFramesAreThoseOfTheKernel() throws {
    for _ in 0..<20_000 {
      let (isFD, isExtended) = (Bool.random(), Bool.random())
      let kind = isFD ? 0 : Int.random(in: 0...9)
      let length = isFD ? [0, 1, 7, 8, 12, 16, 20, 24, 32, 48, 64].randomElement()! : Int.random(in: 0...8)
      let id = UInt32.random(in: 0...(isExtended || kind == 9 ? 0x1fff_ffff : 0x7ff))
      let bytes = (0..<length).map { _ in UInt8.random(in: 0...255) }
      let flags = UInt8.random(in: 0...3)
      var kernel = id | (kind == 9 ? 0x2000_0000 : isExtended ? 0x8000_0000 : 0) | (kind == 8 ? 0x4000_0000 : 0)
      var structure = withUnsafeBytes(of: &kernel) { Array($0) } + [UInt8(length), isFD ? flags : 0, 0, 0] + bytes
      structure += [UInt8](repeating: 0, count: (isFD ? 72 : 16) - structure.count)
      let name = String(kernel & 0x3fff_ffff, radix: 16, uppercase: true)
      let isLong = isExtended || kind == 9
      var text = String(repeating: "0", count: (isLong ? 8 : 3) - name.count) + name + "#"
      if kind == 8 {
        text += "R\(length == 0 ? "" : "\(length)")"
      } else {
        text += (isFD ? "#\(flags)" : "") + bytes.map { String(format: "%02X", $0) }.joined()
      }
      let line = try Array("(1.5) can0 \(text)".utf8).withUnsafeBufferPointer { try CandumpLine($0).frame }
      XCTAssertEqual(line, structure.withUnsafeBytes { CANFrame(kernel: $0) }, text)
    }
  }

  func testRecognition() {
    for line in ["(1436509052.249713) vcan0 044#2A", "\n(1.0) can0 123##0", "(1.0) can0 123#81:00:12345678#11"] {
      XCTAssertTrue(CandumpTrace.recognizes(Array(line.utf8)), line)
    }
    for text in ["4#2A\n(1.0) can0 123#", "\u{feff}(1.0) can0 123#", "\n\n\n(1.0) can0 123#"] {
      XCTAssertTrue(CandumpTrace.recognizes(Array(text.utf8)), text)
    }
    for line in ["time_ns,a", "(a) b c#", "1.0 can0 123#", "(1.0),can0,123#", ""] {
      XCTAssertFalse(CandumpTrace.recognizes(Array(line.utf8)), line)
    }
  }

  func testAByteOrderMarkIsSkipped() throws {
    XCTAssertEqual(try rows("\u{feff}(1.0) can0 001#01\n"), ["1000000000 can0 1 0 0 1 1 - - - - - - -"])
  }

  func testATornFirstLineIsAFaultOfThisLine() {
    XCTAssertThrowsError(try rows("4#2A\n(1.0) can0 001#01\n")) {
      XCTAssertTrue("\($0)".contains("line 1: \"4#2A\" is not a line of candump -L"), "\($0)")
    }
  }

  /// What `candump` writes without `-L`, with the times of `-ta`, `-td` and `-tA`.
  func testOtherOutputOfCandump() {
    for line in [
      "  can0  123   [3]  11 22 33", " (1436509052.249713)  can0  1FFFFFFF   [0] ",
      " (2026-11-25 19:14:32.123456)  can0  123  [08]  11 22", "  can0  RX - -  123   [1]  11   '.'",
    ] {
      XCTAssertTrue(CandumpTrace.recognizes(Array(line.utf8)), line)
      XCTAssertThrowsError(try rows("\(line)\n"), line) {
        XCTAssertTrue("\($0)".hasSuffix("is a line of candump without -L; record it with candump -L"), "\($0)")
      }
    }
    for line in ["a [3]", "time [3] b", "a 12 [3]", "a 123 [x]"] {
      XCTAssertFalse(CandumpTrace.recognizes(Array(line.utf8)), line)
    }
  }

  func testDamagedLines() {
    let line = Array("(1436509052.249717) vcan0 123##5AABBCCDDEE T".utf8)
    for end in line.indices { _ = line[..<end].withUnsafeBufferPointer { try? CandumpLine($0) } }
    for index in line.indices {
      for byte in [UInt8(0), 0x20, 0x23, 0x28, 0x39, 0x52, 0xff] {
        var changed = line
        changed[index] = byte
        _ = changed.withUnsafeBufferPointer { try? CandumpLine($0) }
      }
    }
  }

  func testWithADBC() throws {
    let folder = temporaryFolder()
    let dbc = folder.file("car.dbc", "BO_ 291 Engine: 8 X\n SG_ Speed : 0|16@1+ (0.25,0) [0|0] \"rpm\" X\n")
    let log = folder.file("can.log", "(1.0) can0 123#0410\n(2.0) can0 124#04\n(3.0) can1 123#FFFF\n")
    let trace = try TraceReader(path: log, format: TraceFormat(dbc: dbc))
    XCTAssertEqual(
      try rows(trace),
      ["1000000000 can0:Engine 4100", "2000000000 can0 292 0 0 1 4 - - - - - - -", "3000000000 can1:Engine 65535"])
    XCTAssertEqual(trace.streams[0].channels, [.init(name: "Speed", unit: "rpm", scale: ExactDecimal("0.25")!)])
  }

  func testADBCIsForCandumpAlone() throws {
    for text in ["time_ns,a\n1,2\n", "{\"time_ns\":1,\"stream\":\"a\",\"values\":{\"v\":1}}\n"] {
      XCTAssertThrowsError(try TraceReader(Array(text.utf8), name: "a.csv", format: TraceFormat(dbc: "car.dbc"))) {
        XCTAssertEqual(
          "\($0)",
          "cannot read a.csv: it is no log of candump, and --dbc is only for such logs; leave out --dbc, or give a file that "
            + "candump -L has written")
      }
    }
  }
}
