import Foundation
import SluiceCAN
import SluiceReadings
import XCTest

@testable import SluiceRecording

/// Files as public reports and other programs have them, of kinds that were read wrong.
final class FoundFilesTests: XCTestCase {
  private func rows(
    _ text: String, _ format: TraceFormat = TraceFormat(), _ file: StaticString = #filePath, line: UInt = #line
  )
    -> [String]
  {
    let read = Replayed(text, format)
    XCTAssertNil(read.fault, file: file, line: line)
    return read.rows
  }

  func testAQuoteWithinACellIsACharacter() throws {
    XCTAssertEqual(
      rows("t_s,v,note\n0,1,ok\n1,2,5\" pipe\n2,3,ok\n3,4,6\" pipe\n"),
      ["0 1", "1000000000 2", "2000000000 3", "3000000000 4"])
    XCTAssertEqual(rows("t_s,\"a \"\"b\"\"\",c 5\"\n1,2,3\n2,3,4\n"), ["1000000000 2|3", "2000000000 3|4"])
    XCTAssertEqual(rows("t_s,v,n\n1,2, \"a, b\"\n2,3,\"c\nd\"\n"), ["1000000000 2", "2000000000 3"])
    let read = try LiveLines("time,size 5\",flow\n0,a,1.5\n1,b\",2.5\n2,c,3.5\n")
    XCTAssertEqual(read.names, ["time", "flow"])
    XCTAssertEqual(read.rows, ["0 1.5", "1 2.5", "2 3.5"])
  }

  func testTextBehindAClosingQuoteMakesNoNumber() {
    for cell in ["\"97.5\"9", "\"97\".5", "\"9\" 7", "\"\"5"] {
      let read = Replayed("time,v\n0.5,1\n1.5,\(cell)\n2.5,3\n")
      XCTAssertEqual(read.rows, ["500000000 1"], cell)
      XCTAssertEqual(read.error?.cause.hasPrefix("line 3, column 2: "), true, cell)
    }
    XCTAssertEqual(rows("time,v\n0.5,1\n1.5,\"97.5\" \n").last, "1500000000 97.5")
  }

  /// A quote that is not closed, and another one some rows later.
  func testAnOpenQuoteTakesNoWholeRows() throws {
    let text = "t_s,n,v\n0,a,1\n1,\"two,2\n2,b,3\n3,lines\",4\n4,c,5\n"
    XCTAssertNotNil(Replayed("t_s,n,v\n0,a,1\n1,\"two\n2,b,3\nlines\",4\n4,c,5\n").fault)
    XCTAssertNotNil(Replayed(text).fault)
    // The last line of a row is not a row, although it has as many cells.
    XCTAssertEqual(rows("n;t_s;v\n\"two\nlines\";1;2\nb;2;3\n"), ["1000000000 2", "2000000000 3"])
    XCTAssertEqual(rows("t_s,n,v\n0,a,1\n1,\"two\nmore, lines\",2\n2,b,3\n"), ["0 1", "1000000000 2", "2000000000 3"])
  }

  /// The first value of a column comes behind the second header.
  func testAHeaderThatComesAgainIsNoText() {
    XCTAssertEqual(Replayed("t_s, v,w\n1,-,2\nt_s, v,w\n2,3,4\n").names, ["v", "w"])
  }

  func testColumnsOfOneName() throws {
    XCTAssertEqual(Replayed("t_s,fan,fan\n1,2,3\n").names, ["fan", "fan_2"])
    XCTAssertEqual(Replayed("t_s,fan_2,fan,fan\n1,2,3,4\n").names, ["fan_2", "fan", "fan_3"])
    XCTAssertEqual(try LiveLines("fan,fan,t\n1,2,3\n2,3,4\n").names, ["fan", "fan_2", "t"])
  }

  func testAReturnAloneEndsALine() {
    XCTAssertEqual(rows("t_s,a\r0,1\r1,2\r"), ["0 1", "1000000000 2"])
    XCTAssertEqual(rows("t_s;a\r0;1,5\r1;2,5"), ["0 1.5", "1000000000 2.5"])
    XCTAssertEqual(rows("# x\rt_s,a,\"b\"\r0,1,2\r"), ["0 1|2"])
  }

