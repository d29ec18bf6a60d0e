/// The names that files give to their time column, and what these say of the unit.
enum TimeNames {
  /// Letters and digits of the names that say it, in lower case; `Time (s)`, `t_us` and `timestamp_ns` are among them too.
  private static let usual: Set<String> = [
    "time", "timestamp", "datetime", "dateandtime", "secondselapsed", "elapsed", "elapsedtime", "timeelapsed", "uptime",
    "epoch", "epochtime", "unixtime", "unixtimestamp", "utctime", "timeutc", "utctimestamp", "timestamputc",
    "localtime", "gpstime", "systime", "systemtime",
    "seconds", "millis", "milliseconds", "micros", "microseconds", "nanos", "nanoseconds",
  ]
  /// These may also be something else, and are looked for if there is none of the others: `t` may be a temperature.
  private static let short: Set<String> = ["t", "ts", "date", "utc", "unix", "sec", "secs", "ms", "us", "ns"]

  private static let units: [String: TraceFormat.Unit] = [
    "s": .seconds, "sec": .seconds, "secs": .seconds, "second": .seconds, "seconds": .seconds,
    "ms": .milliseconds, "msec": .milliseconds, "millis": .milliseconds, "millisecond": .milliseconds,
    "milliseconds": .milliseconds,
    // Micro sign and Greek letter.
    "us": .microseconds, "\u{b5}s": .microseconds, "\u{3bc}s": .microseconds, "usec": .microseconds,
    "micros": .microseconds, "microsecond": .microseconds, "microseconds": .microseconds,
    "ns": .nanoseconds, "nsec": .nanoseconds, "nanos": .nanoseconds, "nanosecond": .nanoseconds,
    "nanoseconds": .nanoseconds,
    "iso": .iso8601, "iso8601": .iso8601,
  ]

  static func isUsual(_ name: String) -> Bool { usual.contains(plain(name).name) || short.contains(plain(name).name) }

  /// The columns that may be the time: those of the usual names, or those of the short ones.
  static func candidates(_ names: [String]) -> [Int] {
    let plain = names.map { Self.plain($0).name }
    let first = names.indices.filter { usual.contains(plain[$0]) }
    return first.isEmpty ? names.indices.filter { short.contains(plain[$0]) } : first
  }

  /// The unit that a name says.
  static func unit(in name: String) -> TraceFormat.Unit? { plain(name).unit }

  /// A name without its unit and without what is no letter or digit, in lower case.
  static func plain(_ name: String) -> (name: String, unit: TraceFormat.Unit?) {
    let name = name.lowercased()
    var words = name.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    var unit: TraceFormat.Unit?
    if let title = ColumnTitle.unit(name) {
      // A unit in parentheses that is none of time, `time (UTC)`, is part of nothing.
      unit = units[title.filter { $0.isLetter || $0.isNumber }]
      words = ColumnTitle.withoutUnit(name).split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }
    if let last = words.last, words.count > 1, let said = units[last] {
      return (words.dropLast().joined(), unit ?? said)
    }
    let joined = words.joined()
    if usual.contains(joined) || short.contains(joined) {
      return (joined, unit ?? words.first.flatMap { units[$0] })
    }
    // `timeMs`: without anything between them.
    for suffix in ["ms", "us", "ns"] where joined.hasSuffix(suffix) && usual.contains(String(joined.dropLast(2))) {
      return (String(joined.dropLast(2)), unit ?? units[suffix])
    }
    return (joined, unit)
  }
}
