import Foundation
import Sluice
import SluiceReadings
import TestFiles
import XCTest

@testable import SluiceRecording

final class VCDTraceTests: VCDTestCase {
  // MARK: Files of others

  /// As libsigrok writes it.
  func testALogicAnalyser() throws {
    let trace = try trace(
      """
      $date Sat Mar  2 10:00:00 2024 $end
      $version libsigrok 0.5.2 $end
      $comment
        Acquisition with 3/8 channels at 1 MHz
      $end
      $timescale 1 us $end
      $scope module libsigrok $end
      $var wire 1 ! sda $end
      $var wire 1 " scl $end
      $var real 64 # A0 $end
      $upscope $end
      $enddefinitions $end
      #0 1! 0" r1.25 #
      #40 0!
      #72 1" r-3.5e-05 #
      #160000

      """)
    XCTAssertEqual(trace.streams.map(\.name), ["sda", "scl", "libsigrok"])
    XCTAssertEqual(trace.streams.map { $0.channels.map(\.name) }, [["level"], ["level"], ["A0"]])
    XCTAssertEqual(trace.streams.map { $0.channels[0].format }, ["level", "level", nil])
    XCTAssertEqual(
      try lines(trace),
      [
        "0 sda 1 initial", "0 scl 0 initial", "0 libsigrok 1.25", "40000 sda 0", "72000 scl 1",
        "72000 libsigrok -0.000035",
      ])
    XCTAssertEqual(said, [])
  }

  /// As a simulator writes it, with values in front of the first time.
  func testASimulator() throws {
    let trace = try trace(
      """
      $date
         Mon Jan  1 00:00:00 2024
      $end
      $timescale
      \t10ps
      $end
      $scope module tb $end
      $scope module dut $end
      $var wire 8 # data [7:0] $end
      $var reg 4 * state[3:0] $end
      $var wire 1 $ valid $end
      $var wire 1 % en $end
      $scope begin inner $end
      $var wire 1 % en $end
      $var integer 32 ' i $end
      $upscope $end
      $upscope $end
      $upscope $end
      $enddefinitions $end
      $dumpvars
      bxxxxxxxx #
      b0 *
      x$
      0%
      bz '
      $end
      #0
      b10000001 #
      0$
      #221100
      1%
      #230000
      b1Z # 1$
      b1 *
      #230500

      """)
    XCTAssertEqual(trace.streams.map(\.name), ["dut", "valid", "dut.en", "dut.inner.en", "dut.inner"])
    XCTAssertEqual(trace.streams[0].channels.map(\.name), ["data", "state"])
    XCTAssertEqual(
      try lines(trace),
      [
        "0 valid 0 initial", "0 dut 129 0", "0 dut.en 0 initial", "0 dut.inner.en 0 initial", "0 dut.inner -",
        "2211 dut.en 1", "2211 dut.inner.en 1", "2300 valid 1", "2300 dut - 1",
      ])
    XCTAssertEqual(said, [])
  }

  func testAValueIsKeptUntilItChanges() throws {
    XCTAssertEqual(
      try lines(dump("#5\nb1 \"\n#6\nr2 #\n#7\n1!\nb11 \"\nr2.50 #\n#8\nbx \"\n")),
      ["5 top 1 -", "6 top 1 2", "7 a 1", "7 top 3 2.50", "8 top - 2.50"],
      "a level that comes later than the others is an edge")
  }

  func testASecondValueAtATimeBeginsAReading() throws {
    XCTAssertEqual(
      try lines(dump("#5\nb1 \"\n0!\nb10 \"\n1!\n#5\nr1 #\n")), ["5 a 0 initial", "5 top 1 -", "5 a 1", "5 top 2 1"])
  }

  /// Whatever stands in front of the first time is the value at 0, where a simulation begins.
  func testValuesInFrontOfTheFirstTime() throws {
    XCTAssertEqual(try lines(dump("0!\n1!\nb1 \"\n#10\nb10 \"\n#20\n")), ["0 a 1 initial", "0 top 1 -", "10 top 2 -"])
    XCTAssertEqual(try lines(dump("0!\n")), ["0 a 0 initial"], "there need not be a time")
    XCTAssertEqual(try lines(dump("#10\n#20\n$dumpvars\n0!\n$end\n1!\n")), ["20 a 0 initial", "20 a 1"])
  }

