import SluiceReadings

/// The words of a row of units below a header.
enum TableUnits {
  private static let times: Set<String> = [
    "s", "sec", "secs", "second", "seconds", "ms", "msec", "millisecond", "milliseconds", "us", "\u{b5}s", "\u{3bc}s",
    "usec", "microseconds", "ns", "nsec", "nanoseconds", "sekunden", "sekunde",
  ]
  private static let others: Set<String> = [
    "v", "mv", "uv", "kv", "volt", "volts", "a", "ma", "ua", "amp", "amps", "ampere", "amperes", "w", "kw", "mw",
    "watt",
    "watts", "kwh", "wh", "hz", "khz", "mhz", "ohm", "ohms", "kohm", "\u{3a9}", "c", "\u{b0}c", "degc", "deg c", "f",
    "\u{b0}f", "degf", "k", "kelvin", "celsius", "%", "%rh", "rh", "rel%", "%rf", "pa", "hpa", "kpa", "mpa", "mbar",
    "bar",
    "psi", "g", "mg", "kg", "t", "n", "kn", "nm", "m", "mm", "um", "cm", "km", "m/s", "km/h", "m/s2", "m/s^2",
    "m/s\u{b2}", "rad", "rad/s", "deg", "\u{b0}", "deg/s", "\u{b0}/s", "dps", "ut", "\u{b5}t", "\u{3bc}t", "mt",
    "gauss", "lx",
    "lux", "ppm", "ppb", "ug/m3", "\u{b5}g/m\u{b3}", "l", "l/min", "l/h", "m3/h", "m\u{b3}/h", "rpm", "1/min", "db",
    "dbm", "dba", "ph", "us/cm", "\u{b5}s/cm", "counts", "count", "raw", "-", "n/a", "smp", "w/m2", "w/m\u{b2}", "avg",
    "min", "max",
    "yyyy-mm-dd hh:mm:ss", "ts", "rn",
  ]

  private static func plain(_ word: String) -> String {
    withoutBrackets(word).lowercased()
  }

  /// `V` of `(V)` or `[V]`.
  static func withoutBrackets(_ word: String) -> String {
    guard let first = word.first, let last = word.last, word.count > 2 else { return word }
    return "[(".contains(first) && "])".contains(last) ? String(word.dropFirst().dropLast()) : word
  }

  static func isOfTime(_ word: String) -> Bool { times.contains(plain(word)) }
  static func isUnit(_ word: String) -> Bool { isOfTime(word) || others.contains(plain(word)) }
}
