import SluiceReadings

/// The sentences of a GPS receiver (NMEA 0183): GGA gives the position, and RMC the movement and the time.
///
/// Numbers are as in the sentence, but degrees with minutes become degrees, rounded to a billionth (0.1 mm). Sentences of
/// other types are no readings.
struct NMEALines: LineGrammar {
  let streams: [StreamDescription]
  var hasChecksums: Bool { true }
  private let hasOwnTime: Bool
  /// The midnight of the last date, for sentences that have only the time of day.
  private var midnight: Int64?

  private static let position = 0, movement = 1

  /// - Parameter stream: The name before `:position` and `:movement`.
  init(stream: String, hasOwnTime: Bool) {
    func channel(_ name: String, _ unit: String? = nil) -> StreamDescription.Channel { .init(name: name, unit: unit) }
    self.hasOwnTime = hasOwnTime
    streams = [
      StreamDescription(
        name: "\(stream):position",
        channels: [
          channel("latitude", "deg"), channel("longitude", "deg"), channel("altitude", "m"), channel("quality"),
          channel("satellites"), channel("hdop"),
        ]),
      StreamDescription(
        name: "\(stream):movement",
        channels: [
          channel("latitude", "deg"), channel("longitude", "deg"), channel("speed", "kn"), channel("course", "deg"),
          channel("utc", "s"),
        ]),
    ]
  }

  /// Whether a line looks like a sentence: `$GPGGA,`.
  static func isOne(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    guard line.count > 6, line[0] == UInt8(ascii: "$"), let comma = line.firstIndex(of: UInt8(ascii: ",")) else {
      return false
    }
    return (4...8).contains(comma) && line[1..<comma].allSatisfy { (0x41...0x5a).contains($0) || $0 &- 0x30 < 10 }
  }

  mutating func parse(_ line: UnsafeBufferPointer<UInt8>, into reading: inout Reading) -> LineOutcome {
    let text = ExactDecimal.trim(line)
    if text.isEmpty { return .nothing }
    guard text[0] == UInt8(ascii: "$") || text[0] == UInt8(ascii: "!") else {
      return .fault(LineFault("it is not a sentence: it does not begin with $"))
    }
    let star = text.lastIndex(of: UInt8(ascii: "*")) ?? text.count
    let sentence = text.part(1..<star)
    if let fault = Self.fault(sentence, text.part(min(star + 1, text.count)..<text.count)) { return .fault(fault) }
    let cells = sentence.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map {
      UnsafeBufferPointer(rebasing: $0)
    }
    // Two letters for the talker, and three for the type; a P begins the types of one maker.
    guard let type = cells.first, type.count >= 5, type[0] != UInt8(ascii: "P") else { return .nothing }
    let kind = String(decoding: type.suffix(3), as: UTF8.self)
    switch (kind, cells.count) {
    case ("GGA", 10...): return parseGGA(cells, into: &reading)
    case ("RMC", 10...): return parseRMC(cells, into: &reading)
    case ("ZDA", 5...): return parseZDA(cells)
    case ("GGA", _), ("RMC", _): return .fault(LineFault("the sentence has too few cells"))
    default: return .nothing
    }
  }

  private static func fault(
    _ sentence: UnsafeBufferPointer<UInt8>, _ sum: UnsafeBufferPointer<UInt8>
  ) -> LineFault? {
    // A sentence ends with the checksum; few receivers leave it out, and a torn sentence has none either.
    guard sum.count == 2, let said = UInt8(String(decoding: sum, as: UTF8.self), radix: 16) else {
      return LineFault("it has no checksum", isChecksum: true)
    }
    let real = sentence.reduce(0, ^)
    return real == said ? nil : LineFault("its checksum is wrong", isChecksum: true)
  }

