import Foundation
import XCTest

@testable import SluiceReadings
@testable import SluiceRecording

/// Files of other programs, read with no option or with one.
final class CSVDialectTests: XCTestCase {
  // MARK: Delimiters

  func testADialectIsSeenInTheHeader() {
    func delimiter(_ header: String) -> String {
      Array(header.utf8).withUnsafeBufferPointer {
        String(Unicode.Scalar(CSVDialect(header: $0).delimiter))
      }
    }
    XCTAssertEqual(delimiter("time_ns,x"), ",")
    XCTAssertEqual(delimiter("millis;temp;hum"), ";")
    XCTAssertEqual(delimiter("time\tx\ty"), "\t")
    XCTAssertEqual(delimiter("time_ns,a;b;c;d"), ",", "a recording's own name decides")
    XCTAssertEqual(delimiter("time,`;.`;,`;.x"), ",", "and so does that of other times")
    XCTAssertEqual(delimiter("time_s,`;.`;,`;.x"), ",")
    XCTAssertEqual(delimiter("time;a,b,c,d"), ";")
    XCTAssertEqual(delimiter("Time (s);Accel X, Y, Z, (g)"), ";", "a time column decides")
    XCTAssertEqual(delimiter("\"a;b;c\",time"), ",", "what is quoted does not count")
    XCTAssertEqual(delimiter("x"), ",")
    XCTAssertEqual(delimiter("a;b,c;d"), ";")
  }

  func testEachDialectIsReadBothWays() {
    for (delimiter, point) in [(",", "."), (";", ","), (";", "."), ("\t", ".")] {
      for end in ["\n", "\r\n"] {
        let rows = [["t_ms", "x", "y"], ["1\(point)5", "-2\(point)50", ""], ["2", "3", "0\(point)001"]]
        let plain = rows.map { $0.joined(separator: delimiter) + end }.joined()
        let quoted = rows.map { $0.map { "\"\($0)\"" }.joined(separator: delimiter) + end }.joined()
        for text in [plain, quoted, String(plain.dropLast(end.count)), "\u{feff}" + plain] {
          XCTAssertEqual(
            Replayed(text).rows, ["1500000 -2.50|", "2000000 3|0.001"], text.debugDescription)
        }
      }
    }
  }

  func testANumberHasOnePoint() {
    XCTAssertEqual(Replayed("t_s;x\n1;1.234,5\n").rows, ["1000000000 1234.5"])
    XCTAssertEqual(Replayed("t_s;x\n1.234,5;1\n").fault, "column 1, \"t_s\": its first cell \"1.234,5\" is not a time")
    XCTAssertEqual(Replayed("t_s;x\n1;1,2,3\n").rows.count, 0)
    XCTAssertEqual(Replayed("t_s\tx\n1,5\t1,5\n").rows, ["1500000000 1.5"])
    for (text, cause) in [("1\t1,234", "two meanings"), ("1\t1,5\n2\t1.5", "is not a number")] {
      XCTAssertEqual(Replayed("t_s\tx\n\(text)\n").fault?.contains(cause), true, text)
    }
  }

  func testAnotherDelimiterIsRefused() {
    XCTAssertEqual(
      Replayed("time|x\n1|2\n").fault, "its header \"time|x\" has no comma, semicolon or tab")
    XCTAssertTrue(Replayed("time|x\n1|2\n").error?.remedy?.contains("separate its columns with one of these") == true)
    XCTAssertEqual(Replayed("1,2\n3,4\n").fault, "its first row has numbers and no column names")
  }

  // MARK: Comments

  func testCommentsBeforeTheHeader() {
    XCTAssertEqual(Replayed("# it's 5\" wide\n#\n\nt_s,x\n1,2\n").rows, ["1000000000 2"])
    XCTAssertEqual(Replayed("# made by x\n# t_s\tx\n1\t2\n").rows, ["1000000000 2"], "the last is the header")
    XCTAssertEqual(Replayed("#t_s;x\r\n1;2,5\r\n").rows, ["1000000000 2.5"])
    XCTAssertEqual(Replayed("#t_s,x\n1,2\n").names, ["x"])
    XCTAssertEqual(Replayed("#,t_s\n1,2\n").names, ["#"])
    XCTAssertEqual(Replayed("# a\nt_s,x\n1,2\n2,y\n").fault?.prefix(16), "line 4, column 2")
    XCTAssertEqual(Replayed("# only\n").fault, "it is empty")
    XCTAssertEqual(Replayed("# a\rt_s,x\r1,2\r").rows, ["1000000000 2"])
  }

