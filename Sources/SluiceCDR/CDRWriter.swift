/// Writes values in the Common Data Representation of the OMG (CDR, version 1, little endian), as ROS 2 does.
///
/// Each number begins at a multiple of its size, counted from behind the four bytes of the header.
///
/// ```swift
/// var writer = CDRWriter()
/// writer.append(Int32(1))
/// writer.append(2.5)
/// writer.bytes  // 00 01 00 00  01 00 00 00  00 00 00 00  00 00 00 00 00 00 04 40
/// ```
package struct CDRWriter {
  /// The bytes so far, with the header.
  package private(set) var bytes: [UInt8] = [0, 1, 0, 0]

  package init() {}

  private mutating func align(to size: Int) {
    while (bytes.count - 4) % size != 0 { bytes.append(0) }
  }

  package mutating func append<Number: FixedWidthInteger>(_ number: Number) {
    align(to: MemoryLayout<Number>.size)
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  package mutating func append(_ number: Double) { append(number.bitPattern) }

  /// Appends a string: its length with the zero at its end, its bytes, and the zero.
  package mutating func append(_ text: String) {
    append(UInt32(truncatingIfNeeded: text.utf8.count + 1))
    bytes.append(contentsOf: text.utf8)
    bytes.append(0)
  }
}