  /// Live, a second row of names.
  func testOtherColumnsWhileLinesCome() throws {
    let same = try LiveLines("temp,hum\n21.5,40\n21.6,41\nhum,temp\n42,21.7\ntemp,hum\n21.8,43\n")
    XCTAssertEqual(same.rows, ["21.5 40", "21.6 41", "21.7 42", "21.8 43"])
    let other = try LiveLines("temp,hum\n21.5,40\n21.6,41\ntemp,co2\n21.7,400\n")
    XCTAssertEqual([other.rows, ["\(other.faults.count)"]], [["21.5 40", "21.6 41"], ["2"]])
    let more = try LiveLines("temp,hum\n21.5,40\n21.6,41\ntemp,hum,co2\n21.7,41,400\ntemp,hum\n21.8,42\n")
    XCTAssertEqual([more.rows, ["\(more.faults.count)"]], [["21.5 40", "21.6 41", "21.8 42"], ["2"]])
    let garbage = try LiveLines("temp,hum\n21.5,40\n21.6,41\nboot,ok\n21.8,42\n")
    XCTAssertEqual([garbage.rows, ["\(garbage.faults.count)"]], [["21.5 40", "21.6 41", "21.8 42"], ["1"]])
  }

  func testNumbersInTextsOfJSON() throws {
    let read = try LiveLines(
      "{\"v\":\"317.39\",\"r\":-61,\"id\":\"42\",\"z\":\"007\"}\n{\"v\":\"\",\"r\":-60,\"id\":\"43\",\"z\":\"008\"}\n")
    XCTAssertEqual(read.names, ["v", "r"])
    XCTAssertEqual(read.rows, ["317.39 -61", "_ -60"])
    let file = Replayed("{\"t\":1.5,\"v\":\"2.5\",\"serial\":\"77\"}\n{\"t\":2.5,\"v\":\"n/a\"}\n")
    XCTAssertEqual([file.names, file.rows], [["v"], ["1500000000 2.5", "2500000000 "]])
    let chosen = Replayed("{\"t\":1.5,\"serial\":\"77\"}\n", TraceFormat(columns: ["serial"]))
    XCTAssertEqual(chosen.rows, ["1500000000 77"])
  }

  /// Lines of sketches, with units.
  func testUnitsBehindNumbers() throws {
    let pairs = try LiveLines("Humidity: 41.00 %  Temperature: 21.01 *C\nHumidity: 41.10 %  Temperature: -1.5 *C\n")
    XCTAssertEqual(pairs.names, ["Humidity", "Temperature"])
    XCTAssertEqual(pairs.rows, ["41.00 21.01", "41.10 -1.5"])
    XCTAssertEqual(try LiveLines("T=21.5C H=40%\nT=21.6C H=41%\n").rows, ["21.5 40", "21.6 41"])
    XCTAssertEqual(try LiveLines("21.5 C\n21.6 C\n").rows, ["21.5", "21.6"])
    XCTAssertEqual(try LiveLines("v:12x w:1\nv:13x w:2\n").names, ["w"], "x is no unit")
  }

  func testHexadecimalColumns() {
    let can = Replayed("Time,ID,Dir,D1,LEN\n1.5,00000141,Rx,10,2,\n2.5,000001E5,Rx,55,2,\n3.5,00000200,Rx,08,2,\n")
    XCTAssertEqual([can.names, can.rows.map { String($0.suffix(1)) }], [["LEN"], ["2", "2", "2"]])
    XCTAssertTrue(can.said.contains { $0.contains("hexadecimal numbers, such as \"00000141\"") }, "\(can.said)")
    XCTAssertEqual(Replayed("t_s,a\n1,1e5\n2,2e5\n").names, ["a"], "exponents")
    XCTAssertEqual(Replayed("t_s,a\n1,08\n2,10\n").names, ["a"], "padded numbers alone")
  }

