import TestFiles
import XCTest

@testable import SluiceReadings
@testable import SluiceRecording

/// The time column of foreign files, and its unit.
final class TimeColumnTests: XCTestCase {
  private func time(_ header: String, _ row: String, _ format: TraceFormat = TraceFormat()) -> String {
    let read = Replayed("\(header)\n\(row)\n", format)
    return read.rows.first ?? read.fault ?? ""
  }

  func testItIsFoundByItsName() {
    for (header, row) in [
      ("a,time (s)", "5,1.5"), ("Time [ms],a", "1500,5"), ("a,t_us", "5,1500000"), ("seconds_elapsed,a", "1.5,5"),
      ("a,Timestamp_ns", "5,1500000000"), ("millis,a", "1500,5"), ("elapsedMs,a", "1500,5"), ("a, t ,b,b", "5,1.5,,"),
      ("t,timestamp (s),x", "5,1.5,"), ("Micros,a", "1500000,5"), ("time (\u{b5}s),a", "1500000,5"),
      ("time_ns,a", "1500000000,5"), ("TIME,a", "1.5,5"), ("Elapsed Time (sec),a", "1.5,5"),
    ] {
      XCTAssertTrue(time(header, row).hasPrefix("1500000000 5"), "\(header): \(time(header, row))")
    }
    XCTAssertEqual(time("a,b", "1,2"), "none of its columns has the name of a time column")
  }

  func testItsUnitIsFoundInTheFirstTime() {
    for (text, nanoseconds) in [
      ("1709294400", "1709294400000000000"), ("1709294400123", "1709294400123000000"),
      ("1709294400123456", "1709294400123456000"), ("1709294400123456789", "1709294400123456789"),
      ("1709294400.5", "1709294400500000000"), ("1709294400123.5", "1709294400123500000"), ("0.25", "250000000"),
      ("1.7092944e+09", "1709294400000000000"), ("1.709294400000000000e+18", "1709294400000000000"),
      ("2024-03-01T12:00:00Z", "1709294400000000000"), ("\"2024-03-01 12:00:00\"", "1709294400000000000"),
    ] {
      XCTAssertEqual(time("timestamp,x", "\(text),7"), "\(nanoseconds) 7", text)
    }
    let unknown = Replayed("timestamp,x\n100,7\n")
    XCTAssertEqual(
      unknown.fault,
      "column 1, \"timestamp\": the unit of its times is not known, and the first time is \"100\"")
    XCTAssertEqual(unknown.error?.remedy, "give --time-unit s, ms, us or ns")
    XCTAssertEqual(time("timestamp,x", "100,7", TraceFormat(timeUnit: .milliseconds)), "100000000 7")
    XCTAssertEqual(Replayed("timestamp,x\n").rows, [], "without rows it does not matter")
    XCTAssertNil(Replayed("timestamp,x\n").fault)
    XCTAssertEqual(
      Replayed("timestamp,x\n,1\n1.5,2\n").fault, "line 2, column 1: \"\" is not a time", "the first that is there")
  }

  func testItIsNamedByNameOrNumber() {
    let text = "time,when,x\n1.5,2.5,7\n"
    XCTAssertEqual(Replayed(text).rows, ["1500000000 2.5|7"])
    XCTAssertEqual(Replayed(text, TraceFormat(timeColumn: "when")).rows, ["2500000000 1.5|7"])
    XCTAssertEqual(Replayed(text, TraceFormat(timeColumn: "2")).rows, ["2500000000 1.5|7"])
    XCTAssertEqual(Replayed(text, TraceFormat(timeColumn: "2", timeUnit: .milliseconds)).rows, ["2500000 1.5|7"])
    for wrong in ["4", "0", "-1", "who"] {
      XCTAssertEqual(Replayed(text, TraceFormat(timeColumn: wrong)).fault, "it has no column \"\(wrong)\"")
    }
  }

  func testWhatIsFoundIsSaidOnce() {
    func said(_ text: String, _ format: TraceFormat = TraceFormat()) -> [String] { Replayed(text, format).said }
    XCTAssertEqual(
      said("x,millis\n1,2\n1,3\n"),
      ["t.csv: the time is column 2, \"millis\", in milliseconds; if not, give --time-column and --time-unit"])
    XCTAssertEqual(
      said("x,millis\n1,2\n", TraceFormat(timeColumn: "millis")),
      ["t.csv: the time is column 2, \"millis\", in milliseconds; if not, give --time-unit"])
    XCTAssertEqual(
      said("x,millis\n1,2\n", TraceFormat(timeUnit: .seconds)),
      ["t.csv: the time is column 2, \"millis\", in seconds; if not, give --time-column"])
    XCTAssertEqual(said("x,millis\n1,2\n", TraceFormat(timeColumn: "millis", timeUnit: .seconds)), [])
    XCTAssertEqual(said("x,time_ns\n1,2\n"), [])
  }

