import SluiceReadings

/// Makes random streams and readings.
struct RandomTrace {
  var random: Randomness

  /// Names that a program may get wrong: those of its own columns and members, formulas of spreadsheets, characters that
  /// separate or quote, pairs that only look the same, and names that differ in case.
  static let names = [
    "imu", "METER", "a b", "quo\"te", "com,ma", "\u{e9}", "e\u{301}", "=SUM(A1)", "+x", "-y", "@z", "_@z", "time_ns",
    "time",
    "time_s", "stream", "value", "values", "channel", "flags", "level", "x.y", "a.b.c", "x", "y", " leading",
    "trailing ",
    "tab\tname", "new\nline", "\u{65e5}\u{672c}", "#c", "back\\slash\\", "nan", "NULL", "0", "1e5",
    "line\u{2028}separator",
    "%41", "a/b", "..", "id", "rowid", "sqlite_x", "sluice_streams", "Imu", "IMU", "\u{1f600}", "zero\u{200b}width",
    "'", "`;", "$x",
    "[0]", "x (m/s^2)", "temp", "temp_2", "=", "a=b", "\u{3a9}", "\u{2126}", "K", "\u{212a}", "\u{feff}bom", "\r", "{}",
    String(repeating: "long ", count: 20),
  ]

  /// Names that every place takes.
  static let plainNames = ["imu", "METER", "walk", "door", "x", "y", "z", "temp", "hum", "level", "A", "B", "wind"]

  private static let units = ["m/s^2", "mV", "degC", "%RH", "", "\u{b5}T", "l", "a,b", "x\"y", "(m)"]

  /// The limits of a random trace.
  struct Limits {
    /// Whether names may be of any kind.
    var hasOddNames = true
    /// Whether a description stands beside the rows: units, lines, scales, streams without a reading.
    var isDescribed = true
    var hasFlags = true
    var streams = 1...4
  }

  mutating func trace(_ limits: Limits) -> Trace {
    let names = distinct(random.number(limits.streams), limits)
    let isScaled = random.chance(50)
    let streams = names.map { stream($0, limits, isScaled: isScaled) }
    var trace = Trace(streams: streams)
    trace.readings = readings(of: streams, limits)
    return trace
  }

  /// Names of which no two have the same bytes.
  private mutating func distinct(_ count: Int, _ limits: Limits) -> [String] {
    var names: [String] = []
    let isOdd = limits.hasOddNames && random.chance(60)
    while names.count < count {
      let name = isOdd && random.chance(60) ? random.pick(Self.names) : random.pick(Self.plainNames)
      if !names.contains(where: { $0.utf8.elementsEqual(name.utf8) }) { names.append(name) }
    }
    return names
  }

  private mutating func stream(_ name: String, _ limits: Limits, isScaled: Bool) -> StreamDescription {
    let isLine = random.chance(30)
    let count = isLine ? 1 : random.chance(2) ? 64 : random.number(1...(random.chance(20) ? 12 : 4))
    var names = count <= 12 ? distinct(count, limits) : (0..<count).map { "c\($0)" }
    if isLine, random.chance(70) { names = [StreamDescription.Channel.level] }
    var stream = StreamDescription(name: name, channels: names.map { StreamDescription.Channel(name: $0) })
    guard limits.isDescribed else { return stream }
    stream.isScaled = isScaled
    if random.chance(30) {
      stream.device = StreamDescription.Device(path: "/dev/iio:device\(random.number(0...1))", bus: "1-0048")
    }
    for index in stream.channels.indices {
      if isLine, random.chance(80) {
        stream.channels[index].format = StreamDescription.Channel.level
        continue
      }
      if random.chance(50) { stream.channels[index].unit = random.pick(Self.units.filter { !$0.isEmpty }) }
      if random.chance(40) {
        stream.channels[index].format = "le:s12/16>>4"
        stream.channels[index].scale = ExactDecimal(
          significand: random.number(1...99_999), exponent: random.number(-9...0))
        if random.chance(50) {
          stream.channels[index].offset = ExactDecimal(significand: random.number(-999...999), exponent: -1)
        }
      }
    }
    return stream
  }

