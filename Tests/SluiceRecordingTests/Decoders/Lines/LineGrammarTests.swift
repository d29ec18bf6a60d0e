import SluiceReadings
import TestFiles
import XCTest

@testable import SluiceRecording

final class LineGrammarTests: XCTestCase {
  /// What lines of a grammar gave.
  private struct Result {
    var columns: [String] = []
    var rows: [String] = []
    var faults: [String] = []
  }

  private func parse(
    _ lines: String, _ settings: String = "", mayBeTorn: Bool = false, name: String = "s"
  ) throws -> Result {
    let form = try LineForm(settings.split(separator: ","))
    var learner = LineLearner(form, stream: name, mayBeTorn: mayBeTorn)
    let lines = lines.split(separator: "\n", omittingEmptySubsequences: false).map { Array($0.utf8) }
    var grammar = try learner.grammar(isLast: false)
    for line in lines where grammar == nil {
      learner.add(line)
      grammar = try learner.grammar(isLast: false)
    }
    if grammar == nil { grammar = try learner.grammar(isLast: true) }
    var found = try XCTUnwrap(grammar)
    var result = Result()
    result.columns = found.streams.flatMap { stream in stream.channels.map { "\(stream.name).\($0.name)" } }
    for line in lines {
      var reading = Reading(time: -1, stream: StreamID(0), values: Values())
      let outcome = line.withSlack { found.parse($0, into: &reading) }
      switch outcome {
      case .nothing: break
      case .fault(let fault): result.faults.append((fault.isChecksum ? "checksum: " : "") + fault.cause)
      case .reading, .readingOfSome:
        let values = reading.values.map { $0.isMissing ? "_" : $0.description }.joined(separator: " ")
        let time = reading.time == -1 ? "" : "@\(reading.time) "
        result.rows.append(time + (found.streams.count > 1 ? "\(reading.stream.index): " : "") + values)
        if outcome == .readingOfSome { result.faults.append("more") }
      }
    }
    return result
  }

  // MARK: CSV

  func testCSVWithNames() throws {
    let result = try parse("temp (°C),hum\n21.5,40\n\n\"21.6\", 41 \nnan,42\ntemp (°C),hum\n-.5,1e3")
    XCTAssertEqual(result.columns, ["s.temp (°C)", "s.hum"])
    XCTAssertEqual(result.rows, ["21.5 40", "21.6 41", "_ 42", "-0.5 1000"])
    XCTAssertEqual(result.faults, [])
  }

  func testCSVWithoutNames() throws {
    XCTAssertEqual(try parse("1;2,5\n3;4,5").rows, ["1 2.5", "3 4.5"])
    XCTAssertEqual(try parse("1\t2\n3\t4", "names=a+b").columns, ["s.a", "s.b"])
    XCTAssertEqual(try parse("7\n8").columns, ["s.value"])
  }

  func testCSVLeavesOutTextAndCountsWhatDoesNotFit() throws {
    let result = try parse("id,temp\nA1,20\nB2,21\nC3,x\nD4\nE5,22,9\nF6,23")
    XCTAssertEqual(result.columns, ["s.temp"])
    XCTAssertEqual(result.rows, ["20", "21", "23"])
    XCTAssertEqual(result.faults, ["\"x\" is not a number", "it has 1 cell, not 2", "it has 3 cells, not 2"])
  }

  func testCSVWithItsOwnTime() throws {
    XCTAssertEqual(
      try parse("time_ms,v\n1700000000001,5\nx,6\n1700000000003,7", "time=time_ms").rows,
      ["@1700000000001000000 5", "@1700000000003000000 7"])
    XCTAssertEqual(try parse("v,when\n5,2024-03-01T12:00:00Z", "time=when").rows, ["@1709294400000000000 5"])
    XCTAssertEqual(try parse("v,n\n5,12", "time=n:us").rows, ["@12000 5"])
  }

  func testANumberOfFourHundredDigitsIsNoTrap() throws {
    let digits = String(repeating: "9", count: 400)
    XCTAssertEqual(try parse("1,2\n\(digits),3\n0.\(digits),4").rows, ["1 2", "1.000000000000000000 4"])
  }

  func testATornFirstLineIsNotTheForm() throws {
    let result = try parse("5,3\n21.5,40,3\n21.6,41,4", mayBeTorn: true)
    XCTAssertEqual(result.columns, ["s.1", "s.2", "s.3"])
    XCTAssertEqual(result.rows, ["21.5 40 3", "21.6 41 4"])
  }

  // MARK: Names in the line

  func testPairs() throws {
    let result = try parse("temp:21.5,hum:40\nhum: 41\ttemp : 22\ntemp:23\ntemp:\nnew:1 temp:24\nhello\ntemp:x")
    XCTAssertEqual(result.columns, ["s.temp", "s.hum", "s.new"])
    XCTAssertEqual(result.rows, ["21.5 40 _", "22 41 _", "23 _ _", "_ _ _", "24 _ 1"])
    XCTAssertEqual(result.faults, ["it is not name:value all along", "\"x\" is not a number"])
  }

