import SluiceReadings

/// The samples of the analog channels of a session. Each sample has a value of every channel.
final class SigrokAnalog {
  /// Bytes of a value: a little-endian float.
  static let unit = 4

  /// One channel, and its block.
  private struct Channel {
    let bytes: SigrokBytes
    var block = UnsafeRawBufferPointer(start: nil, count: 0)
    var offset = 0
    /// The bytes of a value that begins in one block and ends in the next.
    var bits: UInt32 = 0
    var gathered = 0

    /// The next value; nil at the end.
    mutating func next() throws(ArchiveFault) -> UInt32? {
      if gathered == 0, block.count - offset >= unit {
        defer { offset += unit }
        return UInt32(littleEndian: block.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
      }
      while gathered < unit {
        if offset == block.count {
          let next = try bytes.block()
          (block, offset) = (next ?? UnsafeRawBufferPointer(start: nil, count: 0), 0)
          if next == nil { return nil }
          continue
        }
        bits |= UInt32(block[offset]) << UInt32(8 * gathered)
        offset += 1
        gathered += 1
      }
      defer { (bits, gathered) = (0, 0) }
      return bits
    }
  }

  private let stream: StreamID
  private var channels: [Channel]
  private var values: [UInt32]
  private var hasValues = false
  /// Thrown again by each call, because the channels are no longer at the same sample.
  private var fault: ArchiveFault?
  /// The number of the next sample.
  private(set) var sample: UInt64 = 0

  init(_ channels: [SigrokBytes], stream: StreamID) {
    self.stream = stream
    self.channels = channels.map { Channel(bytes: $0) }
    values = Array(repeating: 0, count: channels.count)
  }

  /// Reads the next sample of each channel.
  /// - Returns: Whether there is one.
  /// - Throws: The fault at ``sample``, at each call.
  func find() throws(ArchiveFault) -> Bool {
    if hasValues { return true }
    if let fault { throw fault }
    do throws(ArchiveFault) { return try readValues() } catch {
      fault = error
      throw error
    }
  }

  private func readValues() throws(ArchiveFault) -> Bool {
    for index in channels.indices {
      guard let value = try channels[index].next() else {
        if index == 0 {
          for other in channels.indices.dropFirst() where try channels[other].next() != nil {
            throw uneven(ended: 0, other)
          }
          return false
        }
        throw uneven(ended: index, 0)
      }
      values[index] = value
    }
    hasValues = true
    return true
  }

  private func uneven(ended: Int, _ other: Int) -> ArchiveFault {
    ArchiveFault(
      text: "\(channels[ended].bytes.name) ends after \(sample) sample\(sample == 1 ? "" : "s"), "
        + "but \(channels[other].bytes.name) has more")
  }

  func read(_ time: Int64, into reading: inout Reading) {
    reading.time = time
    reading.stream = stream
    reading.flags = []
    reading.values.removeAll()
    for value in values { reading.values.append(ExactDecimal(shortest: Float(bitPattern: value))) }
    hasValues = false
    sample += 1
  }
}

extension ExactDecimal {
  /// The shortest decimal that gives this number. NaN and infinity are missing values.
  init(shortest number: Float) {
    self = .missing
    guard number.isFinite else { return }
    // "-1.5", "2.0", "1e-10", "3.4028235e+38"
    var (significand, exponent, digitsBehindPoint) = (0 as Int64, 0, 0)
    var (isBehindPoint, isExponent, isNegative, hasNegativeExponent) = (false, false, false, false)
    for byte in number.description.utf8 {
      switch byte {
      case UInt8(ascii: "-"): if isExponent { hasNegativeExponent = true } else { isNegative = true }
      case UInt8(ascii: "."): isBehindPoint = true
      case UInt8(ascii: "e"): isExponent = true
      case 0x30..<0x3a where isExponent: exponent = exponent &* 10 &+ Int(byte &- 0x30)
      case 0x30..<0x3a:
        significand = significand &* 10 &+ Int64(byte &- 0x30)
        if isBehindPoint { digitsBehindPoint += 1 }
      default: break
      }
    }
    if digitsBehindPoint == 1, significand % 10 == 0 { (significand, digitsBehindPoint) = (significand / 10, 0) }
    exponent = (hasNegativeExponent ? -exponent : exponent) - digitsBehindPoint
    self.init(significand: isNegative ? -significand : significand, exponent: Int8(clamping: exponent))
  }
}