  func testTwoTimeColumns() {
    XCTAssertEqual(Replayed("time,x,time\n1.5,2,3\n").fault, "it has two columns \"time\"")
    XCTAssertEqual(
      Replayed("time (s),x,time [ms]\n1.5,2,3\n").fault, "it has two time columns, \"time (s)\" and \"time [ms]\"")
    XCTAssertEqual(Replayed("time,seconds_elapsed,x\n1709294400123456789,0.1,2\n").rows, ["1709294400123456789 0.1|2"])
    XCTAssertEqual(
      Replayed("time,timestamp,x\n12:00:00,1709294400,2\n").rows, ["1709294400000000000 2"],
      "the first that can be read")
  }

  func testDateAndTimeInTwoColumns() {
    for text in [
      "Date,Time,x\n01.03.2024,12:00:00.5,7\n01.03.2024,12:00:01,8\n",
      "x;Time;Date\n7;12:00:00,5;2024-03-01\n8;12:00:01;2024-03-01\n",
      "Date,Time,x\n\"01.03.2024\",\"12:00:00.5\",7\n\"01.03.2024\",\"12:00:01\",8\n",
    ] {
      let read = Replayed(text)
      XCTAssertEqual(read.rows, ["1709294400500000000 7", "1709294401000000000 8"], read.fault ?? text)
      XCTAssertTrue(read.said.contains { $0.contains("the time is columns") }, "\(read.said)")
    }
    XCTAssertEqual(
      Replayed("Date,Time,x\n01.03.2024,12:00:00,7\n,12:00:00,7\n").fault,
      "line 3, column 1: \"\" is not a date with a time, such as 2024-03-01T12:00:00Z")
    XCTAssertEqual(
      Replayed("Time,x\n12:00:00,7\n").fault,
      "column 1, \"Time\": its first cell \"12:00:00\" is a time of day without a date")
    XCTAssertEqual(Replayed("date,x\n2024-03-01,7\n").rows, ["1709251200000000000 7"])
  }

  func testADateAloneIsNotMidnight() {
    let german = "Datum;Uhrzeit;Temp\n01.03.2024;12:00:00;7\n01.03.2024;12:00:01;8\n"
    for (text, format) in [
      (german, TraceFormat(timeColumn: "Datum")), (german, TraceFormat(timeColumn: "Datum", timeUnit: .iso8601)),
    ] {
      let read = Replayed(text, format)
      XCTAssertEqual(read.rows, [])
      XCTAssertTrue(
        read.fault?.hasSuffix("it has dates alone, and column 2, \"Uhrzeit\", has the time of day") ?? false,
        read.fault ?? "")
      XCTAssertEqual(
        read.error?.remedy, "give --time-column \"Uhrzeit\", which is read together with the date")
    }
    XCTAssertEqual(
      Replayed(german, TraceFormat(timeColumn: "Uhrzeit")).rows, ["1709294400000000000 7", "1709294401000000000 8"])
    // The names are known, and any two can be given.
    for (text, format) in [
      (german, TraceFormat()), (german.replacingOccurrences(of: "Datum", with: "Date"), TraceFormat()),
      (german, TraceFormat(timeColumn: "Datum,Uhrzeit")), (german, TraceFormat(timeColumn: "1,2")),
    ] {
      XCTAssertEqual(Replayed(text, format).rows, ["1709294400000000000 7", "1709294401000000000 8"])
    }
    // The order of the columns does not matter, if both have usual names.
    XCTAssertEqual(
      Replayed("timestamp,time,x\n2024-03-01,12:00:00,7\n").rows, ["1709294400000000000 7"])
  }

  func testRowsOfOneDateAreNotAllAtMidnight() {
    let text = "Date,Hour,x\n2024-03-01,13,7\n2024-03-01,14,8\n"
    XCTAssertEqual(
      Replayed(text).fault,
      "column 1, \"Date\": it has dates alone, and several rows have the same date, so their times would all be midnight"
    )
    XCTAssertEqual(
      Replayed(text).error?.remedy,
      "name the column of the time with --time-column, or give --time-unit iso too if midnight is right")
    let meant = Replayed(text, TraceFormat(timeUnit: .iso8601))
    XCTAssertEqual(meant.rows, ["1709251200000000000 13|7", "1709251200000000000 14|8"])
    XCTAssertEqual(
      meant.said.filter { $0.contains("midnight") },
      ["t.csv: it has dates without a time of day, which are read as midnight"])
    // One row a day is a trace.
    XCTAssertEqual(
      Replayed("Date,x\n2024-03-01,7\n2024-03-02,8\n").rows, ["1709251200000000000 7", "1709337600000000000 8"])
  }

  func testManyRowsOfOneTimeAreSaid() {
    func said(_ times: [Int]) -> [String] {
      Replayed("timestamp,ms,x\n" + times.enumerated().map { "\($1),\($0),7\n" }.joined()).said.filter {
        $0.contains("all have the time")
      }
    }
    XCTAssertEqual(
      said(Array(repeating: 1_709_294_400, count: 12)),
      [
        "t.csv: its first 12 rows all have the time \"1709294400\"; if another column has the exact time, "
          + "give it with --time-column"
      ])
    XCTAssertEqual(said(Array(repeating: 1_709_294_400, count: 11) + [1_709_294_401]), [])
  }

