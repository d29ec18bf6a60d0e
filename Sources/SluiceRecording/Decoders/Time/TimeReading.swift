import SluiceReadings

/// What the user has said about the text of times: how it is written, its date and its zone.
struct TimeReading: Equatable, Sendable {
  var pattern: TimePattern?
  /// Midnight of the first row, if times have no date, in nanoseconds of UTC or of the zone.
  var date: Int64?
  var zone: ZoneFile?
  /// Whether times are durations, which may be longer than a day.
  var isElapsed = false

  init() {}

  /// - Throws: If an option cannot be understood.
  init(_ format: TraceFormat) throws(SluiceError) {
    if let text = format.timeFormat {
      do throws(TimePattern.Fault) { pattern = try TimePattern(text) } catch {
        throw SluiceError(
          .usage, "read times as", quoted(text), because: "it \(error.cause)",
          remedy: "give --time-format '%d.%m.%Y %H:%M:%S', for example")
      }
    }
    if let text = format.date {
      let day = Array(text.utf8).withUnsafeBufferPointer { try? CivilTime(date: $0) }
      guard let day else {
        throw SluiceError(
          .usage, "read the date", quoted(text), because: "it is not a date", remedy: "give --date 2024-03-14")
      }
      date = day.nanoseconds
    }
    if let name = format.timezone { zone = try ZoneFile(name) }
  }

  var isEmpty: Bool { self == TimeReading() }

  /// Refuses what has no effect on times that are numbers.
  func check(_ time: TimeColumn, of name: String) throws(SluiceError) {
    guard time.unit != .iso8601 else { return }
    let option = zone != nil ? "--timezone" : date != nil ? "--date" : pattern != nil ? "--time-format" : nil
    guard let option else { return }
    throw SluiceError(
      .usage, "read", name, because: "its times are numbers, on which \(option) has no effect",
      remedy: "leave it out, or give --time-unit iso or another --time-column")
  }
}