  func testCheckpoints() throws {
    XCTAssertEqual(
      try lines(
        dump(
          """
          #1
          1!
          #2
          $dumpall
          1!
          b0 "
          $end
          #3
          $dumpoff
          x!
          bx "
          rnan #
          $end
          #4
          $comment 1! is what stood here $end
          #5
          $dumpon
          1!
          b1 "
          $end
          1!
          """)),
      ["1 a 1 initial", "2 top 0 -", "3 a -", "3 top - -", "5 a 1", "5 a 1", "5 top 1 -"],
      "in a checkpoint only what has changed is a reading")
  }

  func testLevelsOfNineValues() throws {
    XCTAssertEqual(
      try lines(dump("#1\nX!\n#2\nz!\n#3\nH!\n#4\nl!\n#5\nU!\n#6\n-!\n#7\nW!\n#8\nb1 !\n")).map {
        $0.split(separator: " ")[2]
      },
      ["-", "-", "1", "0", "-", "-", "-", "1"])
  }

  func testWordsMayStandOnAnyLine() throws {
    XCTAssertEqual(
      try lines(
        dump("#1 1! b1\n\t\"  r1\n\n#\n\r\n#2\r\n0!\r\n").replacingOccurrences(of: "$end\n$var", with: "$end $var")),
      ["1 a 1 initial", "1 top 1 1", "2 a 0"])
    let oneLine = dump("#1 1!").replacingOccurrences(of: "\n", with: " ") + "\n"
    XCTAssertEqual(try lines(oneLine), ["1 a 1 initial"])
  }

  // MARK: Times

  func testUnitsOfTime() throws {
    for (scale, time) in [
      ("100 s", 300_000_000_000), ("10s", 30_000_000_000), ("1 s", 3_000_000_000), ("1ms", 3_000_000),
      ("10 us", 30_000), ("100 ns", 300), ("1 ns", 3),
    ] {
      XCTAssertEqual(try lines(dump("#3\n1!", timescale: scale)), ["\(time) a 1 initial"], scale)
    }
    XCTAssertEqual(said, [])
  }

  func testFinerTimesAreRounded() throws {
    let text = "#1499\n1!\n#1500\n0!\n#2501\n1!\n#18446744073709551615\n0!\n"
    XCTAssertEqual(
      try lines(dump(text, timescale: "1 ps")), ["1 a 1 initial", "2 a 0", "3 a 1", "18446744073709552 a 0"])
    XCTAssertEqual(said, ["dump.vcd: its times are finer than nanoseconds, and are rounded"], "once")
    XCTAssertEqual(try lines(dump("#4999999\n1!\n", timescale: "100 fs")), ["500 a 1 initial"])
    XCTAssertEqual(try lines(dump("#2000\n1!\n", timescale: "1 ps")), ["2 a 1 initial"])
    XCTAssertEqual(said.count, 2, "a whole number of nanoseconds is not rounded")
  }

  func testWithoutATimescale() throws {
    XCTAssertEqual(try lines("$var wire 1 ! a $end $enddefinitions $end\n#3\n1!\n"), ["3 a 1 initial"])
    XCTAssertEqual(said, ["dump.vcd: it has no $timescale, and its times are taken as nanoseconds"])
  }

  // MARK: Values