  // MARK: Columns

  func testUnitsOfHeaders() {
    let read = Replayed("time (s),Accelerometer X (g),Temp [degC],x[1],y\n1,2,3,4,5\n")
    XCTAssertEqual(read.trace?.streams[0].channels.map(\.unit), ["g", "degC", nil, nil])
    XCTAssertEqual(read.names, ["Accelerometer X (g)", "Temp [degC]", "x[1]", "y"])
  }

  func testTextColumnsAreLeftOutAndNamed() {
    let read = Replayed("t_s,note,x,state,y\n1,,2,on,\n2,foo,3,off,4\n3,bar,4,on,5\n")
    XCTAssertEqual(read.names, ["x", "y"])
    XCTAssertEqual(read.rows, ["1000000000 2|", "2000000000 3|4", "3000000000 4|5"])
    XCTAssertEqual(
      read.said.filter { $0.contains("left out") },
      [
        "t.csv: 2 columns are left out, \"note\", \"state\", because the first value of the first is \"foo\", which is not a number"
      ])
    XCTAssertEqual(Replayed("t_s,a,b\n1,true,2\n").names, ["b"])
    XCTAssertEqual(Replayed("t_s,a,date,b\n1,nan,2024-03-01,2\n").names, ["a", "b"])
    XCTAssertEqual(Replayed("t_s,a\n1,x\n2,y\n").rows, ["1000000000 ", "2000000000 "], "only a time is left")
    XCTAssertEqual(
      Replayed("time_ns,a\n1,x\n").fault, "line 2, column 2: \"x\" is not a number",
      "a recording has no text")
  }

  func testMarksOfMissingValues() {
    let marks = ["NA", "N/A", "null", "NULL", "None", "-", "na", "\"NA\"", " N/A "]
    for mark in marks {
      let read = Replayed("t_s,x,y\n1,\(mark),2\n2,3,\(mark)\n")
      XCTAssertEqual(read.rows, ["1000000000 |2", "2000000000 3|"], mark)
      XCTAssertEqual(read.names, ["x", "y"], "\(mark) is no text")
      XCTAssertEqual(
        Replayed("time_ns,x,y\n1,\(mark),2\n").fault?.hasSuffix("is not a number"), true,
        "\(mark) in a recording")
    }
    XCTAssertEqual(Replayed("t_s;x;y\n1;-;1,5\n").rows, ["1000000000 |1.5"])
    XCTAssertEqual(Replayed("t_s,state,x\n1,None,2\n2,on,3\n").names, ["x"], "a column of text may begin with one")
    XCTAssertEqual(Replayed("# t_s,x,y\n1,NA,None\n").rows, ["1000000000 |"], "a row of marks has no names")
    for text in ["--", "-x", "nana", "NA NA", "nil"] {
      XCTAssertEqual(
        Replayed("t_s,x\n1,1\n2,\(text)\n").fault,
        "line 3, column 2: \"\(text)\" is not a number")
    }
    XCTAssertEqual(
      Replayed("t_s,x\n1,1\nNA,2\n").fault, "line 3, column 1: \"NA\" is not a time", "a row needs its time")
  }