  // MARK: Readings

  private mutating func readings(of streams: [StreamDescription], _ limits: Limits) -> [Reading] {
    let count =
      random.chance(4)
      ? 0 : random.chance(1) ? random.number(600...3_000) : random.number(1...(random.chance(15) ? 200 : 25))
    // A sensor may be silent.
    var speaking = streams.indices.filter { _ in streams.count == 1 || random.chance(85) }
    if speaking.isEmpty { speaking = [0] }
    let kinds = streams.map { stream in
      stream.channels.map { valueKind($0, isScaled: stream.isScaled || !limits.isDescribed) }
    }
    var clock = RandomClock(&random)
    return (0..<count).map { _ in
      let stream = random.pick(speaking)
      var values = Values()
      for kind in kinds[stream] { values.append(value(kind)) }
      return Reading(
        time: clock.next(&random), stream: StreamID(UInt16(stream)), values: values,
        flags: limits.hasFlags && random.chance(8) ? flags() : [])
    }
  }

  private mutating func flags() -> Reading.Flags {
    var flags: Reading.Flags = []
    // A level that is not certain follows a gap.
    let all: [Reading.Flags] = [
      .gapBefore, [.gapBefore, .uncertainLevel], .initialLevel, .late, .uncertainTime, .possibleDuplicate,
    ]
    for flag in all where random.chance(40) { flags.insert(flag) }
    return flags
  }

  private struct ValueKind {
    var isLevel = false
    /// The greatest significand.
    var greatest: Int64 = 0
    var exponents: ClosedRange<Int8> = 0...0
    var missing = 0
  }

  private mutating func valueKind(_ channel: StreamDescription.Channel, isScaled: Bool) -> ValueKind {
    let missing = random.pick([0, 0, 0, 10, 50, 100])
    if channel.format == StreamDescription.Channel.level || random.chance(10) {
      return ValueKind(isLevel: true, missing: missing / 2)
    }
    // With a scale, the product has to have no more digits than can be compared.
    let isPlain = isScaled || channel.scale == .one
    let digits = random.number(1...(isPlain ? 18 : 12))
    let greatest = (0..<digits).reduce(Int64(1)) { power, _ in power * 10 } - 1
    let exponent = Int8(random.number(0...(!isPlain ? 6 : random.chance(5) ? 60 : 18)))
    return ValueKind(
      greatest: isPlain && random.chance(10) ? .max : greatest,
      exponents: (random.chance(50) ? -exponent : -exponent)...(random.chance(50) ? 0 : -exponent), missing: missing)
  }

  private mutating func value(_ kind: ValueKind) -> ExactDecimal {
    if random.chance(kind.missing) { return .missing }
    if kind.isLevel {
      return ExactDecimal(significand: random.chance(2) ? random.number(-2...9) : random.number(0...1))
    }
    if random.chance(3) {
      return ExactDecimal(
        significand: random.pick([kind.greatest, -kind.greatest]), exponent: kind.exponents.upperBound)
    }
    return ExactDecimal(
      significand: random.number(-kind.greatest...kind.greatest), exponent: random.number(kind.exponents))
  }
}

/// The times of random readings: dense or sparse, equal, going back, and near the ends of 64 bits.
private struct RandomClock {
  private var time: Int64
  private let step: Int64
  private let equal, back: Int

  init(_ random: inout Randomness) {
    let now: Int64 = 1_795_272_907_506_849_878
    step = random.pick([1, 1_000, 1_000_000, 10_000_000, 1_000_000_000, 86_400_000_000_000, 31_000_000_000_000_000])
    time = random.pick([
      now, now, now, 0, -5 * step, .min, .max - 30 * min(step, .max / 60), -3_000_000_000_000_000_000,
    ])
    equal = random.pick([0, 0, 20, 90])
    back = random.pick([0, 0, 0, 5, 40])
  }

  mutating func next(_ random: inout Randomness) -> Int64 {
    let length = random.chance(equal) ? 0 : random.number(0...2 * step)
    let (sum, isOver) = time.addingReportingOverflow(random.chance(back) ? -length : length)
    if !isOver { time = sum }
    return time
  }
}