  func testReals() throws {
    for (text, value) in [
      ("0", "0"), ("1.50", "1.50"), ("-0.001", "-0.001"), ("1e3", "1000"), ("+2.5E-2", "0.025"), (".5", "0.5"),
      ("9223372036854775807", "9223372036854775807"), ("3.14159265358979323846", "3.141592653589793238"),
      ("-0.00123456789012345678949", "-0.001234567890123456789"), ("12345678901234567895", "12345678901234567900"),
      ("1e-300", "0"), ("1e-99999999999999999999", "0"), ("nan", "-"), ("NaN", "-"), ("-nan", "-"),
      ("1.6e-100", "0." + String(repeating: "0", count: 99) + "2"), ("1e30", "1" + String(repeating: "0", count: 30)),
      ("999999999999999999.5", "1000000000000000000"), ("-1e118", "-1" + String(repeating: "0", count: 118)),
    ] {
      XCTAssertEqual(try lines(dump("#1\nr\(text) #")), ["1 top - \(value)"], text)
    }
    XCTAssertEqual(said, [])
    for text in ["inf", "-Infinity", "1e119", "-1e99999999999999999999", "1e300"] {
      XCTAssertEqual(try lines(dump("#1\nr1 #\n#2\nr\(text) #")), ["1 top - 1", "2 top - -"], text)
    }
    XCTAssertEqual(
      said.first, "dump.vcd: line 11: a number is too large; such numbers are taken as missing values")
    for text in ["", "1.5.", "1e", "e5", "--1", "0x1", "1,5", "1e+-5", "infinit"] {
      XCTAssertEqual(failure(dump("#1\nr\(text) #")).cause, "line 9: \"r\(text)\" is no number", text)
    }
  }

  func testVectors() throws {
    let header = "$timescale 1 ns $end $var reg 63 ! v $end $var wire 128 \" w $end $enddefinitions $end\n"
    let largest = String(repeating: "1", count: 63)
    for (bits, value) in [
      ("0", "0"), ("1", "1"), ("00101", "5"), (largest, "9223372036854775807"), ("00" + largest, "9223372036854775807"),
      ("1x", "-"), ("z", "-"), (String(repeating: "u", count: 80), "-"),
    ] {
      XCTAssertEqual(try lines("\(header)#1\nb\(bits) !\n"), ["1 dump \(value)"], bits)
    }
    XCTAssertEqual(try lines("\(header)#1\nb1\(largest) \"\n1!\n"), ["1 dump 1"], "of what is left out, nothing counts")
    XCTAssertEqual(failure("\(header)#1\nb1\(largest) !\n").cause, "line 3: a value of dump.v has more than 63 bits")
    XCTAssertEqual(failure("\(header)#1\nb102 !\n").cause, "line 3: \"b102\" are no bits")
    XCTAssertEqual(failure("\(header)#1\nb !\n").cause, "line 3: \"b\" are no bits")
  }

  func testWhatIsNoNumberIsLeftOutAndSaid() throws {
    let header = """
      $timescale 1 ns $end
      $scope module m $end
      $var string 1 ! s $end
      $var event 1 " e $end
      $var wire 64 # w $end
      $var port [0:3] <0 p $end
      $var real 64 $ r $end
      $upscope $end
      $enddefinitions $end

      """
    let trace = try trace("\(header)#1\nsHello\\x20World !\n1\"\nb101 #\npDU 6 6 <0\nr1 $\n#2\ns !\n#3\nr2 $\n")
    XCTAssertEqual(trace.streams.map(\.name), ["m"])
    XCTAssertEqual(try lines(trace), ["1 m 1", "3 m 2"])
    XCTAssertEqual(
      said, ["dump.vcd: variables that are not numbers of at most 63 bits are left out: m.s, m.e, m.w, m.p"])
    XCTAssertEqual(try lines("\(header)#1\nsabc $\n#2\ns2.5 $\n"), ["1 m -", "2 m 2.5"])
    XCTAssertEqual(said.last, "dump.vcd: line 11: a value of m.r is a text; such values are taken as missing")
    XCTAssertEqual(failure("\(header)#1\npDU 6 6 <1\n").cause, "line 11: no variable has the identifier \"<1\"")
  }

  func testIdentifiersOfAnyLength() throws {
    var random = SystemRandomNumberGenerator()
    var identifiers: Set<String> = []
    while identifiers.count < 5_000 {
      let characters = (0..<Int.random(in: 1...6)).map { _ in UInt8.random(in: 33...126, using: &random) }
      identifiers.insert(String(decoding: characters, as: UTF8.self))
    }
    let known = identifiers.dropFirst()
    var text = "$timescale 1 ns $end\n"
    for (index, identifier) in known.enumerated() { text += "$var wire 1 \(identifier) v\(index) $end\n" }
    text += "$enddefinitions $end\n#0\n"
    for identifier in known { text += "1\(identifier)\n" }
    let trace = try trace(text)
    XCTAssertEqual(try lines(trace), known.indices.enumerated().map { "0 v\($0.offset) 1 initial" })
    let unknown = identifiers.first ?? ""
    XCTAssertEqual(failure("\(text)1\(unknown)\n").cause?.contains("no variable has the identifier"), true, unknown)
  }