  func testAdviceLeavesOutNoRow() {
    for text in [
      "time,a\n1.5,2\n2.5,3\n3.5,4,77\n4.5,5,78\n5.5,6,79\n",
      "x\n1,2024-03-01 01:00:00,2\n1,2024-03-01 02:00:00,2,3\n1,2024-03-01 03:00:00,2,3\n",
    ] {
      let read = Replayed(text)
      XCTAssertNotNil(read.error, text)
      XCTAssertFalse(read.error?.remedy?.contains("--skip-lines") ?? false, text)
    }
    let thousand =
      "\"Title: pool\"\n\"#\",\"Date Time\",\"Lux\"\n1,03/14/24 01:45:09 PM,\"1,033.3\"\n2,03/14/24 02:00:09 PM,0.0\n3,03/14/24 02:15:09 PM,10.8\n"
    XCTAssertFalse(Replayed(thousand).error?.remedy?.contains("--skip-lines 3") ?? false)
    var format = TraceFormat(timeColumn: "2")
    (format.skippedLines, format.timeFormat) = (1, "%m/%d/%y %I:%M:%S %p")
    XCTAssertEqual(rows(thousand, format).first, "1710423909000000000 1|1033.3")
  }

  func testTimesInOtherForms() {
    XCTAssertEqual(
      rows("Elapsed,a\n0:00:00.5,1\n23:59:59.5,2\n30:00:00,3\n"),
      ["500000000 1", "86399500000000 2", "108000000000000 3"])
    XCTAssertEqual(rows("time,a\n25:00:00,1\n26:00:00,2\n"), ["90000000000000 1", "93600000000000 2"])
    XCTAssertEqual(rows("time,a\n2024-03-14 9:5:3,1\n"), ["1710407103000000000 1"])
    XCTAssertNotNil(Replayed("time,a\n16:9,1\n").fault, "a ratio")
    XCTAssertEqual(
      rows("\"Interval\"|\"ms\"|0|0|1,\"Utc\"|\"ms\"|0|0|1,\"Speed\"|\"mph\"|0.0|150.0|10\n78130,0,1.5\n78150,0,\n"),
      ["78130000000 0|1.5", "78150000000 0|"])
    XCTAssertNil(
      Replayed("x\n007 140059.80 1.5\n007 140059.90 1.6\n007 140100.00 2.0\n").error?.remedy.flatMap {
        $0.contains("time_s,") ? $0 : nil
      })
    XCTAssertEqual(rows("Time,V\n(us),(V)\n-1,0.5\n0,\u{221e}\n1,-\u{221e}\n"), ["-1000 0.5", "0 ", "1000 "])
  }

  func testSerialDatesAreAQuestion() {
    for (text, isAsked) in [
      ("Time,a\n45365.583333,1\n45365.590278,2\n", true), ("Date;a\n45365,5;1\n45366,5;2\n", true),
      ("Time,a\n38150.3083564815,1\n38150.3083680556,2\n", true), ("Time,a\n45365.512345,1\n45365.522345,2\n", false),
      ("Time,a\n45365.5,1\n45366.5,2\n", true), ("Time;a\n49313,25;1\n49313,5;2\n", true),
      ("Uptime,a\n45365.5,1\n45366.5,2\n", false), ("Time (s),a\n45365.5,1\n45366.5,2\n", false),
      ("Time,a\n0.583333,1\n0.590278,2\n", false),
    ] {
      XCTAssertEqual(Replayed(text).fault?.contains("days of a spreadsheet") ?? false, isAsked, text)
    }
  }

  func testNamesOfSeries() {
    for name in ["Series", "_field", "sensor"] {
      let read = Replayed("time,\(name),v\n1.5,a,1\n2.5,b,2\n3.5,a,3\n")
      XCTAssertTrue(read.said.contains { $0.contains("their values are mixed in one stream") }, name)
    }
  }

