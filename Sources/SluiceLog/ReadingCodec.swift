package import SluiceReadings

/// Encodes runs of readings as bytes. Nothing is rounded, and the bytes are several times fewer than those of a CSV.
///
/// ```swift
/// var encoder = ReadingEncoder()
/// encoder.append(readings)
/// let bytes = encoder.take()
/// let same = try ReadingDecoder.readings(bytes)
/// ```
///
/// Each run can be decoded alone. A reading is written as its differences from the reading before it of the same stream:
///
/// 1. a byte that says which of the next three follow,
/// 2. the number of the stream, if it is not that of the last reading,
/// 3. the flags,
/// 4. the number of values, and their exponents,
/// 5. the time, less the time that was expected because most sensors are regular,
/// 6. the significands, less those before.
///
/// Differences are LEB128 numbers with the sign in the lowest bit (zigzag).
package struct ReadingEncoder {
  /// The version of the encoding: the first byte of a run.
  static let version: UInt8 = 1

  /// What differs, in the first byte of a reading.
  enum Mark {
    static let stream: UInt8 = 1
    static let flags: UInt8 = 2
    static let shape: UInt8 = 4
    static let all: UInt8 = stream | flags | shape
  }

  /// The most bytes of a difference.
  static let longestNumber = 10

  /// The bytes so far, and room for more.
  private var bytes: [UInt8] = []
  /// The bytes so far, without those of the head.
  package private(set) var byteCount = 0
  /// The number of readings so far.
  package private(set) var count = 0
  private var streams = StreamHistory()

  package init() {}

  package var isEmpty: Bool { count == 0 }

  /// The most bytes of a reading with this number of values.
  package static func mostBytes(values: Int) -> Int {
    1 + 3 + 1 + 1 + longestNumber + values * (1 + longestNumber)
  }

  package mutating func append(_ readings: some Sequence<Reading>) {
    // A loop over any sequence copies each reading twice, through its witness table.
    let isDone: Void? = readings.withContiguousStorageIfAvailable { for reading in $0 { append(reading) } }
    if isDone == nil { for reading in readings { append(reading) } }
  }

  package mutating func append(_ reading: Reading) {
    let isOther = streams.select(reading.stream.index)
    let most = Self.mostBytes(values: reading.values.count)
    if bytes.count - byteCount < most { bytes += [UInt8](repeating: 0, count: max(most, bytes.count)) }
    byteCount = bytes.withUnsafeMutableBytes { bytes in
      // An append of single bytes to an array takes three times as long.
      var end = EncodedEnd(bytes, byteCount)
      streams.withCurrent { last in
        let values = reading.values
        let hasShape = last.reading.values.hasExponents(of: values)
        var mark: UInt8 = 0
        if isOther { mark |= Mark.stream }
        if last.reading.flags != reading.flags { mark |= Mark.flags }
        if !hasShape { mark |= Mark.shape }
        end.add(byte: mark)
        if isOther { end.add(UInt64(reading.stream.index)) }
        if mark & Mark.flags != 0 { end.add(byte: reading.flags.rawValue) }
        if !hasShape {
          end.add(byte: UInt8(truncatingIfNeeded: values.count))
          for value in values { end.add(byte: UInt8(bitPattern: value.exponent)) }
        }
        let step = reading.time &- last.reading.time
        end.add(Self.folded(step &- last.step))
        for index in values.indices {
          let before = index < last.reading.values.count ? last.reading.values[index].significand : 0
          end.add(Self.folded(values[index].significand &- before))
        }
        last.follow(reading)
      }
      return end.place
    }
    count += 1
  }

  /// Returns the run, and begins another.
  package mutating func take() -> [UInt8] {
    let run = [UInt8](unsafeUninitializedCapacity: 1 + Self.longestNumber + byteCount) { run, length in
      var end = EncodedEnd(UnsafeMutableRawBufferPointer(run), 0)
      end.add(byte: Self.version)
      end.add(UInt64(count))
      bytes.withUnsafeBytes { end.add($0[..<byteCount]) }
      length = end.place
    }
    (byteCount, count, streams) = (0, 0, StreamHistory())
    return run
  }

  /// A small difference of either sign is a small number: 0, -1, 1, -2 are 0, 1, 2, 3.
  @inline(__always) static func folded(_ difference: Int64) -> UInt64 {
    UInt64(bitPattern: difference &<< 1 ^ difference &>> 63)
  }

  @inline(__always) static func unfolded(_ number: UInt64) -> Int64 {
    Int64(bitPattern: number &>> 1) ^ -Int64(bitPattern: number & 1)
  }
}

/// Where the next byte goes, in memory that has room for it.
struct EncodedEnd {
  private let bytes: UnsafeMutableRawBufferPointer
  private(set) var place: Int

  @inline(__always) init(_ bytes: UnsafeMutableRawBufferPointer, _ place: Int) {
    (self.bytes, self.place) = (bytes, place)
  }

  @inline(__always) mutating func add(byte: UInt8) {
    bytes[place] = byte
    place &+= 1
  }