  // MARK: Streams

  private func names(_ declarations: String) throws -> [String] {
    try trace("$timescale 1 ns $end \(declarations) $enddefinitions $end\n").streams.map {
      "\($0.name): \($0.channels.map(\.name).joined(separator: " "))"
    }
  }

  func testNamesOfStreams() throws {
    XCTAssertEqual(
      try names(
        """
        $scope module button $end $var wire 1 ! level $end $upscope $end
        $scope module imu $end $var real 64 " x $end $var real 64 # y $end $upscope $end
        """), ["button: level", "imu: x y"])
    XCTAssertEqual(
      try names(
        """
        $scope module top $end
          $scope module a $end $var wire 1 ! clk $end $var wire 1 % level $end $upscope $end
          $scope module b $end $var wire 1 " clk $end $var wire 2 # s $end $upscope $end
          $scope module a $end $var wire 1 $ rst [3] $end $upscope $end
        $upscope $end
        """), ["a.clk: level", "level: level", "b.clk: level", "b: s", "rst[3]: level"])
    XCTAssertEqual(
      try names("$var wire 1 ! a $end $var reg 2 \" a $end $var wire 1 # a $end $var wire 1 $ \\b+c $end"),
      ["a: level", "dump: a", "a.2: level", "b+c: level"], "where nothing else tells them apart, a number does")
    XCTAssertEqual(
      try names(
        """
        $scope module s $end $var reg 8 ! v [7:0] $end $var reg 8 " v [15:8] $end $var real 64 # v.2 $end $upscope $end
        """), ["s: v v.2 v.2.2"])
    XCTAssertEqual(
      try names(
        """
        $scope module top $end $var wire 1 ! a $end $scope module s $end $var real 64 " v $end $upscope $end $upscope $end
        """), ["a: level", "top.s: v"], "an outermost scope with variables stays")
  }

  func testAScopeOfMoreThan64Channels() throws {
    var text = "$timescale 1 ns $end\n$scope module m $end\n"
    for index in 0..<130 { text += "$var real 64 i\(index) r\(index) $end\n" }
    text += "$upscope $end\n$enddefinitions $end\n#1\nr5 i129\nr6 i64\n"
    let trace = try trace(text)
    XCTAssertEqual(trace.streams.map(\.name), ["m", "m.2", "m.3"])
    XCTAssertEqual(trace.streams.map(\.channels.count), [64, 64, 2])
    XCTAssertEqual(
      try lines(trace), ["1 m.3 - 5", "1 m.2 6" + String(repeating: " -", count: 63)])
  }

  func testTooManyStreams() throws {
    func text(_ count: Int) -> String {
      (0..<count).map { "$var wire 1 \($0) v\($0) $end\n" }.joined()
        + "$timescale 1 ns $end\n$enddefinitions $end\n#1\n1\(count - 1)\n"
    }
    XCTAssertEqual(try lines(text(16_384)), ["1 v16383 1 initial"])
    XCTAssertEqual(failure(text(16_385)).cause, "it has more than 16384 streams: each variable of one bit is one")
  }

  func testReadingsOfManyStreamsAtATime() throws {
    var text = "$timescale 1 ns $end\n"
    for index in 0..<1_000 {
      text += "$scope module s\(index) $end $var real 64 a\(index) a $end $var real 64 b\(index) b $end $upscope $end\n"
    }
    text += "$enddefinitions $end\n"
    for time in 1...3 {
      text += "#\(time)\n"
      for index in 0..<1_000 { text += "r\(time) b\(index)\n" }
    }
    let expected = (1...3).flatMap { time in (0..<1_000).map { "\(time) s\($0) - \(time)" } }
    for batch in [1, 7, 512, 5_000] { XCTAssertEqual(try lines(try trace(text), batch: batch), expected) }
  }

  // MARK: As files