  func testLineProtocol() throws {
    XCTAssertEqual(rows("w,site=a t=21.5,h=40i 1710424800000000000\n"), ["1710424800000000000 21.5|40"])
    let open = try LiveLines(
      "ev msg=\"one\",code=5i\nev msg=\"two\nlines\",code=6i\nev msg=\"three\",code=7i\n", "influx")
    XCTAssertEqual([open.rows, ["\(open.faults.count)"]], [["5", "7"], ["2"]])
    XCTAssertEqual(try LiveLines("m,tag=\"a b\" v=1\nm,tag=c v=2\n", "influx").faults.count, 1)
    let large = Replayed("w c=18446744073709551615u 1710424800000000000\n")
    XCTAssertTrue(large.said.contains { $0.contains("more digits than fit in 64 bits") })
  }

  func testMarksOfFractions() {
    XCTAssertEqual(
      Replayed("time;v\n1,5;721\n2,5;1.042\n").fault,
      "line 3, column 2: \"1.042\" has two meanings: its mark may separate thousands, or be the decimal mark")
    XCTAssertEqual(
      Replayed("time;v\n1.5;721\n2.5;1,042\n3.5;999.5\n").fault,
      "line 3, column 2: \"1,042\" has two meanings: its mark may separate thousands, or be the decimal mark")
    XCTAssertEqual(rows("t_s;v\n1;2,5\n2;1,042\n"), ["1000000000 2.5", "2000000000 1.042"])
    XCTAssertEqual(rows("t_s;a;b\n1;2,5;1.5\n2;3,5;2.5\n"), ["1000000000 2.5|1.5", "2000000000 3.5|2.5"])
    XCTAssertEqual(rows("t_s,v\n1,\"1,033.3\"\n2,\"1,5\"\n"), ["1000000000 1033.3", "2000000000 1.5"])
    XCTAssertEqual(Replayed("t_s,v\n1,5\n2,\"1,033\"\n").rows, ["1000000000 5"])
  }

  func testOtherEncodings() {
    let text = "time_s,Core [\u{b0}C],\u{20ac}\n1,2,3\ntime_s,Core [\u{b0}C],\u{20ac}\n2,3,4\n"
    let windows: [UInt8] = text.unicodeScalars.map { $0 == "\u{20ac}" ? 0x80 : UInt8(truncatingIfNeeded: $0.value) }
    let read = Replayed(bytes: windows)
    XCTAssertEqual([read.names, read.rows], [["Core [\u{b0}C]", "\u{20ac}"], ["1000000000 2|3", "2000000000 3|4"]])
    let wide: [UInt8] =
      [0xff, 0xfe] + text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    XCTAssertEqual(Replayed(bytes: wide).rows, read.rows)
    XCTAssertEqual(Replayed("\u{feff}{\"t\":1.5,\"v\":1}\n").rows, ["1500000000 1"])
  }

  func testUnitsInParentheses() {
    let read = Replayed("Time,A,B\n(ms),(V),(mV)\n-10.0,0.5,2.0\n-9.5,0.6,2.1\n")
    XCTAssertEqual(read.trace?.streams[0].channels.map(\.unit), ["V", "mV"])
    XCTAssertEqual(Replayed("Time,A\n[s],[m/s]\n1.5,2.5\n").names, ["A (m/s)"])
    XCTAssertEqual(Replayed("Time,A\ns,V\n1.5,2.5\n").names, ["A (V)"])
  }

  func testOffsets() throws {
    XCTAssertEqual(
      rows("\"Date Time, GMT-04:00\",T\n2024-03-14 14:00:00,1\n", TraceFormat(timeColumn: "1")),
      ["1710439200000000000 1"])
    for (name, seconds) in [("-04:00", -14_400), ("+0530", 19_800), ("UTC+2", 7_200), ("GMT-04:00", -14_400)] {
      XCTAssertEqual(try ZoneFile(name).meaning(of: 0), .once(Int64(-seconds)), name)
    }
    for name in ["+1:2:3", "-", "+99", "UTC", "04:00"] where name != "UTC" {
      XCTAssertThrowsError(try ZoneFile(name), name)
    }
  }

