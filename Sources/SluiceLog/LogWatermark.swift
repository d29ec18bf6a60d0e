/// Which readings of a log are safe in the output, and how long the output was then. ``SegmentLog`` writes it.
package struct LogWatermark: Equatable, Sendable {
  /// Counts the writes, so that the later of two slots is known.
  package var number: UInt64 = 0
  /// The sequence number of the first reading that is not safe in the output.
  package var next: UInt64
  /// Whether the output may already have readings from ``next`` on, which the next run gives to it again. If the output is
  /// the file with this inode, they are behind ``length``.
  package var isDraining = false
  /// The device and the inode of the output; 0 for none.
  package var device: UInt64 = 0
  package var inode: UInt64 = 0
  /// If the output is a part, the last 15 bits of the number of this part; otherwise 0. The inode is not enough,
  /// because a new file may get the inode of a file that was removed.
  package var part: UInt16 = 0
  /// The identity of the run that wrote it; 0 if it is not known.
  package var run: UInt64 = 0
  /// The length of the output with all readings before ``next``, in bytes.
  package var length: UInt64 = 0

  package init(next: UInt64) { self.next = next }

  static let size = 64
  /// `SluiceWm`
  private static let magic: UInt64 = 0x6d57_6563_6975_6c53

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    func add(_ number: some FixedWidthInteger) { withUnsafeBytes(of: number.littleEndian) { bytes += $0 } }
    for number in [Self.magic, self.number, next, device, inode, length, run] { add(number) }
    // The version, whether it is draining, and the part.
    add(UInt16(1))
    add(part << 1 | (isDraining ? 1 : 0))
    add(CRC32C.of(bytes))
    return bytes
  }

  /// - Returns: Nil if the bytes are no watermark.
  init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.size else { return nil }
    func number<Number: FixedWidthInteger>(_ offset: Int, _ type: Number.Type) -> Number {
      bytes.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: type)) }
    }
    guard number(0, UInt64.self) == Self.magic, number(56, UInt16.self) == 1,
      number(60, UInt32.self) == CRC32C.of(bytes[..<60]), number(16, UInt64.self) <= SegmentLog.mostReadings
    else { return nil }
    next = number(16, UInt64.self)
    isDraining = number(58, UInt16.self) & 1 != 0
    part = number(58, UInt16.self) >> 1
    run = number(48, UInt64.self)
    (self.number, device) = (number(8, UInt64.self), number(24, UInt64.self))
    (inode, length) = (number(32, UInt64.self), number(40, UInt64.self))
  }
}