  func testColumnsArePickedInTheirOrder() {
    let text = "t_s,a,note,b,a,c\n1,10,foo,20,30,40\n2,11,\"bar\",21,31,41\n"
    func read(_ columns: String...) -> Replayed { Replayed(text, TraceFormat(columns: columns)) }
    XCTAssertEqual(read("c", "b").names, ["c", "b"])
    XCTAssertEqual(read("c", "b").rows, ["1000000000 40|20", "2000000000 41|21"])
    XCTAssertEqual(read("5", "2").rows, ["1000000000 30|10", "2000000000 31|11"])
    XCTAssertEqual(read("b").rows, ["1000000000 20", "2000000000 21"])
    XCTAssertEqual(read("note").fault?.prefix(23), "line 2, column 3: \"foo\"")
    XCTAssertEqual(read("z").fault, "it has no column \"z\"")
    XCTAssertEqual(read("a").fault, "2 columns are called \"a\"")
    XCTAssertEqual(read("a").error?.remedy, "give the number of one: 2, 5")
    XCTAssertEqual(read("b", "4").fault, "--columns names \"4\" twice")
    XCTAssertEqual(read("t_s").fault, "\"t_s\" is its time")
    XCTAssertTrue(
      Replayed("time_ns,stream,channel,value\n1,a,x,1\n", TraceFormat(columns: ["value"])).fault?.contains("long")
        == true)
  }

  func testColumnsOfSeveralStreams() throws {
    let read = Replayed(
      "time_ns,imu.x,imu.y,METER,note\n1,2,3,,a b\n2,4,,5,\"c\"\n", TraceFormat(columns: ["METER", "imu.y"]))
    XCTAssertEqual(read.trace?.streams.map(\.name), ["imu", "METER"])
    XCTAssertEqual(read.trace?.streams[0].channels.map(\.name), ["y"])
    XCTAssertEqual(read.rows, ["1 3", "2 5"])
  }

  func testTheDelimiterThatExcelSays() {
    for text in ["sep=;\ntime (s);a,b\n0,5;1\n", "\u{feff}sep=;\r\ntime (s);a,b\r\n0,5;1\r\n"] {
      XCTAssertEqual(Replayed(text).rows, ["500000000 1"])
      XCTAssertEqual(Replayed(text).names, ["a,b"])
    }
    XCTAssertEqual(Replayed("sep=,\ntime (s),a\n1,x\n2,3,4\n", TraceFormat(columns: ["a"])).fault?.prefix(6), "line 3")
  }

  func testAColumnWithoutANameIsCalledByItsNumber() {
    XCTAssertEqual(Replayed("time (s),a,\n0.1,1,\n0.2,2,5\n").names, ["a", "3"])
    XCTAssertEqual(Replayed("time_ns,a.x,\n1,1,2\n").trace?.streams.map(\.name), ["a.x", "3"])
  }

  func testInfinityOfAnotherProgramIsMissing() {
    let read = Replayed("t_s,a,b\n1,inf,2\n2,-Infinity,+inf\n3,4,5\n")
    XCTAssertEqual(read.rows, ["1000000000 |2", "2000000000 |", "3000000000 4|5"])
    XCTAssertNil(read.fault)
    XCTAssertEqual(Replayed("time_ns,a\n1,inf\n").fault?.prefix(6), "line 2")
  }

  func testTextOfOtherFormats() {
    for text in ["[{\"ts\":1,\"x\":1},{\"ts\":2}]\n", " [\n  {\"ts\": 1}\n]\n", "[[1,2],[3,4]]", "["] {
      XCTAssertEqual(Replayed(text).fault, "it begins with a JSON array, which is not read", text)
      XCTAssertEqual(Replayed(text).error?.remedy, "give JSON Lines, one object per line: jq -c '.[]'")
    }
    XCTAssertEqual(Replayed("imu,host=a x=1.5,y=2i 1709294400000000000\n").rows, ["1709294400000000000 1.5|2"])
    XCTAssertEqual(Replayed("m v=1\nm v=2\n").fault, "its lines have no times")
    XCTAssertEqual(Replayed("# rate=100\nt_s,x\n1,2\n").rows, ["1000000000 2"])
    XCTAssertEqual(Replayed("t_s,a b,c\n1,2,3\n").rows, ["1000000000 2|3"])
    XCTAssertEqual(Replayed("[s] t_s,time_s,x\n1,1,2\n", TraceFormat(timeColumn: "time_s")).rows, ["1000000000 1|2"])
  }

