import Foundation
import TestFiles
import XCTest

@testable import SluiceReadings
@testable import SluiceRecording

/// A table that is odd in several ways is read with the options that one message names.
final class TableAdviceTests: XCTestCase {
  private struct Outcome: Equatable {
    var times: [Int64] = []
    var values: [[String]] = []
    var error: SluiceError?
  }

  private func read(_ bytes: [UInt8], _ options: TableOptions) -> Outcome {
    var outcome = Outcome()
    do {
      let trace = try TraceReader(bytes, name: "odd.txt", format: options.format, skipsBad: options.skipsBad)
      var readings = Array(repeating: Reading.empty, count: 100)
      while case let count = try trace.next(into: &readings), count > 0 {
        for reading in readings[..<count] {
          outcome.times.append(reading.time)
          outcome.values.append(reading.values.map { $0.isMissing ? "" : $0.description })
        }
      }
    } catch {
      outcome.error = error
    }
    return outcome
  }

  private func advice(_ bytes: [UInt8], _ options: TableOptions) -> [TableOptions] {
    TableAdvice(TableText(bytes, isWhole: true), options).options()
  }

  private func texts(_ text: String) -> [String] {
    advice(Array(text.utf8), TableOptions(format: TraceFormat())).map(\.text)
  }

  // MARK: Examples

  func testAllThatAreNeededAtOnce() {
    XCTAssertEqual(
      texts("14.03.24;14:00:49;1;26,5;FNU;VALID;\n14.03.24;15:00:49;1;16,5;FNU;VALID;\n"),
      ["--column-names date,time,a,b,c,d --time-format '%d.%m.%y %H:%M:%S'"])
    XCTAssertEqual(
      texts("Logger 5\nday,clock,temp\n03/14/2024,14:00:49,1.5\n03/14/2024,14:00:50,1.5\n"),
      ["--time-column day,clock --time-format '%m/%d/%Y %H:%M:%S'"])
    XCTAssertEqual(
      texts("taken,temp\n2:00:49 PM,1.5\n2:00:50 PM,1.5\n"),
      ["--time-column taken --time-format '%I:%M:%S %p' --date 2024-03-14"])
    XCTAssertEqual(
      texts("taken,temp\n03/04/2024 14:00,1.5\n03/05/2024 14:00,1.5\n"),
      ["%m/%d/%Y", "%d/%m/%Y"].map { "--time-column taken --time-format '\($0) %H:%M'" })
    XCTAssertEqual(texts("1,20.5\n2,20.5\n3,20.6\n"), ["--column-names time_s,a", "--column-names a,b --period 10ms"])
  }

  /// What needs nothing, and what no option helps, has no advice.
  func testNoAdvice() {
    for text in ["time (s),x\n1,2\n2,3\n", "", "hello\n", "a b c\nd e f\n", "time,x\n2024-03-14 14:00:00Z,1\n"] {
      XCTAssertEqual(texts(text), [], text)
    }
  }

  /// What the user has given stays.
  func testWhatIsGivenStays() {
    var options = TableOptions(format: TraceFormat())
    options.format.columnNames = ["day", "clock", "x", "y"]
    options.format.timezone = "Europe/Berlin"
    let bytes = Array("14.03.24;14:00:49;1;26,5\n14.03.24;14:00:50;1;26,5\n".utf8)
    XCTAssertEqual(
      advice(bytes, options).map(\.text),
      [
        "--column-names day,clock,x,y --time-column day,clock --time-format '%d.%m.%y %H:%M:%S' "
          + "--timezone Europe/Berlin"
      ])
  }

  func testTheSentence() {
    let text = "Logger 5\nday,clock,temp\n03/14/2024,14:00:49,1.5\n03/14/2024,14:00:50,1.5\n"
    let error = read(Array(text.utf8), TableOptions(format: TraceFormat())).error
    XCTAssertEqual(
      error?.remedy, "it is read with --time-column day,clock --time-format '%m/%d/%Y %H:%M:%S'")
  }

