import SluiceReadings
import XCTest

@testable import SluiceRecording

/// Tables as instruments, services and apps write them, of kinds that were read wrong without a word.
final class FoundTablesTests: XCTestCase {
  private let noon: Int64 = 1_710_417_600_000_000_000

  /// That a table is not read, for this reason, and with what it is.
  private func refused(
    _ text: String, _ cause: String, _ remedy: String, _ file: StaticString = #filePath, line: UInt = #line
  ) {
    let read = Replayed(text)
    XCTAssertEqual(read.rows, [], text, file: file, line: line)
    XCTAssertTrue(read.fault?.contains(cause) ?? false, "\(read.error.map { "\($0)" } ?? "-")", file: file, line: line)
    let said = read.error?.remedy ?? "-"
    XCTAssertTrue(said.contains(remedy), "\(said)", file: file, line: line)
  }

  func testTemperaturesAreNoTimes() {
    refused(
      "Datum;T (°C)\n04.04.24 21:15;20,6\n04.04.24 21:30;22,1\n", "column 1, \"Datum\"",
      "--time-format '%d.%m.%y %H:%M'")
    refused("Date,T\n20240314,21.5\n20240315,22.5\n", "dates of digits alone", "--time-format '%Y%m%d'")
    refused(
      "numer_sta;date;t;u\n07005;20240314120000;285.15;71\n07005;20240314150000;286.05;68\n", "dates of digits alone",
      "--time-format '%Y%m%d%H%M%S'")
    refused(
      "reference_timestamp;T [°C]\n2024-03-14 12:00;21.5\n2024-03-14 12:10;22.5\n", "the name of a time",
      "--time-column reference_timestamp")
    refused("when;t\n2024-03-14 12:00;21.5\n2024-03-14 12:10;22.5\n", "it may be a temperature", "--time-column when")
    refused("year,month,day,T\n2024,3,14,21.5\n2024,3,15,21.6\n", "it may be a temperature", "--time-column")
    XCTAssertEqual(Replayed("t,a\n0.5,1\n1.5,2\n").rows, ["500000000 1", "1500000000 2"])
    XCTAssertEqual(Replayed("t,clock\n0.5,14:00:00\n1.5,14:00:01\n").rows.count, 2, "no date")
    XCTAssertEqual(Replayed("t,serial\n0.5,20240314\n1.5,20240314\n").rows.count, 2, "always the same")
    XCTAssertEqual(
      Replayed("{\"ts\":1710424800.5,\"last_seen\":\"2024-03-14T14:00:00Z\",\"v\":1}\n").rows, ["1710424800500000000 1"]
    )
    XCTAssertEqual(Replayed("t,note\n0.5,ok\n1.5,5 bar\n").names ?? [], [])
  }

  func testTimesInMinutes() {
    for title in ["Time (min)", "Time [h]", "Zeit [min]", "Elapsed (hours)", "Time (days)", "Time/min", "uptime_h"] {
      refused("\(title),a\n0.0,1\n0.5,2\n", "sluice does not read times in", "write them in seconds")
    }
    refused("Julian Date,a\n2460384.5,1\n2460384.6,2\n", "the name of a time column", "give --time-column")
    XCTAssertEqual(Replayed("time_h,time_s,v\n0,1,5\n0,2,6\n").rows, ["1000000000 0|5", "2000000000 0|6"])
    XCTAssertEqual(Replayed("time_s,t_min,t_max\n1,-3,5\n2,-4,6\n").rows, ["1000000000 -3|5", "2000000000 -4|6"])
  }