  /// `--time-column 1` is all that its reading needs, and its first row is a reading too.
  func testAFileWithoutAHeader() {
    func read(_ text: String, _ column: String? = "1", _ unit: TraceFormat.Unit? = .seconds) -> Replayed {
      Replayed(text, TraceFormat(timeColumn: column, timeUnit: unit))
    }
    for text in ["1.0,2,3\n2.0,3,4\n", "1,2,3\r\n2,3,4", "1;2,0;3\n2;3;4\n", "1,2,3\n\"2\",3,4\n"] {
      let read = read(text)
      XCTAssertEqual(read.rows.map { $0.prefix(11) }, ["1000000000 ", "2000000000 "], text)
      XCTAssertEqual(read.names, ["2", "3"])
      XCTAssertTrue(read.said.contains { $0.contains("no column names, so that its columns are called 1, 2") })
    }
    XCTAssertEqual(read("5,1.0,\n6,2.0,7\n", "2").rows, ["1000000000 5|", "2000000000 6|7"])
    XCTAssertEqual(read("2024-03-01T12:00:00Z,1\n", "1", nil).rows, ["1709294400000000000 1"])
    XCTAssertEqual(read("1,2\n2,x\n").fault?.prefix(16), "line 2, column 2")
    // Its only row has no end.
    XCTAssertEqual(read("1,2").rows, ["1000000000 2"])
    // These are names.
    XCTAssertEqual(read("0,1,2\n1,2,3\n", "name:1").rows, ["2000000000 1|3"])
    XCTAssertEqual(read("0,1,2\n1,2,3\n", "number:1").rows, ["1000000000 2|3"])
    XCTAssertEqual(read("1,x,3\n1,2,3\n").rows, ["1000000000 2|3"])
    XCTAssertEqual(read("t,x,3\n1,2,3\n").rows, ["1000000000 2|3"])
    XCTAssertEqual(read("1,2\n3,4\n", nil).fault, "its first row has numbers and no column names")
    XCTAssertTrue(read("1,2\n3,4\n", nil).error?.remedy?.contains("--column-names time_s,a") == true)
  }

  func testDuplicateNamesAreTwoChannels() {
    XCTAssertEqual(Replayed("t_s,a,a\n1,2,3\n").rows, ["1000000000 2|3"])
    XCTAssertEqual(Replayed("t_s,a,a\n1,2,3\n").names, ["a", "a_2"])
    XCTAssertEqual(Replayed("t_s,a,a_2,a,a\n1,2,3,4,5\n").names, ["a", "a_2", "a_3", "a_4"])
    XCTAssertEqual(Replayed("t_s,fan (rpm),fan (rpm)\n1,2,3\n").names, ["fan (rpm)", "fan_2 (rpm)"])
  }
}

/// What a trace in memory gives: all rows, and the error that ended it.
struct Replayed {
  private(set) var rows: [String] = []
  private(set) var error: SluiceError?
  private(set) var trace: TraceReader?
  private(set) var said: [String] = []
  var fault: String? { error?.cause }
  var names: [String]? { trace?.streams.first?.channels.map(\.name) }

  init(_ text: String, _ format: TraceFormat = TraceFormat(), skipsBad: Bool = false, block: Int = 512) {
    self.init(bytes: Array(text.utf8), format, skipsBad: skipsBad, block: block)
  }

  init(bytes: [UInt8], _ format: TraceFormat = TraceFormat(), skipsBad: Bool = false, block: Int = 512) {
    let sentences = Sentences()
    do throws(SluiceError) {
      let trace = try TraceReader(
        bytes, name: "t.csv", format: format, skipsBad: skipsBad, warn: { sentences.add($0) })
      self.trace = trace
      var readings = Array(repeating: Reading.empty, count: block)
      while case let count = try trace.next(into: &readings), count > 0 {
        rows += readings[..<count].map {
          "\($0.time) \($0.values.map(\.description).joined(separator: "|"))"
        }
      }
    } catch {
      self.error = error
    }
    said = sentences.all
  }
}

/// What a trace says, from any thread.
final class Sentences: @unchecked Sendable {
  // The lock protects `sentences`.
  private let lock = NSLock()
  private var sentences: [String] = []

  var all: [String] { lock.withLock { sentences } }
  func add(_ sentence: String) { lock.withLock { sentences.append(sentence) } }
}
