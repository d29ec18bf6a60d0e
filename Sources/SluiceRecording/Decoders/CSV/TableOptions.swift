import SluiceReadings

/// The options of a command with which a table is read.
struct TableOptions: Equatable {
  var format: TraceFormat
  var skipsBad = false

  /// The options as they are typed.
  var text: String { words.joined(separator: " ") }

  var count: Int { words.count / 2 + (skipsBad ? 1 : 0) }

  /// Options and their values, each as a word of a shell.
  var words: [String] {
    var words: [String] = []
    func add(_ option: String, _ value: String?) {
      if let value { words += [option, Self.quoted(value)] }
    }
    add("--skip-lines", format.skippedLines.map { "\($0)" })
    add("--column-names", format.columnNames.isEmpty ? nil : format.columnNames.joined(separator: ","))
    add("--time-column", format.timeColumn)
    add("--time-unit", format.timeUnit?.rawValue)
    if let format = format.timeFormat { words += ["--time-format", "'" + format.replacingApostrophes + "'"] }
    add("--date", format.date)
    add("--timezone", format.timezone)
    add("--period", format.period.map(Self.said))
    add("--columns", format.columns.isEmpty ? nil : format.columns.joined(separator: ","))
    if skipsBad { words.append("--skip-bad") }
    return words
  }

  private static func said(_ period: RowPeriod) -> String {
    guard let nanoseconds = period.nanoseconds else { return period.hertz.map { "\($0)Hz" } ?? "10ms" }
    return nanoseconds % 1_000_000 == 0 ? "\(nanoseconds / 1_000_000)ms" : "\(nanoseconds)ns"
  }

  /// A word as a shell takes it.
  private static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
      byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || "_-.,:/+%@".utf8.contains(byte)
    }
    return isPlain && !word.isEmpty ? word : "'" + word.replacingApostrophes + "'"
  }
}

extension String {
  fileprivate var replacingApostrophes: String {
    split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
  }
}