  private mutating func parseGGA(
    _ cells: [UnsafeBufferPointer<UInt8>], into reading: inout Reading
  ) -> LineOutcome {
    guard let day = Self.timeOfDay(cells[1]), let quality = Self.number(cells[6]),
      let satellites = Self.number(cells[7]), let hdop = Self.number(cells[8]), let altitude = Self.number(cells[9]),
      let latitude = Self.degrees(cells[2], cells[3]), let longitude = Self.degrees(cells[4], cells[5])
    else { return .fault(LineFault("a cell of the sentence is not what it has to be")) }
    // A receiver without a fix has no position, and its quality is 0, which shows that.
    if hasOwnTime {
      // Without a time it has not seen a satellite yet.
      if day == nil, quality == .zero { return .nothing }
      guard var date = midnight, let day else { return .fault(LineFault("no sentence before it has said the date")) }
      // The date comes with RMC, perhaps after midnight has passed.
      if Self.isNextDay(day.nanoseconds, after: lastDay) { date += Self.day }
      (midnight, lastDay) = (date, day.nanoseconds)
      reading.time = date + day.nanoseconds
    }
    Self.fill(&reading, Self.position, [latitude, longitude, altitude, quality, satellites, hdop])
    return .reading
  }

  /// The time of the day of the last sentence that had one.
  private var lastDay: Int64 = 0

  private static let day: Int64 = 86_400_000_000_000

  /// Whether midnight has passed between two times of the day.
  private static func isNextDay(_ time: Int64, after last: Int64) -> Bool { time < last - day / 2 }

  private mutating func parseRMC(
    _ cells: [UnsafeBufferPointer<UInt8>], into reading: inout Reading
  ) -> LineOutcome {
    guard let day = Self.timeOfDay(cells[1]), let speed = Self.number(cells[7]), let course = Self.number(cells[8]),
      let latitude = Self.degrees(cells[3], cells[4]), let longitude = Self.degrees(cells[5], cells[6]),
      let date = Self.date(cells[9])
    else { return .fault(LineFault("a cell of the sentence is not what it has to be")) }
    if let date, let day {
      midnight = date
      lastDay = day.nanoseconds
    }
    // V is a warning: there is no fix, and a position would be an old one.
    let hasFix = cells[2].elementsEqual("A".utf8)
    var utc = ExactDecimal.missing
    if let date, let day {
      let seconds = date / 1_000_000_000
      utc = Self.sum(seconds, day.text)
      if hasOwnTime { reading.time = date + day.nanoseconds }
    } else if hasOwnTime {
      return .nothing
    }
    let movement = [latitude, longitude, speed, course].map { hasFix ? $0 : .missing }
    Self.fill(&reading, Self.movement, movement + [utc])
    return .reading
  }

  /// Date and time alone, which say the date for positions.
  private mutating func parseZDA(_ cells: [UnsafeBufferPointer<UInt8>]) -> LineOutcome {
    let parts = cells[2...4].map { String(decoding: $0, as: UTF8.self) }
    guard parts[0].count == 2, parts[1].count == 2, parts[2].count == 4, let day = Self.timeOfDay(cells[1]) ?? nil
    else {
      return .nothing
    }
    let text = Array("\(parts[2])-\(parts[1])-\(parts[0])".utf8)
    guard let date = text.withUnsafeBufferPointer({ try? CivilTime(date: $0).nanoseconds }) else { return .nothing }
    (midnight, lastDay) = (date, day.nanoseconds)
    return .nothing
  }

  /// Finds the date of positions before the first sentence with a date.
  /// - Parameter lines: The first of them.
  mutating func findDate(in lines: [[UInt8]]) {
    var (finder, reading) = (NMEALines(stream: "", hasOwnTime: false), Reading.empty)
    var (first, last) = (Int64?.none, Int64(0))
    // The midnights between the first time and the date.
    var days: Int64 = 0
    for line in lines {
      let time = line.withSlack { (text) -> Int64? in
        if case .fault = finder.parse(text, into: &reading) { return nil }
        return Self.timeOfDay(in: text)
      }
      if let time {
        if first == nil { first = time } else if Self.isNextDay(time, after: last) { days += 1 }
        last = time
      }
      guard let date = finder.midnight else { continue }
      (midnight, lastDay) = (date - days * Self.day, first ?? 0)
      return
    }
  }

