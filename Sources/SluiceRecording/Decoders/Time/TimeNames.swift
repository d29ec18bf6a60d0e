import SluiceReadings

/// The usual names of time columns, and the units in these names.
enum TimeNames {
  /// The usual names, reduced to letters and digits in lower case. So they also match `Time (s)`, `t_us` and
  /// `timestamp_ns`.
  private static let usual: Set<String> = Set(english + others.flatMap(\.times))
  private static let english = [
    "time", "timestamp", "datetime", "dateandtime", "secondselapsed", "elapsed", "elapsedtime", "timeelapsed", "uptime",
    "epoch", "epochtime", "unixtime", "unixtimestamp", "utctime", "timeutc", "utctimestamp", "timestamputc",
    "localtime", "gpstime", "systime", "systemtime",
    "seconds", "millis", "milliseconds", "micros", "microseconds", "nanos", "nanoseconds",
  ]
  /// The names in other languages: of times, and of dates alone. Letters with and without their accents.
  private static let others: [(language: String, times: [String], dates: [String])] = [
    (
      "German",
      [
        "zeit", "zeitstempel", "uhrzeit", "datumzeit", "datumuhrzeit", "messzeit", "zeitpunkt", "sekunden",
        "zeitinsekunden",
      ],
      ["datum", "tag"]
    ),
    ("French", ["temps", "heure", "horodatage", "horodate", "dateheure", "dateetheure", "secondes"], ["jour"]),
    (
      "Spanish",
      ["tiempo", "hora", "fechahora", "fechayhora", "marcadetiempo", "segundos"], ["fecha", "dia", "d\u{ed}a"]
    ),
    ("Italian", ["tempo", "ora", "dataora", "dataeora", "orario", "marcatemporale", "secondi"], ["data", "giorno"]),
  ]
  private static let dates: Set<String> = Set(["date"] + others.flatMap(\.dates))

  /// Whether a column with this name may have the date of another column with times of day.
  static func isDate(_ name: String) -> Bool { dates.contains(plain(name).name) }

  /// Names that may have other meanings: `t` may be a temperature. They are used only if no usual name is found. A
  /// column of this name in another language is the time only if it has dates, which ``TimeColumn`` checks.
  private static let short: Set<String> = [
    "t", "ts", "date", "utc", "unix", "sec", "secs", "ms", "us", "ns", "datum", "fecha",
  ]

  private static let units: [String: TraceFormat.Unit] = [
    "s": .seconds, "sec": .seconds, "secs": .seconds, "second": .seconds, "seconds": .seconds,
    "ms": .milliseconds, "msec": .milliseconds, "millis": .milliseconds, "millisecond": .milliseconds,
    "milliseconds": .milliseconds,
    // The micro sign, and the Greek letter.
    "us": .microseconds, "\u{b5}s": .microseconds, "\u{3bc}s": .microseconds, "usec": .microseconds,
    "micros": .microseconds, "microsecond": .microseconds, "microseconds": .microseconds,
    "ns": .nanoseconds, "nsec": .nanoseconds, "nanos": .nanoseconds, "nanosecond": .nanoseconds,
    "nanoseconds": .nanoseconds,
    "iso": .iso8601, "iso8601": .iso8601,
  ]

  /// Units of times that are not read.
  private static let longUnits: Set<String> = [
    "min", "mins", "minute", "minutes", "minuten", "h", "hr", "hrs", "hour", "hours", "stunde", "stunden", "std",
    "heures", "d", "day", "days", "tage", "jours",
  ]

  /// The unit in the name of a time column, if the unit is longer than a second: `Time (min)`, `uptime_h`.
  static func longUnit(in name: String) -> String? {
    let words = ColumnTitle.withoutUnit(name).lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    if let unit = ColumnTitle.unit(name)?.lowercased() {
      return longUnits.contains(unit) && (usual.contains(words.joined()) || short.contains(words.joined())) ? unit : nil
    }
    guard words.count > 1, let last = words.last, longUnits.contains(last), usual.contains(words.dropLast().joined())
    else { return nil }
    return last
  }

  /// Whether a column of this name has the year of a date whose other parts are beside it.
  static func isYear(_ name: String) -> Bool {
    ["year", "yyyy", "yy", "jahr", "annee", "a\u{f1}o"].contains(plain(name).name)
  }

  /// Whether numbers in a column of this name are days that a program has counted from a date of its own.
  static func isDayNumber(_ name: String) -> Bool {
    let plain = plain(name).name
    return ["julian", "datenum", "mjd"].contains { plain.hasPrefix($0) }
  }

  /// Whether a name may have another meaning than a time.
  static func isShort(_ name: String) -> Bool { short.contains(plain(name).name) }

  static func isUsual(_ name: String) -> Bool { usual.contains(plain(name).name) || short.contains(plain(name).name) }

  /// The columns that may be the time: those with a usual name, or else those with a short name.
  static func candidates(_ names: [String]) -> [Int] {
    let plain = names.map { Self.plain($0).name }
    let all = names.indices.filter { usual.contains(plain[$0]) }
    // A time in seconds beside the same one in hours.
    let read = all.filter { longUnit(in: names[$0]) == nil }
    let first = read.isEmpty ? all : read
    if !first.isEmpty { return first }
    return names.indices.filter { short.contains(plain[$0]) && !isMeasured(names[$0]) }
  }

  /// Whether a title has a unit of something else than a time: `T (°C)`.
  private static func isMeasured(_ name: String) -> Bool {
    ColumnTitle.unit(name).map { TableUnits.isUnit($0) && !TableUnits.isOfTime($0) } ?? false
  }

  /// The unit in a name.
  static func unit(in name: String) -> TraceFormat.Unit? { plain(name).unit }

  /// The letters and digits of a name without its unit, in lower case.
  static func plain(_ name: String) -> (name: String, unit: TraceFormat.Unit?) {
    let name = name.lowercased()
    var words = name.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    var unit: TraceFormat.Unit?
    if let title = ColumnTitle.unit(name) {
      // Text in parentheses that is not a unit of time, as in `time (UTC)`, is ignored.
      unit = units[title.filter { $0.isLetter || $0.isNumber }]
      words = ColumnTitle.withoutUnit(name).split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }
    if let last = words.last, words.count > 1, let said = units[last] {
      return (words.dropLast().joined(), unit ?? said)
    }
    if longUnit(in: name) != nil, ColumnTitle.unit(name) == nil { return (words.dropLast().joined(), nil) }
    let joined = words.joined()
    if usual.contains(joined) || short.contains(joined) {
      return (joined, unit ?? words.first.flatMap { units[$0] })
    }
    // As in `timeMs`, with nothing between the name and the unit.
    for suffix in ["ms", "us", "ns"] where joined.hasSuffix(suffix) && usual.contains(String(joined.dropLast(2))) {
      return (String(joined.dropLast(2)), unit ?? units[suffix])
    }
    return (joined, unit)
  }
}