  func testAssignments() throws {
    XCTAssertEqual(try parse("a=1 b=2\nb=3").rows, ["1 2", "_ 3"])
  }

  func testJSONObjects() throws {
    let result = try parse(
      #"{"a":1,"n":{"x":[2,3]},"t":"text","ok":true}"# + "\n{\"a\":null}\n{\"a\":1\n[1]\n{\"a\":-2e3,\"a\":4}")
    XCTAssertEqual(result.columns, ["s.a", "s.n.x.0", "s.n.x.1"])
    XCTAssertEqual(result.rows, ["1 2 3", "_ _ _", "4 _ _"])
    XCTAssertEqual(result.faults, ["it is not one JSON object", "it is not one JSON object"])
  }

  func testLineProtocol() throws {
    let lines =
      "cpu,host=a\\ b usage=1.5,idle=3i 1700000000000000000\nmem free=7u\ncpu,host=a\\ b usage=\"x\"\nnet up=1"
    let result = try parse(lines)
    XCTAssertEqual(result.columns, ["cpu host=a b.usage", "cpu host=a b.idle", "mem.free", "net.up"])
    XCTAssertEqual(result.rows, ["0: 1.5 3", "1: 7", "2: 1"])
    XCTAssertEqual(result.faults, ["\"\"x\"\" is not a number"])
    XCTAssertEqual(
      try parse("cpu usage=1 1700000000000000001", "time=time").rows, ["@1700000000000000001 1"])
  }

  func testNamesThatComeLaterAreLeftOut() throws {
    let first = (0..<100).map { "a:\($0)" }.joined(separator: "\n")
    let result = try parse(first + "\na:100 b:5\nb:6")
    XCTAssertEqual(result.rows.count, 101)
    XCTAssertEqual(result.rows.last, "100")
    XCTAssertEqual(result.faults, ["more", "it has no known name"])
  }

  func testNumbersOfAnyText() throws {
    XCTAssertEqual(try parse("T=21.5C, H=-40%", "as=numbers,names=t+h").rows, ["21.5 -40"])
    XCTAssertEqual(try parse("1 2 3\n4 5 6").rows, ["1 2 3", "4 5 6"])
    XCTAssertEqual(try parse("1 x\nx", "as=numbers,names=v").faults, ["it has no number"])
  }

  func testAnExpression() throws {
    let result = try parse("ID 7: 21.5 C\nID 8: x C\nID 9: 22 C", #"match=ID (?<id>\d+): (?<temp>[0-9.]+) C"#)
    XCTAssertEqual(result.columns, ["s.id", "s.temp"])
    XCTAssertEqual(result.rows, ["7 21.5", "9 22"])
    XCTAssertEqual(result.faults, ["the expression does not match it"])
  }

  // MARK: NMEA

  private let gga = "$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47"
  private let rmc = "$GPRMC,123519,A,4807.038,N,01131.000,W,022.4,084.4,230394,003.1,W*78"

  func testSentences() throws {
    let result = try parse([gga, rmc, "$GPGSV,1,1,00*79", gga.dropLast() + "8", "noise"].joined(separator: "\n"))
    XCTAssertEqual(
      result.rows,
      [
        "0: 48.117300000 11.516666667 545.4 1 8 0.9", "1: 48.117300000 -11.516666667 22.4 84.4 764426119",
      ])
    XCTAssertEqual(
      result.faults, ["checksum: its checksum is wrong", "it is not a sentence: it does not begin with $"])
  }

  func testTheTimeOfSentences() throws {
    // A position has no date, so the first one has no time yet.
    let result = try parse([gga, rmc, gga].joined(separator: "\n"), "time=utc")
    XCTAssertEqual(result.rows.map { $0.split(separator: " ")[0] }, ["@764426119000000000", "@764426119000000000"])
  }

  func testReceiversWithoutAFixAreSeen() throws {
    let lines = ["$GPGGA,,,,,,0,00,99.99,,,,,,*48", "$GPRMC,,V,,,,,,,,,,N*53"]
    let result = try parse(lines.joined(separator: "\n"))
    XCTAssertEqual(result.rows, ["0: _ _ _ 0 0 99.99", "1: _ _ _ _ _"])
    XCTAssertEqual(result.faults, [])
  }

  func testSentencesWithATimeNeedADate() throws {
    XCTAssertEqual(try parse(gga, "time=utc").faults, ["no sentence before it has said the date"])
    // The sentences of one maker are no others, whatever their last letters.
    XCTAssertEqual(try parse("$PGRMC,A,1*7B", "as=nmea").rows, [])
  }

  // MARK: What comes before

  func testAGreetingIsNoForm() throws {
    XCTAssertEqual(try parse("Starting\n21.5,40\n21.6,41").rows, ["21.5 40", "21.6 41"])
    let result = try parse("Board 1\nhello world\n\ntemp,hum\n21.5,40\n21.6,41")
    XCTAssertEqual(result.columns, ["s.temp", "s.hum"])
    XCTAssertEqual(result.rows, ["21.5 40", "21.6 41"])
    XCTAssertEqual(try parse("ready\ntemp:1\ntemp:2").columns, ["s.temp"])
  }

  func testATornFirstLineGivesNoName() throws {
    XCTAssertEqual(try parse("mp:21.5 hum:40\ntemp:21.5 hum:40", mayBeTorn: true).columns, ["s.temp", "s.hum"])
    XCTAssertEqual(try parse("emp,hum\n1,2\n3,4", mayBeTorn: true).columns, ["s.emp", "s.hum"])
    XCTAssertEqual(try parse("pu,h=a x=1\ncpu,h=a x=1", mayBeTorn: true).columns, ["cpu h=a.x"])
    XCTAssertEqual(try parse("5,ok\n21.5,ok\n21.6,ok", mayBeTorn: true).rows, ["5", "21.5", "21.6"])
    var learner = LineLearner(LineForm(), stream: "s", mayBeTorn: true)
    learner.add(Array("5,3".utf8))
    XCTAssertNil(try learner.grammar(isLast: true), "one line may be torn")
  }

  func testAStreamOfTextIsNoStream() throws {
    let result = try parse("log text=\"a\"\ncpu x=1\nlog text=\"b\"\ncpu x=2", "as=influx")
    XCTAssertEqual(result.columns, ["cpu.x"])
    XCTAssertEqual(result.rows, ["1", "2"])
    XCTAssertEqual(result.faults, [])
  }

  func testNoExponentTraps() throws {
    XCTAssertEqual(try parse("1,2\n1e-9223372036854775808,3\n1e99999999999999999999,4").rows.count, 2)
  }

  // MARK: Forms

  func testFaultsOfForms() {
    func fault(_ text: String) -> String? {
      do throws(LineFault) {
        _ = try LineForm(text.split(separator: ","))
        return nil
      } catch { return error.cause }
    }
    XCTAssertEqual(
      fault("as=xml"), "as takes csv, pairs, assignments, json, influx, nmea, numbers, match, not \"xml\"")
    XCTAssertEqual(fault("as"), "as has no value")
    XCTAssertEqual(fault("names=a++b"), "names takes different names: A+B+C")
    XCTAssertEqual(fault("as=json,names=a"), "names is for lines without names: those of csv and numbers")
    XCTAssertEqual(fault("as=match"), "as=match needs an expression: match=REGEX")
    XCTAssertNotNil(fault("match=("))
    XCTAssertNil(fault("match=(a{1,2})"))
  }

  /// As an option of a replay, the grammar may stand alone.
  func testTheGrammarAlone() throws {
    let form = try LineForm(text: "csv,time=t:ms")
    XCTAssertEqual([form.kind?.rawValue, form.time, form.timeUnit?.rawValue], ["csv", "t", "ms"])
    XCTAssertEqual(form.text, "csv,time=t:ms")
    XCTAssertThrowsError(try LineForm(text: "xml"))
  }

  func testLinesOfNoForm() {
    XCTAssertThrowsError(try parse("hello\nworld\nagain")) { error in
      XCTAssertTrue("\(error)".hasPrefix("cannot read the lines of s: \"hello\" is of no known form"), "\(error)")
    }
    XCTAssertThrowsError(try parse("a,b\nx,y\n", "as=csv"))
    XCTAssertThrowsError(try parse("a:1\n", "time=b"))
  }

  /// Any bytes are a reading, nothing or a fault, in every grammar.
  func testNoLineTraps() throws {
    var generator = TestGenerator()
    let good = ["1,2,3", "a:1 b:2", "a=1 b=2", #"{"a":1,"b":[2]}"#, "m,t=1 a=1,b=2i 5", "1 2 3", gga, rmc]
    for line in good {
      var learner = LineLearner(LineForm(), stream: "s")
      learner.add(Array(line.utf8))
      learner.add(Array(line.utf8))
      var grammar = try XCTUnwrap(learner.grammar(isLast: true))
      for _ in 0..<2_000 {
        var bytes = Array(line.utf8)
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
          let place = Int.random(in: 0..<bytes.count, using: &generator)
          switch Int.random(in: 0..<3, using: &generator) {
          case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
          case 1: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: place)
          default: if bytes.count > 1 { bytes.remove(at: place) }
          }
        }
        bytes.removeAll { $0 == 0x0a }
        var reading = Reading(time: 0, stream: StreamID(0), values: Values())
        let outcome = bytes.withSlack { grammar.parse($0, into: &reading) }
        if outcome == .reading {
          XCTAssertLessThan(Int(reading.stream.index), grammar.streams.count, generator.note)
        }
      }
    }
  }
}