  func testANumberThatIsANameIsRefused() {
    let text = "x-axis,1,2\n0.5,0.25,7\n"
    for option in ["1", "2"] {
      let read = Replayed(text, TraceFormat(timeColumn: option, timeUnit: .seconds))
      let other = option == "1" ? "x-axis" : "1"
      XCTAssertEqual(
        read.fault,
        "\"\(option)\" may be the column with this name, or column number \(option), which is called \"\(other)\"")
      XCTAssertEqual(
        read.error?.remedy,
        "give --time-column name:\(option) for the name, or --time-column number:\(option) for the number")
    }
    XCTAssertEqual(
      Replayed(text, TraceFormat(timeColumn: "number:1", timeUnit: .seconds)).rows, ["500000000 0.25|7"])
    XCTAssertEqual(Replayed(text, TraceFormat(timeColumn: "name:1", timeUnit: .seconds)).rows, ["250000000 0.5|7"])
    // Where both are the same column there is no doubt.
    XCTAssertEqual(Replayed("1,a\n0.5,7\n", TraceFormat(timeColumn: "1", timeUnit: .seconds)).rows, ["500000000 7"])
    XCTAssertEqual(
      Replayed(text, TraceFormat(timeColumn: "x-axis", timeUnit: .seconds, columns: ["1"])).fault,
      "\"1\" may be the column with this name, or column number 1, which is called \"x-axis\"")
    XCTAssertEqual(
      Replayed(text, TraceFormat(timeColumn: "x-axis", timeUnit: .seconds, columns: ["number:3"])).rows,
      ["500000000 7"])
    // A file without a header has no names.
    XCTAssertEqual(Replayed("0.5,7\n0.6,8\n", TraceFormat(timeColumn: "number:1")).rows.first, "500000000 7")
  }

  // MARK: Rounding

  func testTimesAreRoundedToTheNearestNanosecond() {
    for (text, nanoseconds) in [
      ("0.0000000005", 1), ("0.00000000049999", 0), ("-0.0000000005", -1), ("0.0003897357306683825", 389_736),
      ("1709294400.12345678949999999999999999", 1_709_294_400_123_456_789),
      ("1709294400.1234567895", 1_709_294_400_123_456_790), ("9223372036.8547758074", Int64.max),
      ("1e-10", 0), ("5e-10", 1), ("-9223372036.8547758084", .min), ("00000000000000000000001.5", 1_500_000_000),
      ("1.50000000000000000000000000000000000000000000", 1_500_000_000), ("0.5e0", 500_000_000), ("+.5", 500_000_000),
    ] {
      let plain = Replayed("t,x\n\(text),1\n", TraceFormat(timeUnit: .seconds))
      let quoted = Replayed("t,x\n\"\(text)\",1\n", TraceFormat(timeUnit: .seconds))
      XCTAssertEqual(plain.rows, ["\(nanoseconds) 1"], text)
      XCTAssertEqual(quoted.rows, plain.rows, text)
      XCTAssertEqual(quoted.said, plain.said, text)
      let isExact = ExactDecimal(text)?.whole(power: 9) != nil || text.hasPrefix("1.5000")
      XCTAssertEqual(plain.said.filter { $0.contains("rounded") }.isEmpty, isExact, text)
    }
    for text in ["9223372036.8547758075", "9223372037", "-9223372036.8547758085", "1e300", "99999999999999999999999"] {
      XCTAssertTrue(
        Replayed("t,x\n\(text),1\n", TraceFormat(timeUnit: .seconds)).fault?.contains("does not fit in 64 bits")
          == true,
        text)
    }
  }

  func testRoundingIsSaidOnce() {
    let read = Replayed("time (s),x\n0.1,1\n0.0000000001,2\n0.0000000002,3\n")
    XCTAssertEqual(read.said.dropFirst(), ["t.csv: times were rounded to whole nanoseconds"])
    XCTAssertEqual(
      Replayed("time_ns,x\n0.25,1\n0.5,2\n").said,
      ["t.csv: times were rounded to whole nanoseconds; if they are not in nanoseconds, give --time-unit"])
  }

  /// Both ways of reading agree on numbers of any length.
  func testLongTimesAreReadTheSameBothWays() {
    for _ in 0..<2_000 {
      let whole = (0..<Int.random(in: 0...11)).map { _ in "\(Int.random(in: 0...9))" }.joined()
      let decimals = (0..<Int.random(in: 0...24)).map { _ in "\("00000123456789".randomElement() ?? "0")" }.joined()
      let text = "\(Bool.random() ? "-" : "")\(whole).\(decimals)"
      let unit = TraceFormat(timeUnit: TraceFormat.Unit.allCases.dropLast().randomElement())
      let plain = Replayed("t,x\n\(text),\(text)\n", unit)
      let quoted = Replayed("t,x\n\"\(text)\",\"\(text)\"\n", unit)
      XCTAssertEqual(plain.rows, quoted.rows, text)
      XCTAssertEqual(plain.said, quoted.said, text)
      XCTAssertEqual(plain.fault, quoted.fault, text)
    }
  }
}
