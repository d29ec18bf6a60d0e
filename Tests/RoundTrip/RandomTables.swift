import Foundation
import SluiceReadings
import SluiceRecording

/// Reads random tables of other programs, which a writer in Python has made with what is right: `RoundTrip tables SCRIPT COUNT
/// SEED [FAMILY]`.
struct RandomTables {
  /// What the writer says of a table.
  private struct Table: Decodable {
    struct Rows: Decodable {
      let columns: [String?]
      let rows: [[String?]]

      /// The same without columns that have no value in any row: they say nothing.
      var withoutBlank: Rows {
        let kept = columns.indices.filter { column in rows.contains { $0.count > column + 1 && $0[column + 1] != nil } }
        return Rows(
          columns: kept.map { columns[$0] },
          rows: rows.map { row in [row[0]] + kept.map { row.count > $0 + 1 ? row[$0 + 1] : nil } })
      }
    }

    let family, name, refusal, why: String
    let seed: UInt64
    let table: Data
    let options: [String]
    let columns: [String?]
    let rows: [[String?]]
    let either: [Rows]?
  }

  private enum Outcome: String, CaseIterable {
    case right, advised, refused
    /// Another name of a column, another value or time.
    case names, wrong
    /// A refusal that is not right, or whose options read something else.
    case notRead = "not read"
    case advice = "wrong advice"

    var isFault: Bool { ![.right, .advised, .refused].contains(self) }
  }

  private var counts: [String: [Outcome: Int]] = [:]
  private(set) var faults = 0
  /// How often each table is damaged instead; nil if it is read as it is.
  var damages: Int?