  func testSentencesOfAReceiver() throws {
    let gga = "$GPGGA,140000,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,"
    func sentence(_ text: String) -> String {
      let sum = text.dropFirst().utf8.reduce(0, ^)
      return text + "*" + (sum < 16 ? "0" : "") + String(sum, radix: 16).uppercased()
    }
    var first = NMEALines(stream: "s", hasOwnTime: true)
    let lines = [sentence(gga), sentence("$GPZDA,140000,14,03,2024,00,00")]
    first.findDate(in: lines.map { Array($0.utf8) })
    var reading = Reading.empty
    Array(lines[0].utf8).withSlack { _ = first.parse($0, into: &reading) }
    XCTAssertEqual(reading.time, 1_710_424_800_000_000_000)
    // Midnight is between the position and the date.
    var night = NMEALines(stream: "s", hasOwnTime: true)
    night.findDate(
      in: [sentence(gga.replacing("140000", with: "235959")), sentence("$GPZDA,000001,15,03,2024,00,00")].map {
        Array($0.utf8)
      })
    Array(sentence(gga.replacing("140000", with: "235959")).utf8).withSlack { _ = night.parse($0, into: &reading) }
    XCTAssertEqual(reading.time, 1_710_460_799_000_000_000)
  }

  func testFramesThatCandumpHasLost() {
    let read = Replayed(
      "(1.5) can0 123#11\nDROPCOUNT: dropped 15 CAN frames on 'can0' socket (total drops 15)\n(2.5) can1 123#22\n(3.5) can0 123#33\n(4.5) can0 123#44\n"
    )
    XCTAssertNil(read.fault)
    XCTAssertTrue(read.said.contains { $0.contains("candump lost 15 frames of can0") }, "\(read.said)")
  }

  func testTracesOfSimulators() {
    for (text, count) in [
      ("$timescale 244ns $end $var wire 1 ! clk $end $enddefinitions $end #0 0! #1 1! #3 0!\n", 3),
      ("\u{feff}\n$date x $end $timescale 1 ns $end $var wire 1 ! clk $end $enddefinitions $end #0 0! #1 1!\n", 2),
      (
        "$timescale 1ps $end $scope module $end $var wire 1 V clk $end $upscope $end $enddefinitions $end #0 0V #5000 1V\n",
        2
      ),
      ("$timescale 1 ns $end $var real 1 ! a $end $enddefinitions $end #0 s0.5 ! #10 s-0.25 !\n", 2),
      ("$timescale 1 ns $end $var wire 1 ! a $end $enddefinitions $end 0! #10 1!\n", 2),
    ] {
      let read = Replayed(text)
      XCTAssertNil(read.fault, text)
      XCTAssertEqual(read.rows.count, count, text)
    }
  }

  func testTimescalesBeyond64Bits() {
    for unit in ["100000000000 s", "1000000000000 s", "1000000000000000000000000000 s"] {
      let read = Replayed("$timescale \(unit) $end\n$var wire 1 ! s $end\n$enddefinitions $end\n#0\n1!\n#1\n0!\n")
      XCTAssertNotNil(read.fault, unit)
      XCTAssertLessThanOrEqual(read.rows.count, 1, unit)
    }
  }

  func testLinesOfManyNames() {
    let fields = (0..<120_000).map { "f\($0)=1" }.joined(separator: ",")
    let read = Replayed("m \(fields) 1710424800000000000\n")
    XCTAssertEqual(read.fault, "they have more than 1024 names, which is the limit")
  }

