package import SluiceReadings

/// The form of a sensor's lines, as users write it: `as=csv,time=utc`, `match=T(?<temp>\d+)`; empty to detect all.
package struct LineForm: Hashable, Sendable {
  /// A grammar; the raw value is its name after `as=`.
  package enum Kind: String, CaseIterable, Sendable {
    /// Cells with commas, semicolons or tabs between them, with or without a row of names.
    case csv
    /// `name:value name:value`, as Arduino's plotter takes it.
    case pairs
    /// `name=value name=value`.
    case assignments
    /// A JSON object per line.
    case json
    /// `measurement,tag=text field=value time`, as InfluxDB takes it.
    case influx
    /// The sentences of GPS receivers.
    case nmea
    /// Numbers, whatever is between them.
    case numbers
    /// The named groups of a regular expression.
    case match
  }

  /// The grammar; nil to detect it.
  package var kind: Kind?
  /// The name or the number of the cell with the time of a line; nil for the time of its receipt.
  package var time: String?
  /// The unit of that time; nil to detect it.
  package var timeUnit: TraceFormat.Unit?
  /// The names of the values, for lines without names.
  package var names: [String] = []
  /// The regular expression of ``Kind/match``.
  package var pattern: String?

  /// The settings as they were written.
  package private(set) var text = ""

  package init() {}

  /// Parses `as=csv,time=utc`, or with the grammar alone first: `csv,time=utc`.
  package init(text: String) throws(LineFault) {
    var settings = text.split(separator: ",", omittingEmptySubsequences: false)
    if let first = settings.first, Kind(rawValue: String(first)) != nil { settings[0] = "as=" + first }
    try self.init(settings)
    self.text = text
  }

  /// The settings, for help.
  package static let form = "[,as=GRAMMAR][,time=COLUMN[:UNIT]][,names=A+B+...][,match=REGEX]"

  /// Whether `name=value` is one of the settings.
  package static let settings = ["as", "time", "names", "match"]

  /// Parses settings.
  /// - Parameter settings: `as=csv`, `time=utc`, ... The last one may be `match=`, which takes the rest of the text.
  /// - Throws: The fault in words: `as takes csv, ...`.
  package init(_ settings: [Substring]) throws(LineFault) {
    text = settings.joined(separator: ",")
    var settings = settings[...]
    while let setting = settings.popFirst() {
      let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let (name, value) = (parts[0], parts.count > 1 ? String(parts[1]) : "")
      guard !value.isEmpty else { throw LineFault("\(name) has no value") }
      switch name {
      case "as":
        guard let kind = Kind(rawValue: value) else {
          throw LineFault("as takes \(Kind.allCases.map(\.rawValue).joined(separator: ", ")), not \"\(value)\"")
        }
        self.kind = kind
      case "time":
        time = value
        if let colon = value.lastIndex(of: ":"),
          let unit = TraceFormat.Unit(rawValue: String(value[colon...].dropFirst()))
        {
          (time, timeUnit) = (String(value[..<colon]), unit)
        }
      case "names":
        names = value.split(separator: "+", omittingEmptySubsequences: false).map(String.init)
        if names.contains("") || Set(names).count < names.count {
          throw LineFault("names takes different names: A+B+C")
        }
      case "match":
        // A comma of the expression has split it.
        pattern = ([value[...]] + settings).joined(separator: ",")
        settings = []
      default: throw LineFault("there is no setting \(name)")
      }
    }
    if pattern != nil, let kind, kind != .match {
      throw LineFault("match is a grammar of its own: leave out as=\(kind)")
    }
    if let pattern {
      _ = try MatchFields(pattern)
      kind = .match
    }
    if kind == .match, pattern == nil { throw LineFault("as=match needs an expression: match=REGEX") }
    if let kind, !names.isEmpty, ![.csv, .numbers].contains(kind) {
      throw LineFault("names is for lines without names: those of csv and numbers")
    }
    if kind == .nmea, let time, time != "utc" { throw LineFault("the time of NMEA sentences is called utc: time=utc") }
  }
}