  /// A LEB128 number.
  @inline(__always) mutating func add(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      add(byte: UInt8(truncatingIfNeeded: rest) | 0x80)
      rest &>>= 7
    }
    add(byte: UInt8(truncatingIfNeeded: rest))
  }

  mutating func add(_ other: Slice<UnsafeRawBufferPointer>) {
    UnsafeMutableRawBufferPointer(rebasing: bytes[place...]).copyBytes(from: other)
    place += other.count
  }
}

/// The last reading of each stream in a run, which the next one of the stream is compared with.
struct StreamHistory {
  struct Last {
    var reading = Reading(time: 0, stream: StreamID(0), values: Values())
    /// The time between the last two readings, which is expected again.
    var step: Int64 = 0
    private var isFirst = true

    init() {}

    mutating func follow(_ reading: Reading) {
      // The first time of a run is a difference from 0, and no step.
      step = isFirst ? 0 : reading.time &- self.reading.time
      isFirst = false
      self.reading = reading
    }
  }

  private var all: [Last] = []
  /// By stream, its place in `all`, from 1; 0 for none.
  private var places: [UInt16] = []
  private var current: UInt16?
  private var place = 0

  init() {}

  /// Makes a stream the current one.
  /// - Returns: Whether another was the current one.
  mutating func select(_ stream: UInt16) -> Bool {
    guard current != stream else { return false }
    current = stream
    while places.count <= Int(stream) { places.append(0) }
    place = Int(places[Int(stream)]) - 1
    if place < 0 {
      // The place of the 65,536th stream does not fit, so its history begins anew each time.
      place = all.count
      if place < Int(UInt16.max) { places[Int(stream)] = UInt16(place + 1) }
      all.append(Last())
    }
    return true
  }

  var stream: UInt16? { current }

  mutating func withCurrent<Value, Failure: Error>(_ body: (inout Last) throws(Failure) -> Value) throws(Failure)
    -> Value
  {
    try body(&all[place])
  }
}

/// Decodes the runs of ``ReadingEncoder``. Any other bytes are refused.
package enum ReadingDecoder {
  /// Why bytes are no run.
  package enum Fault: Error, Equatable {
    /// The version that it has.
    case version(UInt8)
    case ended
    case count
    case mark
    case stream
    case values
    case number
    /// Bytes behind the last reading.
    case rest
  }

  package static func readings(_ bytes: [UInt8]) throws(Fault) -> [Reading] { try readings(bytes[...]) }

  package static func readings(_ bytes: ArraySlice<UInt8>) throws(Fault) -> [Reading] {
    var rest = bytes
    guard let version = rest.popFirst() else { throw .ended }
    guard version == ReadingEncoder.version else { throw .version(version) }
    let count = try number(&rest)
    // A reading has at least two bytes. So a false count takes no memory.
    guard count <= UInt64(rest.count / 2) else { throw .count }
    var readings: [Reading] = []
    readings.reserveCapacity(Int(count))
    var streams = StreamHistory()
    for _ in 0..<count { readings.append(try reading(&rest, &streams)) }
    guard rest.isEmpty else { throw .rest }
    return readings
  }

  private static func reading(
    _ rest: inout ArraySlice<UInt8>, _ streams: inout StreamHistory
  ) throws(Fault) -> Reading {
    guard let mark = rest.popFirst() else { throw .ended }
    guard mark & ~ReadingEncoder.Mark.all == 0 else { throw .mark }
    if mark & ReadingEncoder.Mark.stream != 0 {
      guard let stream = UInt16(exactly: try number(&rest)), streams.select(stream) else { throw .stream }
    }
    guard let stream = streams.stream else { throw .stream }
    return try streams.withCurrent { last throws(Fault) in
      var reading = last.reading
      reading.stream = StreamID(stream)
      if mark & ReadingEncoder.Mark.flags != 0 {
        guard let flags = rest.popFirst() else { throw .ended }
        reading.flags = Reading.Flags(rawValue: flags)
      }
      if mark & ReadingEncoder.Mark.shape != 0 {
        guard let count = rest.popFirst() else { throw .ended }
        guard Int(count) <= Values.capacity else { throw .values }
        var values = Values()
        for index in 0..<Int(count) {
          guard let exponent = rest.popFirst() else { throw .ended }
          let before = index < last.reading.values.count ? last.reading.values[index].significand : 0
          values.append(ExactDecimal(significand: before, exponent: Int8(bitPattern: exponent)))
        }
        reading.values = values
      }
      reading.time = last.reading.time &+ last.step &+ ReadingEncoder.unfolded(try number(&rest))
      for index in reading.values.indices {
        let before = reading.values[index]
        reading.values[index] = ExactDecimal(
          significand: before.significand &+ ReadingEncoder.unfolded(try number(&rest)), exponent: before.exponent)
      }
      last.follow(reading)
      return reading
    }
  }

  @inline(__always) private static func number(_ rest: inout ArraySlice<UInt8>) throws(Fault) -> UInt64 {
    var (number, shift) = (UInt64(0), UInt64(0))
    while let byte = rest.popFirst() {
      // The tenth byte has one bit.
      guard shift < 63 || byte <= 1 else { throw .number }
      number |= UInt64(byte & 0x7f) &<< shift
      if byte < 0x80 { return number }
      shift += 7
      guard shift <= 63 else { throw .number }
    }
    throw .ended
  }
}