  func testDatabasesOfCAN() throws {
    let file = """
      BO_ 291 Battery_Sta_01: 2 E // a comment
       SG_ Cell_01 : 0|8@1+ (0.1,0) [0|25] "V" E
      // another "comment
      BA_DEF_ BO_ "SystemMessageLongSymbol" STRING ;
      BA_ "GenMsgCycleTime" BO_ 291 100;
      BA_ "SystemMessageLongSymbol" BO_ 291 "Battery_Status_Front";
      BA_ "SystemSignalLongSymbol" SG_ 291 Cell_01 "Cell_Voltage_Of_The_First";

      """
    let messages = try DBC(Array(file.utf8)).messages
    XCTAssertEqual(messages.map(\.name), ["Battery_Status_Front"])
    XCTAssertEqual(messages[0].signals.map(\.name), ["Cell_Voltage_Of_The_First"])
    let control = file.replacing("Battery_Status_Front", with: "Battery\u{1b}[31m")
    XCTAssertEqual(try DBC(Array(control.utf8)).messages.map(\.name), ["Battery_Sta_01"])
  }

  func testAnOpenQuoteTakesNoRows() {
    let text = "time_s,v,note\n0,1,a\n1,2,\"open\n2,3,b\n3,4,\"c\"\n4,5,d\n"
    XCTAssertEqual(Replayed(text).fault, "line 3, column 3: a quoted cell does not end")
    XCTAssertEqual(
      Replayed(text, skipsBad: true).rows, ["0 1", "2000000000 3", "3000000000 4", "4000000000 5"])
    XCTAssertEqual(rows("t_s,v,n\n1,2,\"a\nb\" \n2,3,c\n"), ["1000000000 2", "2000000000 3"])
  }

  func testSensorsUnderTheTimeOfRecordings() {
    for text in [
      "time_ns,sensor,v\n0,a,1\n0,b,2\n1,a,3\n1,b,4\n",
      "time_ns,stream,channel,value,flags\n0,a,x,1,0\n0,b,x,2,0\n1,a,x,3,0\n1,b,x,4,0\n",
    ] {
      let read = Replayed(text)
      XCTAssertTrue(read.said.contains { $0.contains("their values are mixed in one stream") }, "\(read.said)")
    }
  }

  func testTextsThatLookHexadecimal() {
    XCTAssertEqual(
      Replayed("time_s,mode,hour,cell\n0,AC,08,01\n1,DC,09,02\n2,AC,10,03\n").names, ["hour", "cell"])
    XCTAssertEqual(Replayed("t_s,a,b\n0,10E5,01E2\n1,20E5,02E2\n2,05E5,03E2\n").names, ["a", "b"])
    XCTAssertEqual(Replayed("t_s,id,v\n0,7E1,1\n1,7E2,2\n2,7E3,3\n").names, ["v"])
    XCTAssertEqual(Replayed("t_s,ID,D1,v\n0,000001E5,10,1\n1,000001E6,11,2\n").names, ["v"])
  }

  func testDurationsOfTwoParts() {
    for text in ["Elapsed,a\n00:05,1\n00:10,2\n", "time,a\n10:00,1\n25:30,2\n"] {
      let read = Replayed(text)
      XCTAssertTrue(read.fault?.contains("may be minutes and seconds, or hours and minutes") ?? false, text)
      XCTAssertTrue(read.error?.remedy?.contains("--date 2024-03-14 --time-format '%M:%S'") ?? false, text)
    }
    var format = TraceFormat()
    (format.date, format.timeFormat) = ("1970-01-01", "%M:%S")
    XCTAssertEqual(rows("time,a\n10:00,1\n25:30,2\n", format), ["600000000000 1", "1530000000000 2"])
  }

  func testOffsetsInTitles() {
    let hour: Int64 = 3_600
    for (title, offset) in [
      ("Date Time, Etc/GMT-4", nil), ("Time (UTC +01:00)", hour), ("Time [UTC-2024]", nil), ("Time UTC+26", nil),
      ("Date Time, GMT-04:00", -4 * hour),
    ] as [(String, Int64?)] {
      XCTAssertEqual(ZoneFile.offset(inTitle: title)?.offset(at: 0), offset, title)
    }
    XCTAssertEqual(
      rows("\"Date, GMT-04:00\",Time,T\n2024-03-14,14:00:00,1\n2024-03-14,14:00:01,2\n").first, "1710439200000000000 1")
    var west = TraceFormat()
    west.timezone = "-04:00"
    XCTAssertEqual(rows("Date,Time,T\n2024-03-14,14:00:00,1\n", west), ["1710439200000000000 1"])
    let own = Replayed("Time (UTC+1),T\n2024-03-14T14:00:00Z,1\n2024-03-14T14:00:01Z,2\n")
    XCTAssertFalse(own.said.contains { $0.contains("are read as those of") }, "\(own.said)")
  }