  // MARK: Random tables

  /// A way to write times, and what has to be given for it.
  private struct Clock {
    let format: String
    var isDateAlone = false
  }

  private struct Table {
    var text = ""
    var times: [Int64] = []
    var values: [[String]] = []
    /// What only the user knows.
    var truth = TraceFormat()
    var oddities: [String] = []
  }

  private func written(_ seconds: Int64, _ format: String) -> String {
    var (time, parts) = (time_t(seconds), tm())
    gmtime_r(&time, &parts)
    var buffer = [CChar](repeating: 0, count: 100)
    let count = strftime(&buffer, buffer.count, format, &parts)
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private func table(_ random: inout TestGenerator) -> Table {
    var table = Table()
    func odd(_ what: String, _ share: Int, _ random: inout TestGenerator) -> Bool {
      let isIt = Int.random(in: 0..<share, using: &random) == 0
      if isIt { table.oddities.append(what) }
      return isIt
    }
    let delimiter = [",", ";", "\t"].randomElement(using: &random) ?? ","
    let count = Int.random(in: 3...30, using: &random)
    var channels = Int.random(in: 1...4, using: &random)
    // The 14th and later: the day cannot be the month. Not at midnight.
    let start: Int64 = 1_710_424_800 + Int64.random(in: 0..<20_000, using: &random)
    let step = Int64.random(in: 1...60, using: &random)
    let kinds = [
      "%Y-%m-%d %H:%M:%S", "%d.%m.%Y %H:%M:%S", "%d.%m.%y %H:%M:%S", "%m/%d/%Y %H:%M:%S", "%d/%m/%Y %H:%M:%S",
      "%m-%d-%y %H:%M:%S", "%d-%b-%Y %H:%M:%S", "%Y/%m/%d/%H:%M:%S", "%m/%d/%Y %I:%M:%S %p", "%Y-%j %H:%M:%S",
      "%Y%m%d %H%M%S", "%Y-%m-%dT%H:%M:%SZ", "%d.%m.%Y %H:%M:%S+0100", "two %d.%m.%Y %H:%M:%S",
      "two %m/%d/%y %H:%M:%S", "two %Y-%m-%d %H:%M:%S", "day %H:%M:%S", "day %I:%M:%S %p", "seconds", "none",
    ]
    let kind = kinds.randomElement(using: &random) ?? ""
    table.oddities.append(kind)
    let hasComma = delimiter != "," && odd("decimal comma", 2, &random)
    // One number with a comma in a row may be two.
    if hasComma, kind == "none" { channels += 1 }
    let isNamed = !odd("no header", 3, &random)
    let hasUsualNames = !odd("unusual names", 3, &random)
    let hasText = odd("text", 4, &random)
    let hasEnd = odd("delimiter at the end", 5, &random)
    var names: [String] = []
    switch kind {
    case "none": break
    case _ where kind.hasPrefix("two "): names = hasUsualNames ? ["Date", "Time"] : ["taken on", "taken at"]
    case "seconds": names = [hasUsualNames ? "time (s)" : "moment"]
    default: names = [hasUsualNames ? "Time" : "taken"]
    }
    names += (0..<channels).map { "signal\($0)" }
    if hasText { names.append("state") }
    if hasEnd { names.append("") }
    if odd("preamble", 3, &random) {
      for line in 0..<Int.random(in: 1...4, using: &random) {
        table.text += ["Logger 5000\n", "Serial: 12-34\n", "Site\(delimiter)Berlin\n", "\n"][line]
      }
    }
    if isNamed { table.text += names.joined(separator: delimiter) + "\n" }
    for row in 0..<count {
      let seconds = start + Int64(row) * step
      var cells: [String] = []
      switch kind {
      case "none":
        table.truth.period = RowPeriod(nanoseconds: 20_000_000)
        table.times.append(Int64(row) * 20_000_000)
      case "seconds":
        let tenths = Int64(row) * step
        cells.append("\(tenths / 10)\(hasComma ? "," : ".")\(tenths % 10)")
        table.truth.timeUnit = .seconds
        table.times.append(tenths * 100_000_000)
      case _ where kind.hasPrefix("two "):
        let format = String(kind.dropFirst(4))
        let parts = format.split(separator: " ", maxSplits: 1).map(String.init)
        cells += parts.map { written(seconds, $0) }
        table.truth.timeFormat = format
        table.times.append(seconds * 1_000_000_000)
      case _ where kind.hasPrefix("day "):
        cells.append(written(seconds, String(kind.dropFirst(4))))
        table.truth.date = "2024-03-14"
        table.times.append(seconds * 1_000_000_000)
      default:
        cells.append(written(seconds, kind))
        table.truth.timeFormat = kind
        table.times.append((seconds - (kind.hasSuffix("+0100") ? 3_600 : 0)) * 1_000_000_000)
      }
      var values: [String] = []
      for _ in 0..<channels {
        let number = Int.random(in: -999...999, using: &random)
        let tenths = "\(number.magnitude / 10).\(number.magnitude % 10)"
        values.append((number < 0 ? "-" : "") + tenths)
      }
      table.values.append(values)
      cells += values.map { hasComma ? $0.replacingOccurrences(of: ".", with: ",") : $0 }
      if hasText { cells.append(["ok", "P", "VALID"][row % 3]) }
      if hasEnd { cells.append("") }
      table.text += cells.joined(separator: delimiter) + "\n"
    }
    if odd("last line", 4, &random) { table.text += "END OF DATA\n" }
    if odd("carriage returns", 4, &random) { table.text = table.text.replacingOccurrences(of: "\n", with: "\r\n") }
    return table
  }

  /// What the user changes in the options of the message: the date, the period and the unit are known to nobody else.
  private func corrected(_ options: TableOptions, _ truth: TraceFormat) -> TableOptions {
    var options = options
    if options.format.date != nil { options.format.date = truth.date }
    if options.format.period != nil { options.format.period = truth.period }
    if options.format.timeUnit != nil { options.format.timeUnit = truth.timeUnit }
    return options
  }

  func testRandomTables() {
    var (advised, atOnce, hidden) = (0, 0, 0)
    for seed in 1...UInt64(LongTests.rounds(2_000)) {
      var random = TestGenerator(seed: seed)
      let table = table(&random)
      let bytes = Array(table.text.utf8)
      var options = TableOptions(format: TraceFormat())
      var outcome = read(bytes, options)
      var rounds = 0
      while let error = outcome.error, rounds < 3 {
        let found = advice(bytes, options)
        let right =
          found.first { $0.format.timeFormat == table.truth.timeFormat && $0.format.timeFormat != nil }
          ?? found.first { ($0.format.period != nil) == (table.truth.period != nil) } ?? found.first
        guard let right else { break }
        XCTAssertTrue(
          error.remedy?.contains(right.text) ?? false, "seed \(seed): \(error) lacks \(right.text)\n\(table.text)")
        options = corrected(right, table.truth)
        outcome = read(bytes, options)
        rounds += 1
      }
      advised += rounds > 0 ? 1 : 0
      atOnce += rounds == 1 ? 1 : 0
      if outcome.error == nil, rounds == 0 { hidden += 1 }
      let expected = Outcome(times: table.times, values: table.values)
      if outcome != expected {
        XCTFail(
          "seed \(seed), \(table.oddities), round \(rounds), \(options.text): \(outcome.error.map { "\($0)" } ?? "")\n"
            + "\(table.text.prefix(300))\n\(outcome.times.prefix(2)) \(outcome.values.prefix(2)), "
            + "not \(expected.times.prefix(2)) \(expected.values.prefix(2))")
      }
    }
    XCTAssertEqual(atOnce, advised, "one message is enough")
    XCTAssertGreaterThan(advised, LongTests.rounds(500))
    XCTAssertGreaterThan(hidden, LongTests.rounds(100))
  }
}
