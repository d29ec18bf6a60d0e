import SluiceReadings

/// The member of foreign JSON objects that has the time. If it has only the time of day, a second member has the date.
struct JSONObjectTime {
  let name: String
  let date: String?
  private let parser: TimeParser

  /// - Parameters:
  ///   - object: The first object. It shows what the user has not set.
  ///   - warn: Called with messages about the time column and the times.
  init(
    _ object: UnsafeBufferPointer<UInt8>, _ format: TraceFormat, of name: String, warn: @escaping (String) -> Void
  ) throws(SluiceError) {
    let members = JSONObjectMembers(object)
    let column = try TimeColumn(members.names, format, sample: [members.texts], of: name, .member)
    self.name = members.names[column.index]
    date = column.date.map { members.names[$0] }
    column.notice.map(warn)
    parser = TimeParser(column.unit, of: name, reading: try TimeReading(format))
    parser.begin(warn)
  }

  /// - Parameters:
  ///   - time: The text without quotes; nil if the object has none.
  ///   - date: The text of the second member, also without quotes.
  func time(
    _ time: UnsafeBufferPointer<UInt8>?, date: UnsafeBufferPointer<UInt8>?, _ lines: TraceLines
  ) throws(SluiceError) -> Int64 {
    guard let time else { throw lines.malformed("it has no member \(TimeColumn.shown(name))") }
    do throws(TimeParser.Fault) {
      guard let dateName = self.date else { return try parser.time(time) }
      guard let date else { throw TimeParser.Fault(cause: "it has no member \(TimeColumn.shown(dateName))") }
      let day = try parser.part(.date, date)
      let (sum, overflow) = day.addingReportingOverflow(try parser.part(.timeOfDay, time))
      if overflow { throw TimeParser.Fault(cause: "\(shown(date)) does not fit in 64 bits of nanoseconds") }
      return try parser.joined(sum)
    } catch {
      throw lines.malformed(error.cause, remedy: error.remedy)
    }
  }
}