  func testFromAPipe() throws {
    let folder = TemporaryFolder()
    let path = folder.file("dump.vcd", own)
    let fifo = folder.file("pipe")
    XCTAssertEqual(mkfifo(fifo, 0o600), 0)
    let text = own
    let writer = Thread { try? text.write(toFile: fifo, atomically: false, encoding: .utf8) }
    writer.start()
    let trace = try TraceReader(path: fifo)
    XCTAssertFalse(trace.isGrowing)
    XCTAssertEqual(try lines(trace), try lines(try TraceReader(path: path)))
  }

  /// What is there is given without waiting for more.
  func testAPipeIsNotWaitedFor() throws {
    var ends: [Int32] = [0, 0]
    XCTAssertEqual(pipe(&ends), 0)
    func write(_ text: String) { XCTAssertEqual(Foundation.write(ends[1], text, text.utf8.count), text.utf8.count) }
    write(own)
    let trace = try TraceReader(path: "/dev/fd/\(ends[0])")
    var readings = Array(repeating: Reading.empty, count: 512)
    XCTAssertEqual(try trace.next(into: &readings), 7)
    write("#3000\n1#\n")
    XCTAssertEqual(try trace.next(into: &readings), 1)
    close(ends[1])
    XCTAssertEqual(try trace.next(into: &readings), 0)
    close(ends[0])
  }

  func testInAFolder() throws {
    let folder = TemporaryFolder()
    _ = folder.file("a.vcd", own)
    _ = folder.file("b.csv", "time_ns,x\n1700000000000000500,1\n")
    let trace = try TraceReader(path: folder.path)
    XCTAssertEqual(trace.streams.map(\.name), ["rear_imu", "button", "b"])
    XCTAssertEqual(try lines(trace)[2], "1700000000000000500 b 1")
  }

  // MARK: Anything

  /// Nothing that comes from outside traps, and batches make no difference.
  func testAnythingMayStandInAFile() {
    var random = SystemRandomNumberGenerator()
    let seeds = [
      own,
      dump("$dumpvars\n0!\nbx \"\nr0 #\n$end\n#1\n1!\nb101 \"\n#20\nr-1.5e3 #\n0!\n$dumpoff\nx!\n$end\n#30\nsabc !\n"),
      dump("#1 1! b1 \" #2 r1 # $comment a $end pX 1 2 ! #3 0!", timescale: "1ps").replacingOccurrences(
        of: "r #", with: "r !"),
      "$var wire 70 ! a $end\n$scope module b $end $scope module c $end $var wire 1 ! d $end $enddefinitions $end\n#1\n1!\n",
    ].map { Array($0.utf8) }
    let described = Array(metadata(#""sluice:state": "unfinished""#).utf8)
    let words = [
      "$end", "$var", "$scope", "$upscope", "$comment", "#", "b", "r", "\n", " ", "99999999999999999999", "x", "1!",
      "\0",
    ]
    for round in 0..<LongTests.rounds(20_000) {
      var bytes = seeds[round % seeds.count]
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let index = Int.random(in: bytes.indices, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: index)
        case 2: bytes.removeSubrange(index..<min(bytes.count, index + Int.random(in: 1...40, using: &random)))
        case 3: bytes.insert(contentsOf: Array((words.randomElement(using: &random) ?? "").utf8), at: index)
        default: bytes.removeSubrange(index...)
        }
        if bytes.isEmpty { bytes = [0x24] }
      }
      let metadata = round % 3 == 0 ? described : nil
      XCTAssertEqual(
        outcome(bytes, metadata, batch: 1), outcome(bytes, metadata, batch: 64), String(decoding: bytes, as: UTF8.self))
    }
  }

  private func outcome(_ bytes: [UInt8], _ metadata: [UInt8]?, batch: Int) -> [String] {
    var all: [String] = []
    do {
      let trace = try TraceReader(bytes, name: "dump.vcd", metadata: metadata)
      var readings = Array(repeating: Reading.empty, count: batch)
      while case let count = try trace.next(into: &readings), count > 0 {
        all += readings[..<count].map { "\($0.time) \($0.stream.index) \($0.values.map(\.description)) \($0.flags)" }
      }
    } catch {
      all.append("\(error)")
    }
    return all
  }
}
