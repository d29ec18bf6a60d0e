import SluiceReadings

/// The contents of a trace, to be compared: names by their bytes, values as numbers in their unit.
///
/// For `String ==`, names with different bytes may be equal.
struct Contents: Equatable {
  struct Channel: Equatable {
    var name: [UInt8]
    var unit: [UInt8]?
    var isLevel: Bool
  }

  struct Stream: Equatable {
    var name: [UInt8]
    var channels: [Channel]
  }

  struct Row: Equatable {
    var time: Int64
    /// Its index among the streams.
    var stream: Int
    /// Nil for a missing value.
    var values: [Number?]
    var flags: Reading.Flags
  }

  var streams: [Stream] = []
  var rows: [Row] = []

  /// A stream without channels is one that a stage has left out: no file has it.
  /// - Parameter isRaw: Whether values are as the device gave them, and not in their unit.
  init(_ trace: Trace, isRaw: Bool = false) {
    var places: [Int] = []
    for stream in trace.streams {
      places.append(stream.channels.isEmpty ? -1 : streams.count)
      guard !stream.channels.isEmpty else { continue }
      let channels = stream.channels.map { channel in
        Channel(
          name: Array(channel.name.utf8), unit: channel.unit.map { Array($0.utf8) },
          isLevel: channel.format == StreamDescription.Channel.level)
      }
      streams.append(Stream(name: Array(stream.name.utf8), channels: channels))
    }
    rows = trace.readings.compactMap { reading in
      let stream = Int(reading.stream.index)
      guard places[stream] >= 0 else { return nil }
      let description = trace.streams[stream]
      let values = description.channels.enumerated().map { index, channel in
        index < reading.values.count
          ? Number(reading.values[index], of: channel, isScaled: isRaw || description.isScaled) : nil
      }
      return Row(time: reading.time, stream: places[stream], values: values, flags: reading.flags)
    }
  }

  mutating func removeFlags() {
    for index in rows.indices { rows[index].flags = [] }
  }

  mutating func removeSilentStreams() {
    let speaking = streams.indices.filter { stream in rows.contains { $0.stream == stream } }
    streams = speaking.map { streams[$0] }
    for index in rows.indices { rows[index].stream = speaking.firstIndex(of: rows[index].stream) ?? 0 }
  }

  /// The same with the streams in the order of their names, and the rows of each stream together: what is left if a
  /// format does not say in which order the readings of different streams stand.
  var byStream: Contents {
    var sorted = self
    let order = streams.indices.sorted { streams[$0].name.lexicographicallyPrecedes(streams[$1].name) }
    sorted.streams = order.map { streams[$0] }
    sorted.rows = order.enumerated().flatMap { place, stream in
      rows.filter { $0.stream == stream }.map { row in
        var row = row
        row.stream = place
        return row
      }
    }
    return sorted
  }
}

/// A decimal number without zeros at its end, so that equal numbers are the same.
struct Number: Equatable {
  private(set) var significand: Int128
  private(set) var exponent: Int

  init(_ significand: Int128, _ exponent: Int) {
    (self.significand, self.exponent) = (significand, significand == 0 ? 0 : exponent)
    while self.significand != 0, self.significand % 10 == 0 {
      self.significand /= 10
      self.exponent += 1
    }
  }

  /// `(value + offset) * scale`, as docs/Metadata.md has it; nil for a missing value.
  init?(_ value: ExactDecimal, of channel: StreamDescription.Channel, isScaled: Bool) {
    guard !value.isMissing else { return nil }
    self.init(Int128(value.significand), Int(value.exponent))
    guard !isScaled else { return }
    let offset = Number(Int128(channel.offset.significand), Int(channel.offset.exponent))
    let lowest = min(exponent, offset.exponent)
    let sum = digits(from: lowest) + offset.digits(from: lowest)
    self.init(sum * Int128(channel.scale.significand), lowest + Int(channel.scale.exponent))
  }

  /// The number in units of a power of ten that is not greater than its own.
  private func digits(from power: Int) -> Int128 {
    (0..<(significand == 0 ? 0 : exponent - power)).reduce(significand) { digits, _ in digits * 10 }
  }

  /// Rounded to this number of decimals; a half away from zero.
  func rounded(toDecimals decimals: Int) -> Number {
    guard -exponent > decimals else { return self }
    var (whole, dropped) = (significand.magnitude, UInt128(0))
    for _ in 0..<(-exponent - decimals) { (whole, dropped) = (whole / 10, whole % 10) }
    // The last digit that was dropped is the first behind the rest.
    if dropped >= 5 { whole += 1 }
    return Number(significand < 0 ? -Int128(whole) : Int128(whole), -decimals)
  }

  /// The nearest number whose digits fit in 64 bits.
  var nearestOf64Bits: Number {
    var (whole, dropped, power) = (significand.magnitude, UInt128(0), exponent)
    while whole + (dropped >= 5 ? 1 : 0) > UInt128(Int64.max) {
      (whole, dropped, power) = (whole / 10, whole % 10, power + 1)
    }
    if dropped >= 5 { whole += 1 }
    return Number(significand < 0 ? -Int128(whole) : Int128(whole), power)
  }

  var text: String { "\(significand)e\(exponent)" }
}
