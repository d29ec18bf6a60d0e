import SluiceReadings

/// The numbers in messages of CDR: which channels they become.
///
/// Numbers, arrays of a fixed length and nested messages become channels. Texts, and arrays whose length is in the message, are
/// passed over.
struct CDRReader {
  indirect enum Step {
    case number(ROS2Definition.Primitive, channel: Int)
    /// Numbers that become no channel.
    case skip(ROS2Definition.Primitive, count: Int)
    case text(isWide: Bool)
    /// So many times the same steps; nil if the message says the number.
    case several(Int?, [Step])
  }

  private(set) var steps: [Step] = []
  /// The names of the channels.
  private(set) var names: [String] = []
  /// The fields that become no channel, with the reason.
  private(set) var leftOut: [String] = []
  private var tooMany = 0
  /// The fields that may still be planned: those of an array of messages count for each of its elements.
  private var left = CDRReader.most

  /// The largest number of fields, with those of the elements of arrays. Arrays in arrays would have 64 times as many with
  /// each level.
  private static let most = 20_000

  init(_ definition: ROS2Definition) throws(ROS2Definition.Fault) {
    steps = definition.fields.flatMap { plan($0, path: $0.name) }
    guard left > 0 else {
      throw ROS2Definition.Fault(text: "with the elements of its arrays, it has more than \(grouped(Self.most)) fields")
    }
    if tooMany > 0 { leftOut.append("\(grouped(tooMany)) numbers beyond \(Values.capacity) channels") }
  }

  private mutating func plan(_ field: ROS2Definition.Field, path: String) -> [Step] {
    left -= 1
    guard left > 0 else { return [] }
    switch (field.kind, field.count) {
    case (.primitive(let primitive), .any):
      leftOut.append("\(path) (its length is not fixed)")
      return [.several(nil, [Self.passing(primitive, 1)])]
    case (.primitive(let primitive), let count):
      guard primitive.size != nil else {
        leftOut.append("\(path) (a text)")
        guard case .fixed(let number) = count else { return [Self.passing(primitive, 1)] }
        return [.several(number, [Self.passing(primitive, 1)])]
      }
      guard case .fixed(let number) = count else { return [channel(primitive, path)] }
      let room = min(number, max(0, Values.capacity - names.count))
      tooMany += number - room
      var steps = (0..<room).map { channel(primitive, "\(path)[\($0)]") }
      if number > room { steps.append(Self.passing(primitive, number - room)) }
      return steps
    case (.nested(let fields), .one): return fields.flatMap { plan($0, path: "\(path).\($0.name)") }
    case (.nested(let fields), .any):
      leftOut.append("\(path) (its length is not fixed)")
      return [.several(nil, fields.flatMap(Self.passing))]
    case (.nested(let fields), .fixed(let number)):
      guard names.count < Values.capacity, number <= Values.capacity else {
        tooMany += number
        return [.several(number, fields.flatMap(Self.passing))]
      }
      return (0..<number).flatMap { index in
        left <= 0 ? [] : fields.flatMap { plan($0, path: "\(path)[\(index)].\($0.name)") }
      }
    }
  }

  private mutating func channel(_ primitive: ROS2Definition.Primitive, _ name: String) -> Step {
    guard names.count < Values.capacity else {
      tooMany += 1
      return Self.passing(primitive, 1)
    }
    names.append(name)
    return .number(primitive, channel: names.count - 1)
  }

  private static func passing(_ primitive: ROS2Definition.Primitive, _ count: Int) -> Step {
    primitive.size == nil ? .text(isWide: primitive == .wstring) : .skip(primitive, count: count)
  }

  private static func passing(_ field: ROS2Definition.Field) -> [Step] {
    let steps: [Step]
    switch field.kind {
    case .primitive(let primitive): steps = [passing(primitive, 1)]
    case .nested(let fields): steps = fields.flatMap(passing)
    }
    switch field.count {
    case .one: return steps
    case .fixed(let count): return [.several(count, steps)]
    case .any: return [.several(nil, steps)]
    }
  }

  // MARK: Messages

  /// The values of a message.
  /// - Parameter losses: Gets what of the numbers is lost.
  /// - Returns: Nil if the message is too short, or has another form of CDR.
  func values(_ data: UnsafeRawBufferPointer, _ losses: inout NumberLosses) -> Values? {
    guard data.count >= 4, data[0] == 0 else { return nil }
    var reading: CDRCursor
    switch data[1] {
    case 0, 1: reading = CDRCursor(data, isLittle: data[1] == 1, mostAligned: 8)
    case 6, 7: reading = CDRCursor(data, isLittle: data[1] == 7, mostAligned: 4)
    default: return nil
    }
    var values = Values()
    for _ in names { values.append(.missing) }
    guard Self.run(steps, &reading, &values) else { return nil }
    losses = losses + reading.losses
    return values
  }