  func testTimesOfDayWithoutSigns() {
    let clock = Replayed("sats,time,lat\n8,140059.80,1\n8,140059.90,2\n8,140100.00,3\n")
    XCTAssertTrue(clock.fault?.contains("hours, minutes and seconds, or seconds alone") ?? false)
    var format = TraceFormat()
    (format.date, format.timeFormat) = ("2024-03-14", "%H%M%S.%f")
    XCTAssertEqual(rows("time,lat\n140059.90,2\n140100.00,3\n", format).last, "1710424860000000000 3")
    XCTAssertNil(Replayed("time,a\n140000.0,1\n140050.0,2\n140100.0,3\n").fault, "steps of 50 s")
    XCTAssertNil(Replayed("time,a\n140059.8,1\n140059.9,2\n140060.0,3\n").fault)
  }

  func testSecondsAreNoSerialDates() {
    XCTAssertNil(Replayed("uptime,a\n45000.00000,1\n45001.00000,2\n").fault)
    XCTAssertNil(Replayed("elapsed,a\n40000.00000000,1\n40000.25,2\n").fault)
    XCTAssertNil(Replayed("time,a\n40000.12345678,1\n40000.37345678,2\n").fault, "no whole second of a day")
  }

  func testBothMarksInANumber() {
    XCTAssertEqual(rows("t_s;v\n0;1.234,5\n1;2.345,6\n"), ["0 1234.5", "1000000000 2345.6"])
    XCTAssertEqual(rows("t_s;v\n0;1,234.5\n1;2,345.6\n"), ["0 1234.5", "1000000000 2345.6"])
  }

  func testAdviceKeepsRowsWithOneValue() {
    let read = Replayed("taken,a\n14.03.2024 10:00:00,ERR\n14.03.2024 10:00:01,1.5\n14.03.2024 10:00:02,1.6\n")
    XCTAssertFalse(read.error?.remedy?.contains("--skip-lines") ?? false, "\(read.error?.remedy ?? "")")
  }

  func testFormatsHaveOnlySignsOfTimes() {
    XCTAssertNil(TimeFormats(["03/14/24\"01:45:09 PM", "03/14/24\"01:46:09 PM"]))
    XCTAssertEqual(TimeFormats(["03/14/24 01:45:09 PM"])?.formats, ["%m/%d/%y %I:%M:%S %p"])
  }

  /// A character may stand where the first bytes end that are looked at.
  func testUTF16AtAnyPlace() {
    for count in 0..<8 {
      let comment = "#" + String(repeating: "x", count: count) + String(repeating: "ö€", count: 400) + "\n"
      let text = comment + "t_s,Größe\n" + (0..<40).map { "\($0),\($0)\n" }.joined()
      let units = [0xfeff] + Array(text.utf16)
      let read = Replayed(bytes: units.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] })
      XCTAssertEqual(read.names, ["Größe"], "\(count)")
      XCTAssertEqual(read.rows.count, 40, "\(count)")
    }
  }

  func testCharactersOfUTF16() {
    var decoding = TextDecoding(.utf16LittleEndian)
    let text = "a\u{e9}\u{20ac}\u{1f600}z"
    func bytes(_ units: [UInt16]) -> [UInt8] {
      units.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    }
    XCTAssertEqual(decoding.text(bytes(Array(text.utf16)), isLast: true), Array(text.utf8))
    let lone = decoding.text(bytes([0xd83d, 0x61, 0xde00, 0x62, 0xd83d]), isLast: true)
    XCTAssertEqual(lone, Array("\u{fffd}a\u{fffd}b\u{fffd}".utf8))
  }
}