  func testDatesOfDigits() {
    refused(
      "time,a\n2024031422,1\n2024031423,2\n2024031500,3\n", "or seconds since 1970",
      "--time-format '%Y%m%d%H', or --time-unit s")
    refused(
      "MESS_DATUM;TMK\n20240314;8.5\n20240315;9.1\n", "the name of a time column",
      "--time-column MESS_DATUM --time-format '%Y%m%d'")
    refused("MESS_DATUM;TT\n2024031422;8.5\n2024031423;9.1\n", "the name of a time column", "--time-format '%Y%m%d%H'")
    refused("time;TT\n202403142250;8.5\n202403142300;9.1\n", "dates of digits alone", "--time-format '%Y%m%d%H%M'")
    // 2024-03-14: no date, because there is no month 10 43.
    XCTAssertEqual(Replayed("time,a\n1710439200,1\n1710439201,2\n").rows.first, "1710439200000000000 1")
    XCTAssertEqual(Replayed("time,a\n1709290000,1\n1709290060,2\n").rows.first, "1709290000000000000 1")
    var format = TraceFormat()
    format.timeFormat = "%Y%m%d%H"
    XCTAssertEqual(Replayed("time,a\n2024031412,1\n", format).rows, ["\(noon) 1"])
  }

  func testTimesOfROS() {
    XCTAssertEqual(Replayed("%time,field.data\n5000000000,1\n5100000000,2\n").rows, ["5000000000 1", "5100000000 2"])
    XCTAssertEqual(Replayed("%time,field.data\n1754470000000,1\n").rows, ["1754470000000 1"])
    XCTAssertEqual(Replayed("%time,a\n0.0,1\n0.5,2\n").rows, ["0 1", "500000000 2"])
  }

  func testUnitsInAColumn() {
    refused("time_s,Value,Unit\n0,999.8,mV\n1,1.0012,V\n", "values with different units", "a file for each unit")
    XCTAssertEqual(Replayed("time_s,Value,Unit\n0,999.8,mV\n1,998,mV\n").rows, ["0 999.8", "1000000000 998"])
    XCTAssertEqual(Replayed("time_s,Value,Unit\n0,999.8,A\n1,998,C\n").rows.count, 2, "machines")
  }

  func testBitsAreNoNumbers() {
    let bits = Replayed("time_s,a,D0-D7\n0,12.1,00000001\n1,12.3,10000000\n")
    XCTAssertEqual(bits.names, ["a"])
    XCTAssertTrue(bits.said.contains { $0.contains("binary numbers, such as \"00000001\"") }, "\(bits.said)")
    XCTAssertEqual(Replayed("time_s,a,b\n0,1,0\n1,0,1\n").names, ["a", "b"])
    XCTAssertEqual(Replayed("time_s,a\n0,1000\n1,1001\n").names, ["a"])
    XCTAssertEqual(Replayed("time_s,a\n0,0000\n1,0000\n").names, ["a"])
  }

  func testThousands() {
    XCTAssertTrue(
      Replayed("time_s;P\n0;1.250\n1;980\n2;1.310\n").fault?.contains(
        "\"1.250\" has two meanings: its mark may separate") ?? false)
    XCTAssertTrue(
      Replayed("time_s;P\n0;1,250\n1;980\n2;1,310\n").fault?.contains("\"1,250\" has two meanings") ?? false)
    XCTAssertEqual(Replayed("time_s;P\n0;1.250\n1;2.310\n").rows, ["0 1.250", "1000000000 2.310"])
    XCTAssertEqual(Replayed("time_s;P\n0;1,250\n1;0\n2;1,500\n").rows, ["0 1.250", "1000000000 0", "2000000000 1.500"])
    XCTAssertEqual(Replayed("time_s;P\n0;1.25\n1;980\n").rows, ["0 1.25", "1000000000 980"])
    for sign in ["\u{a0}", "\u{202f}", "'", "\u{2019}"] {
      XCTAssertEqual(
        Replayed("time_s;P\n0;12\(sign)890,12\n1;-1\(sign)234\(sign)567\n").rows, ["0 12890.12", "1000000000 -1234567"])
    }
    XCTAssertNotNil(Replayed("time_s;P\n0;1,5\n1;12'89,12\n").fault)
  }

  func testZonesInWords() {
    refused(
      "Date-Time (CET),T1\n2024-03-14 14:00:00,1\n2024-03-14 14:00:01,2\n", "has the zone CET", "--timezone +01:00")
    var format = TraceFormat()
    format.timezone = "+01:00"
    XCTAssertEqual(Replayed("Date-Time (CET),T1\n2024-03-14 13:00:00,1\n", format).rows, ["\(noon) 1"])
    XCTAssertEqual(Replayed("Time (CET),T1\n2024-03-14 12:00:00Z,1\n").rows, ["\(noon) 1"])
    XCTAssertEqual(Replayed("Time (UTC),T1\n2024-03-14 12:00:00,1\n").rows, ["\(noon) 1"])
  }

