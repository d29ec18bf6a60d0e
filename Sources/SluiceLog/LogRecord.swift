/// A record of a segment: a head, a payload, and the head again behind it.
///
/// All numbers are little endian. Both heads say the same, and each has its own checksum. So damage to one head costs nothing,
/// and a damaged length does not hide the records behind it. Damage to the payload costs the readings of this record; a head
/// still says how many they are.
///
/// | bytes | |
/// |---|---|
/// | 0 | ``front`` or ``back`` |
/// | 4 | the kind |
/// | 5 | the version, 1 |
/// | 6 | 0 |
/// | 8 | the bytes of the payload |
/// | 12 | the number of readings |
/// | 16 | the sequence number of the first reading |
/// | 24 | the checksum of the payload (CRC-32C) |
/// | 28 | the checksum of the 28 bytes before it |
struct LogRecord: Equatable {
  enum Kind: UInt8 {
    /// A run of ``ReadingEncoder``.
    case readings = 1
    /// A description of the streams, in the form of the log's owner. It is the first record of each segment.
    case streams = 2
    /// A run of readings, and before it the ``ReadingOrdinals``.
    case numberedReadings = 3
    /// The random number of the run that has appended the readings of the segment. It stands behind the description.
    case run = 4

    var hasReadings: Bool { self == .readings || self == .numberedReadings }
  }

  static let headSize = 32
  /// `SlgF`, `SlgB`
  static let front: UInt32 = 0x4667_6c53
  static let back: UInt32 = 0x4267_6c53
  static let version: UInt8 = 1
  /// The largest payload, in bytes. A head with a larger number is damaged.
  static let longest = 1 << 22

  var kind: Kind
  var payloadCount: Int
  /// The number of readings.
  var count: Int
  /// The sequence number of the first of them, or of the next one.
  var first: UInt64
  var check: UInt32

  /// The bytes with both heads.
  var size: Int { 2 * Self.headSize + payloadCount }
  /// The sequence number behind the last reading.
  var end: UInt64 { first &+ UInt64(count) }

  init(_ kind: Kind, first: UInt64, count: Int, payload: [UInt8]) {
    (self.kind, self.first, self.count) = (kind, first, count)
    (payloadCount, check) = (payload.count, CRC32C.of(payload))
  }

  /// Decodes a head.
  /// - Returns: Nil if the bytes are no head.
  init?(_ bytes: some RandomAccessCollection<UInt8>, _ magic: UInt32) {
    guard bytes.count == Self.headSize else { return nil }
    let bytes = Array(bytes)
    func number<Number: FixedWidthInteger>(_ offset: Int, _ type: Number.Type) -> Number {
      bytes.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: type)) }
    }
    guard number(0, UInt32.self) == magic, number(28, UInt32.self) == CRC32C.of(bytes[..<28]),
      let kind = Kind(rawValue: bytes[4]), bytes[5] == Self.version
    else { return nil }
    self.kind = kind
    payloadCount = Int(number(8, UInt32.self))
    count = Int(number(12, UInt32.self))
    first = number(16, UInt64.self)
    check = number(24, UInt32.self)
    guard payloadCount <= Self.longest, UInt64.max - first >= UInt64(count) else { return nil }
  }

  static func payload(ofRun run: UInt64) -> [UInt8] { withUnsafeBytes(of: run.littleEndian) { Array($0) } }

  /// - Returns: Nil if it is no payload of ``Kind/run``.
  static func run(_ payload: [UInt8]) -> UInt64? {
    guard payload.count == MemoryLayout<UInt64>.size else { return nil }
    return payload.withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)) }
  }

  func head(_ magic: UInt32) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.headSize)
    func add(_ number: some FixedWidthInteger) { withUnsafeBytes(of: number.littleEndian) { bytes += $0 } }
    add(magic)
    bytes += [kind.rawValue, Self.version, 0, 0]
    add(UInt32(truncatingIfNeeded: payloadCount))
    add(UInt32(truncatingIfNeeded: count))
    add(first)
    add(check)
    add(CRC32C.of(bytes))
    return bytes
  }

  /// The record as it stands in a segment.
  static func bytes(_ kind: Kind, first: UInt64, count: Int, payload: [UInt8]) -> [UInt8] {
    let record = LogRecord(kind, first: first, count: count, payload: payload)
    var bytes = record.head(front)
    bytes.reserveCapacity(record.size)
    bytes += payload
    bytes += record.head(back)
    return bytes
  }
}
