/// A frame of a CAN bus, as SocketCAN and `candump` have it (include/uapi/linux/can.h).
package struct CANFrame: Equatable, Sendable {
  /// What a frame is.
  package enum Kind: Equatable, Sendable {
    case data
    /// A request for data, without a payload. Its length is that of the data.
    case remote
    /// A report of the controller, with ``CANFrame/id`` as its classes.
    case error
  }

  package var kind: Kind
  /// 11 bits, or 29 if it is extended.
  package var id: UInt32
  package var isExtended: Bool
  /// Whether it is a frame of CAN FD, which has up to 64 bytes.
  package var isFD = false
  /// The flags of CAN FD: bit 0 for a faster bit rate (BRS), bit 1 for a passive sender (ESI).
  package var flags: UInt8 = 0
  /// The number of bytes.
  package var length: Int
  package var payload = CANPayload()

  package static let extendedFlag: UInt32 = 0x8000_0000
  package static let remoteFlag: UInt32 = 0x4000_0000
  package static let errorFlag: UInt32 = 0x2000_0000
  package static let extendedMask: UInt32 = 0x1fff_ffff
  package static let standardMask: UInt32 = 0x7ff

  package init(kind: Kind = .data, id: UInt32, isExtended: Bool = false, length: Int = 0) {
    self.kind = kind
    self.id = id
    self.isExtended = isExtended
    self.length = length
  }

  /// Makes a frame from the kernel's identifier, whose upper three bits are flags.
  package init(kernelID: UInt32, length: Int) {
    let isError = kernelID & Self.errorFlag != 0
    let isExtended = kernelID & Self.extendedFlag != 0
    self.init(
      kind: isError ? .error : kernelID & Self.remoteFlag != 0 ? .remote : .data,
      id: kernelID & (isError || isExtended ? Self.extendedMask : Self.standardMask),
      isExtended: isExtended && !isError, length: length)
  }

  /// Whether the controller says that it has lost frames: CAN_ERR_CRTL with CAN_ERR_CRTL_RX_OVERFLOW
  /// (include/uapi/linux/can/error.h).
  package var isOverrun: Bool { kind == .error && id & 4 != 0 && payload[1] & 1 != 0 }

  /// The sizes of `struct can_frame` and `struct canfd_frame`.
  package static let (size, sizeFD) = (16, 72)

  /// Makes a frame from a structure of the kernel; nil if it has another size.
  package init?(kernel bytes: UnsafeRawBufferPointer) {
    guard bytes.count == Self.size || bytes.count == Self.sizeFD else { return nil }
    let isFD = bytes.count == Self.sizeFD
    self.init(
      kernelID: bytes.loadUnaligned(as: UInt32.self), length: min(Int(bytes[4]), isFD ? 64 : 8))
    self.isFD = isFD
    if isFD { flags = bytes[5] }
    if kind != .remote { payload.set(UnsafeRawBufferPointer(rebasing: bytes[8..<8 + length])) }
  }
}

/// Up to 64 bytes, with zeros after them.
package struct CANPayload: Equatable, Sendable {
  package static let capacity = 64

  // A tuple needs no memory of its own. Swift 6.0 compares tuples of at most six elements, so these are nested. One word
  // more than the payload lets a signal be read in two loads without a check.
  private typealias Words = (UInt64, UInt64, UInt64)
  private var words: (Words, Words, Words) = ((0, 0, 0), (0, 0, 0), (0, 0, 0))

  package init() {}

  package init(_ bytes: some Sequence<UInt8>) {
    withUnsafeMutableBytes(of: &words) { words in
      for (index, byte) in bytes.prefix(Self.capacity).enumerated() { words[index] = byte }
    }
  }

  package mutating func set(_ bytes: UnsafeRawBufferPointer) {
    withUnsafeMutableBytes(of: &words) { words in
      words.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.capacity)))
    }
  }

  package subscript(index: Int) -> UInt8 {
    get { withUnsafeBytes(of: words) { $0[index] } }
    set { withUnsafeMutableBytes(of: &words) { $0[index] = newValue } }
  }

  /// The bytes in the order of the bus.
  package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    withUnsafeBytes(of: words) { body($0) }
  }

  package static func == (a: CANPayload, b: CANPayload) -> Bool {
    a.withBytes { a in b.withBytes { a.elementsEqual($0) } }
  }

  package func hash(into hasher: inout Hasher) { withBytes { hasher.combine(bytes: $0) } }
}