  /// - Returns: Whether all were read as the writer says.
  mutating func run(_ script: String, _ arguments: [String]) throws -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", script] + arguments
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    var rest = Data()
    var damaged = MutatedTables(seed: UInt64(arguments.last ?? "") ?? 1)
    while case let more = output.fileHandleForReading.availableData, !more.isEmpty {
      rest += more
      while let feed = rest.firstIndex(of: 0x0a) {
        let table = try JSONDecoder().decode(Table.self, from: rest[rest.startIndex..<feed])
        if let damages { damaged.take(Array(table.table), table.family, times: damages) } else { take(table) }
        rest = Data(rest[(feed + 1)...])
      }
    }
    process.waitUntilExit()
    if damages != nil {
      say(damaged.text)
      return process.terminationStatus == 0 && damaged.faults == 0
    }
    for (family, counts) in counts.sorted(by: { $0.key < $1.key }) {
      let shown = Outcome.allCases.compactMap { outcome in counts[outcome].map { "\($0) \(outcome.rawValue)" } }
      say("\(family): \(shown.joined(separator: ", "))")
    }
    say("\(counts.values.flatMap(\.values).reduce(0, +)) tables, \(faults) faults")
    return process.terminationStatus == 0 && faults == 0
  }

  private mutating func take(_ table: Table) {
    let (outcome, said) = outcome(of: table)
    counts[table.family, default: [:]][outcome, default: 0] += 1
    guard outcome.isFault else { return }
    faults += 1
    if counts[table.family]?[outcome] ?? 0 < 4 {
      say("\(table.family), seed \(table.seed), \(table.options): \(outcome.rawValue). \(table.why) \(said)")
      say(String(decoding: table.table.prefix(200), as: UTF8.self))
    }
  }

  private func outcome(of table: Table) -> (Outcome, said: String) {
    do throws(SluiceError) {
      return (try judged(table, table.options), "")
    } catch {

      let offered = Self.offered(in: error.remedy ?? "")
      guard !offered.isEmpty else { return (table.refusal == "no" ? .notRead : .refused, "\(error)") }
      for options in offered {
        // An option that is named again replaces the one that was given.
        let given = table.options.pairs.filter { pair in !options.pairs.contains { $0[0] == pair[0] } }.flatMap { $0 }
        if let found = try? judged(table, given + options), found == .right || found == .names { return (.advised, "") }
      }
      let isExample = error.remedy?.contains(" is an example") ?? false
      return (isExample || table.refusal == "yes" ? .refused : .advice, "\(error)")
    }
  }

  /// The options that a message says a table is read with, each as it is typed.
  private static func offered(in remedy: String) -> [[String]] {
    guard let start = remedy.range(of: "it is read with ")?.upperBound else { return [] }
    let text = remedy[start...].components(separatedBy: " (")[0]
    return text.components(separatedBy: ", or with ").map { words in
      // Words as a shell has them.
      var (found, word, isQuoted): ([String], String, Bool) = ([], "", false)
      for character in words {
        if character == "'" {
          isQuoted.toggle()
        } else if character == " ", !isQuoted {
          found.append(word)
          word = ""
        } else {
          word.append(character)
        }
      }
      return found + [word]
    }
  }

  private func judged(_ table: Table, _ options: [String]) throws(SluiceError) -> Outcome {
    var format = TraceFormat()
    var skipsBad = false
    for pair in options.pairs {
      let value = pair.count > 1 ? pair[1] : ""
      switch pair[0] {
      case "--time-column": format.timeColumn = value
      case "--time-unit": format.timeUnit = TraceFormat.Unit(rawValue: value)
      case "--time-format": format.timeFormat = value
      case "--date": format.date = value
      case "--timezone": format.timezone = value
      case "--skip-lines": format.skippedLines = Int(value)
      case "--column-names": format.columnNames = value.components(separatedBy: ",")
      case "--columns": format.columns = value.components(separatedBy: ",")
      case "--skip-bad": skipsBad = true
      case "--period": format.period = Self.period(value)
      default: throw SluiceError(.usage, "read", table.name, because: "\(pair[0]) is not known here")
      }
    }
    let trace = try TraceReader(Array(table.table), name: table.name, format: format, skipsBad: skipsBad) { _ in }
    var rows: [[String?]] = []
    var readings = Array(repeating: Reading.empty, count: 256)
    while case let count = try trace.next(into: &readings), count > 0 {
      rows += readings[..<count].map { ["\($0.time)"] + $0.values.map { $0.isMissing ? nil : Self.plain("\($0)") } }
    }
    let found = Table.Rows(columns: trace.streams.first?.channels.map(\.name) ?? [], rows: rows).withoutBlank
    var best = Outcome.wrong
    for wanted in ([Table.Rows(columns: table.columns, rows: table.rows)] + (table.either ?? [])).map(\.withoutBlank)
    where wanted.rows == found.rows && wanted.columns.count == found.columns.count {
      let isNamed = zip(wanted.columns, found.columns).allSatisfy { $0 == nil || $0 == $1 }
      if isNamed { return .right }
      best = .names
    }
    return best
  }

  private static func period(_ text: String) -> RowPeriod? {
    for (unit, nanoseconds) in [("ns", 1), ("us", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000)] as [(String, Int64)]
    {
      if text.hasSuffix(unit), let count = Double(text.dropLast(unit.count)) {
        return RowPeriod(nanoseconds: Int64(count * Double(nanoseconds)))
      }
    }
    for (unit, scale) in [("kHz", 1_000), ("MHz", 1_000_000), ("Hz", 1)] as [(String, Double)]
    where text.hasSuffix(unit) {
      guard let rate = Double(text.dropLast(unit.count)) else { return nil }
      return ExactDecimal("\(rate * scale)").flatMap { RowPeriod(hertz: $0) }
    }
    return nil
  }

  /// A number without what adds nothing: zeros behind the last decimal.
  private static func plain(_ number: String) -> String {
    guard let value = Decimal(string: number) else { return number }
    return "\(value)"
  }
}

extension [String] {
  /// The options with their values.
  fileprivate var pairs: [[String]] {
    var pairs: [[String]] = []
    for word in self {
      if word.hasPrefix("--") {
        // A value may be behind an equals sign.
        let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
        pairs.append(parts)
      } else if !pairs.isEmpty {
        pairs[pairs.count - 1].append(word)
      }
    }
    return pairs
  }
}