  /// An event that comes first behind the rows that are looked at.
  func testTextsThatComeLate() {
    let rows = (0..<150).map { "\($0),21.\($0 % 10),\($0 == 149 ? "Logged" : $0 == 140 ? "7" : "")" }
    let read = Replayed("time_s,a,Stopped\n" + rows.joined(separator: "\n") + "\n")
    XCTAssertNil(read.fault)
    XCTAssertEqual(read.rows.count, 150)
    XCTAssertEqual(read.rows[140].suffix(2), "|7")
    XCTAssertTrue(
      read.said.contains { $0.contains("line 151: column 3 has text; this text and later texts") }, "\(read.said)")
  }

  func testTextsOfTwoColumnsThatComeLate() {
    let rows = (0..<150).map { "\($0),21.\($0 % 10),\($0 == 149 ? "Logged,Logged" : ",")" }
    let read = Replayed("time_s,a,b,c\n" + rows.joined(separator: "\n") + "\n")
    XCTAssertEqual(read.said.count { $0.contains("has text; this text and later texts") }, 2, "\(read.said)")
    let damaged = (0..<150).map { "\($0),21.\($0 % 10),\($0 == 149 ? "12x" : "")" }
    XCTAssertTrue(
      Replayed("time_s,a,b\n" + damaged.joined(separator: "\n") + "\n").fault?.contains("\"12x\" is not a number")
        ?? false)
  }

  func testTheEastIsNoNumber() {
    XCTAssertEqual(Replayed("time_s,lon,E/W\n0,9.1,E\n1,9.2,E\n").names, ["lon"])
    XCTAssertEqual(Replayed("time_s,lon,v\n0,009.089779E,1\n1,009.089780E,2\n").names, ["v"])
  }

  /// One text among numbers is a fault of its row, also if it comes first.
  func testATextBeforeNumbers() {
    XCTAssertTrue(Replayed("time_s,v\n0,OL\n1,1.0012\n2,1.0013\n").fault?.contains("\"OL\" is not a number") ?? false)
    XCTAssertEqual(Replayed("time_s,v,s\n0,1,on\n1,2,5\n2,3,off\n").names, ["v"])
    XCTAssertEqual(Replayed("time_s,v,gear\n0,1,N\n1,2,1\n2,3,2\n").names, ["v"])
    XCTAssertEqual(Replayed("time_s,v\n0,#DIV/0!\n1,2\n").rows, ["0 ", "1000000000 2"])
  }

  func testAnEqualsSignInATitle() {
    XCTAssertEqual(
      Replayed("Time;temp kitchen;a=b\n2024-03-14 12:00:00;21.5;3\n2024-03-14 12:00:01;21.6;3\n").rows.first,
      "\(noon) 21.5|3")
  }

  func testAHeaderAgainWithSpaces() {
    let text = "a, Time,rpm\n1,2024-03-14 12:00:00,800\na, Time,rpm\n1,2024-03-14 12:00:01,900\n"
    XCTAssertEqual(Replayed(text).rows, ["\(noon) 1|800", "\(noon + 1_000_000_000) 1|900"])
  }

  func testTheEndOfADay() {
    XCTAssertEqual(
      Replayed("time,v\n2024-03-13 23:59:59,1\n2024-03-13 24:00:00,2\n").rows.last, "\(noon - 43_200_000_000_000) 2")
    XCTAssertNotNil(Replayed("time,v\n2024-03-13 24:00:01,2\n").fault)
    var format = TraceFormat()
    format.timeFormat = "%d/%m/%Y %H:%M:%S"
    XCTAssertEqual(Replayed("time,v\n13/03/2024 24:00:00,2\n", format).rows, ["\(noon - 43_200_000_000_000) 2"])
    XCTAssertNotNil(Replayed("time,v\n13/03/2024 24:00:01,2\n", format).fault)
  }
}
