import SluiceCAN
import SluiceReadings
import TestFiles
import XCTest

@testable import SluiceRecording

/// Lines as devices and other programs write them, that were read wrong.
final class FoundLinesTests: XCTestCase {
  // MARK: Rows of names

  func testADamagedRowEndsNothing() throws {
    let damaged = try LiveLines("temp,hum\n1,2\ntemp,hu\u{fffd}\n3,4\n5,6\n")
    XCTAssertEqual(damaged.rows, ["1 2", "3 4", "5 6"])
    XCTAssertEqual(damaged.faults.count, 1)
    let garbage = try LiveLines("a,b,c\n1,2,3\na,garbage,of it\n3,4,5\n5,6,7\n")
    XCTAssertEqual(garbage.rows, ["1 2 3", "3 4 5", "5 6 7"])
    XCTAssertEqual(garbage.faults, ["\"a\" is not a number"])
  }

  func testAMissingValueIsNoName() throws {
    let text = try LiveLines("temp,state\n1,a\nnan,temp\n2,b\n")
    XCTAssertEqual([text.rows, text.faults], [["1", "_", "2"], []])
  }

  func testARowOfOtherNamesEndsTheRows() throws {
    let most = try LiveLines("a,b,c\n1,2,3\na,b,d\n4,5,6\na,b,c\n7,8,9\n")
    XCTAssertEqual(most.rows, ["1 2 3", "7 8 9"])
    XCTAssertEqual(most.faults, ["it is a row of other column names", "it follows a row of other column names"])
    let units = try LiveLines("temp,hum\n1,2\nco2 (ppm),tvoc (ppb)\n401,7\n")
    XCTAssertEqual(units.rows, ["1 2"])
    XCTAssertEqual(units.faults.count, 2)
  }

  func testTwoEqualNames() throws {
    let read = try LiveLines("T (C),T (C)\n1,2\n3,4\n")
    XCTAssertEqual(read.names, ["T (C)", "T_2 (C)"])
    XCTAssertEqual(read.rows, ["1 2", "3 4"])
  }

  // MARK: JSON

  func testAMemberWithTextFirstIsOneChannel() {
    let read = Replayed(
      "{\"time_s\":0,\"state\":\"unknown\"}\n{\"time_s\":1,\"state\":\"21.5\"}\n{\"time_s\":2,\"state\":\"21.6\"}\n")
    XCTAssertEqual(read.names, ["state"])
    XCTAssertEqual(read.rows, ["0 ", "1000000000 21.5", "2000000000 21.6"])
  }

  // MARK: NMEA

  /// The times in seconds of the positions and movements of a receiver's file.
  private func times(_ sentences: [String]) -> [Int64] {
    let lines = sentences.map { (sentence) -> [UInt8] in
      let sum: UInt8 = sentence.dropFirst().utf8.reduce(0, ^)
      return Array("\(sentence)*\(sum < 16 ? "0" : "")\(String(sum, radix: 16).uppercased())".utf8)
    }
    var (grammar, times) = (NMEALines(stream: "s", hasOwnTime: true), [Int64]())
    grammar.findDate(in: lines)
    for line in lines {
      var reading = Reading.empty
      let outcome = line.withSlack { grammar.parse($0, into: &reading) }
      if outcome == .reading { times.append(reading.time / 1_000_000_000) }
    }
    return times
  }

  private func gga(_ time: String) -> String {
    "$GPGGA,\(time),4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,"
  }

  func testMidnightBeforeTheFirstDate() {
    let rmc = "$GPRMC,000001,A,4807.038,N,01131.000,W,022.4,084.4,240394,003.1,W"
    XCTAssertEqual(
      times([gga("235958"), gga("235959"), gga("000000"), rmc]), [764_467_198, 764_467_199, 764_467_200, 764_467_201])
    XCTAssertEqual(
      times(["$GPGSV,1,1,00", gga("235959"), "$GPZDA,000001,15,03,2024,00,00"]), [1_710_460_799])
    XCTAssertEqual(
      times(["$GPZDA,235959,14,03,2024,00,00", gga("235959"), gga("000000"), gga("120000")]),
      [1_710_460_799, 1_710_460_800, 1_710_504_000])
  }

  // MARK: Line protocol

  func testUnitsOfLineProtocol() {
    let seconds = "m v=1 1700000000\nm v=2 1700000001\n"
    XCTAssertEqual(
      Replayed(seconds).fault,
      "the unit of its times is not known: 1700000000 may be seconds since 1970, or nanoseconds")
    XCTAssertEqual(Replayed("m v=1 0\nm v=2 1500000000\n").rows, ["0 1", "1500000000 2"], "a recording from zero")
    XCTAssertEqual(Replayed(seconds).error?.remedy, "give --time-unit s, ms, us or ns")
    XCTAssertEqual(
      Replayed(seconds, TraceFormat(timeUnit: .seconds)).rows, ["1700000000000000000 1", "1700000001000000000 2"])
    XCTAssertEqual(Replayed("m v=1\nm v=2\n").fault, "its lines have no times")
  }

  func testWhatIsLineProtocol() {
    for text in ["m msg=\"a b\",v=1 1\n", "m,room=a\\ b v=1 1\n", "# x\n\nm v=1 1\n", "m v=1"] {
      XCTAssertTrue(InfluxTrace.recognizes(Array(text.utf8)), text)
    }
    for text in ["time=1 temp=2.5\n", "m v=1 x\n", "m,a v=1\n", "Date Time,a=b\n", "#\n", "a,b\n1,2\n"] {
      XCTAssertFalse(InfluxTrace.recognizes(Array(text.utf8)), text)
    }
  }

  func testReadingsOfOneTimeAreOneStream() {
    let read = Replayed("s v=1 1710424800000000000\ns,n=1 v=2 1710424800000000000\n")
    XCTAssertEqual(read.trace?.streams.map(\.name), ["s"])
    XCTAssertEqual(read.rows, ["1710424800000000000 1", "1710424800000000000 2"])
    let own = Replayed("s,n=1 v=1 1710424800000000000\ns,n=2 v=2 1710424800000000001\n")
    XCTAssertEqual(own.trace?.streams.map(\.name), ["s n=1", "s n=2"], "a tag of another program")
  }

  // MARK: Other files

  func testALongNameThatAnotherMessageHas() throws {
    let file = """
      BO_ 291 A: 2 E
       SG_ x : 0|8@1+ (1,0) [0|0] "" E
      BO_ 292 B: 2 E
       SG_ y : 0|8@1+ (1,0) [0|0] "" E
      BA_ "SystemMessageLongSymbol" BO_ 292 "A";

      """
    XCTAssertEqual(try DBC(Array(file.utf8)).messages.map(\.name), ["A", "B"])
  }

  func testABlankLineBeforeTheFirst() throws {
    let folder = TemporaryFolder()
    let dump = "$timescale 1 ns $end $var wire 1 ! clk $end $enddefinitions $end\n#0 0!\n#1 1!\n"
    for blank in ["\n", "\r\n", "\n \n"] {
      let trace = try TraceReader(path: folder.file("t.vcd", blank + dump))
      var count = 0
      while try trace.next() != nil { count += 1 }
      XCTAssertEqual(count, 2)
    }
  }
}