  private static func run(_ steps: [Step], _ cursor: inout CDRCursor, _ values: inout Values) -> Bool {
    for step in steps {
      switch step {
      case .number(let primitive, let channel):
        guard let value = cursor.number(primitive) else { return false }
        values[channel] = value
      case .skip(let primitive, let count):
        guard cursor.skip(primitive.size ?? 1, count) else { return false }
      case .text(let isWide):
        guard let length = cursor.length(), cursor.skip(isWide ? 2 : 1, length) else { return false }
      case .several(let count, let steps):
        guard let count = count ?? cursor.length() else { return false }
        // Of elements without a byte there may be any number.
        if case .skip(let primitive, let inner)? = steps.first, steps.count == 1 {
          let (all, overflow) = count.multipliedReportingOverflow(by: inner)
          guard !overflow, cursor.skip(primitive.size ?? 1, all) else { return false }
          continue
        }
        for _ in 0..<count {
          let before = cursor.offset
          guard run(steps, &cursor, &values) else { return false }
          if cursor.offset == before { break }
        }
      }
    }
    return true
  }
}

/// Moves through a message of CDR.
struct CDRCursor {
  private let data: UnsafeRawBufferPointer
  private let isLittle: Bool
  private let mostAligned: Int
  private(set) var offset = 4
  /// What was lost of the numbers up to here.
  private(set) var losses = NumberLosses()

  init(_ data: UnsafeRawBufferPointer, isLittle: Bool, mostAligned: Int) {
    (self.data, self.isLittle, self.mostAligned) = (data, isLittle, mostAligned)
  }

  /// Numbers stand at multiples of their size, counted from behind the head.
  private mutating func align(_ size: Int) {
    let unit = min(size, mostAligned)
    offset = 4 + (offset - 4 + unit - 1) / unit * unit
  }

  mutating func skip(_ size: Int, _ count: Int) -> Bool {
    guard count > 0 else { return true }
    align(size)
    let (bytes, overflow) = size.multipliedReportingOverflow(by: count)
    guard !overflow, offset <= data.count, bytes <= data.count - offset else { return false }
    offset += bytes
    return true
  }

  private mutating func bits<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
    let size = MemoryLayout<Number>.size
    align(size)
    guard offset <= data.count, data.count - offset >= size else { return nil }
    defer { offset += size }
    let number = data.loadUnaligned(fromByteOffset: offset, as: Number.self)
    return isLittle ? Number(littleEndian: number) : Number(bigEndian: number)
  }

  /// The number of elements, or of the bytes of a text.
  mutating func length() -> Int? { bits(UInt32.self).map { Int(clamping: $0) } }

  /// A missing value for what is no number.
  mutating func number(_ primitive: ROS2Definition.Primitive) -> ExactDecimal? {
    switch primitive {
    case .bool, .byte, .char, .uint8: return bits(UInt8.self).map { ExactDecimal(significand: Int64($0)) }
    case .int8: return bits(Int8.self).map { ExactDecimal(significand: Int64($0)) }
    case .int16: return bits(Int16.self).map { ExactDecimal(significand: Int64($0)) }
    case .uint16: return bits(UInt16.self).map { ExactDecimal(significand: Int64($0)) }
    case .int32: return bits(Int32.self).map { ExactDecimal(significand: Int64($0)) }
    case .uint32: return bits(UInt32.self).map { ExactDecimal(significand: Int64($0)) }
    case .int64: return bits(Int64.self).map { ExactDecimal(significand: $0) }
    case .uint64:
      return bits(UInt64.self).map { number in
        guard let small = Int64(exactly: number) else {
          losses.isRounded = true
          // The nearest number of 18 digits and a power of ten.
          return ExactDecimal(significand: Int64(number / 10 + (number % 10 >= 5 ? 1 : 0)), exponent: 1)
        }
        return ExactDecimal(significand: small)
      }
    case .float32:
      return bits(UInt32.self).map { bits in
        let real = Float(bitPattern: bits)
        guard real.isFinite, var value = ExactDecimal(real.description) else {
          if !real.isNaN { losses.unheld += 1 }
          return .missing
        }
        while value.exponent < 0, value.significand % 10 == 0 {
          (value.significand, value.exponent) = (value.significand / 10, value.exponent + 1)
        }
        return value
      }
    case .float64:
      return bits(UInt64.self).map { bits in
        let real = Double(bitPattern: bits)
        if let value = ExactDecimal(real, decimals: 0) { return value }
        if !real.isNaN { losses.unheld += 1 }
        return .missing
      }
    case .string, .wstring: return .missing
    }
  }
}