  /// The time of a sentence that begins with one; other types have other numbers there.
  private static func timeOfDay(in line: UnsafeBufferPointer<UInt8>) -> Int64? {
    let cells = line.split(separator: UInt8(ascii: ","), maxSplits: 2, omittingEmptySubsequences: false)
    guard cells.count > 1, ["GGA", "RMC", "ZDA"].contains(String(decoding: cells[0].suffix(3), as: UTF8.self)),
      let time = Self.timeOfDay(UnsafeBufferPointer(rebasing: cells[1])) ?? nil
    else { return nil }
    return time.nanoseconds
  }

  private static func fill(_ reading: inout Reading, _ stream: Int, _ values: [ExactDecimal]) {
    reading.stream = StreamID(UInt16(stream))
    reading.values = Values(values)
  }

  // MARK: Cells

  /// A number, or a missing value for an empty cell.
  private static func number(_ cell: UnsafeBufferPointer<UInt8>) -> ExactDecimal? {
    cell.isEmpty ? .missing : ExactDecimal(utf8: cell)
  }

  /// `5132.6071` and `N`: degrees and minutes.
  private static func degrees(
    _ cell: UnsafeBufferPointer<UInt8>, _ side: UnsafeBufferPointer<UInt8>
  ) -> ExactDecimal? {
    if cell.isEmpty { return .missing }
    guard let number = ExactDecimal(utf8: cell), number.significand >= 0, (-9...0).contains(number.exponent),
      side.count == 1, let letter = side.first, "NSEW".utf8.contains(letter)
    else { return nil }
    var unit: Int64 = 1
    for _ in 0..<(-number.exponent) { unit *= 10 }
    let (whole, rest) = number.significand.quotientAndRemainder(dividingBy: unit * 100)
    guard whole <= 180, rest < 60 * unit else { return nil }
    // Billionths of a degree, rounded: a minute has 1/60 of them.
    let minutes = Double(rest) / Double(unit)
    let billionths = whole * 1_000_000_000 + Int64((minutes * 1_000_000_000 / 60).rounded())
    return ExactDecimal(significand: "SW".utf8.contains(letter) ? -billionths : billionths, exponent: -9)
  }

  /// `123519.25`; nil if it is not a time of the day, `.some(nil)` if it is empty.
  private static func timeOfDay(
    _ cell: UnsafeBufferPointer<UInt8>
  ) -> (nanoseconds: Int64, text: ExactDecimal)?? {
    if cell.isEmpty { return .some(nil) }
    guard let number = ExactDecimal(utf8: cell), number.significand >= 0, (-9...0).contains(number.exponent) else {
      return nil
    }
    var unit: Int64 = 1
    for _ in 0..<(-number.exponent) { unit *= 10 }
    let (whole, fraction) = number.significand.quotientAndRemainder(dividingBy: unit)
    let (hours, minutes, seconds) = (whole / 10_000, whole / 100 % 100, whole % 100)
    guard hours < 24, minutes < 60, seconds <= 60 else { return nil }
    let all = hours * 3_600 + minutes * 60 + seconds
    return .some(
      (
        all * 1_000_000_000 + fraction * (1_000_000_000 / unit),
        ExactDecimal(significand: all * unit + fraction, exponent: number.exponent)
      ))
  }

  /// The midnight of `230394`; nil if it is not a date, `.some(nil)` if it is empty.
  private static func date(_ cell: UnsafeBufferPointer<UInt8>) -> Int64?? {
    if cell.isEmpty { return .some(nil) }
    guard cell.count == 6, let number = Int64(String(decoding: cell, as: UTF8.self)) else { return nil }
    let (day, month, year) = (number / 10_000, number / 100 % 100, number % 100)
    // The years of two digits begin with the first receivers.
    let text =
      "\(year < 80 ? 2_000 + year : 1_900 + year)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)"
    return Array(text.utf8).withUnsafeBufferPointer { try? CivilTime(date: $0).nanoseconds }.map { .some($0) }
  }

  private static func sum(_ seconds: Int64, _ day: ExactDecimal) -> ExactDecimal {
    var unit: Int64 = 1
    for _ in 0..<(-day.exponent) { unit *= 10 }
    return ExactDecimal(significand: seconds * unit + day.significand, exponent: day.exponent)
  }
}
