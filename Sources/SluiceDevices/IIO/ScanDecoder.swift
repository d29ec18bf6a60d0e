package import SluiceReadings

/// Decodes the values of scans. The layout is compiled once into the steps for each value.
package struct ScanDecoder {
  /// One element of a scan.
  struct Field {
    /// The offset from the start of the scan, in bytes.
    let offset: Int
    private let storageBits: Int
    private let isBigEndian: Bool
    private let isSigned: Bool
    private let unusedAbove: Int64
    private let unused: Int64

    init(_ format: ScanFormat, offset: Int) {
      self.offset = offset
      (storageBits, isBigEndian, isSigned) = (format.storageBits, format.isBigEndian, format.isSigned)
      unused = 64 - Int64(format.bits)
      unusedAbove = unused - Int64(format.shift)
    }

    /// The value; nil if it is beyond 2^63.
    /// - Precondition: The element lies within the scan.
    @inline(__always) func value(_ scan: UnsafeRawBufferPointer) -> Int64? {
      let word =
        switch storageBits {
        case 8: UInt64(scan.loadUnaligned(fromByteOffset: offset, as: UInt8.self))
        case 16: UInt64(load(scan, UInt16.self))
        case 32: UInt64(load(scan, UInt32.self))
        default: load(scan, UInt64.self)
        }
      // Shifts the bits of the value to the top, and down again with or without the sign.
      let raised = word &<< UInt64(truncatingIfNeeded: unusedAbove)
      if isSigned { return Int64(bitPattern: raised) &>> unused }
      let value = Int64(bitPattern: raised &>> UInt64(truncatingIfNeeded: unused))
      return value < 0 ? nil : value
    }

    @inline(__always) private func load<Word: FixedWidthInteger & BitwiseCopyable>(
      _ scan: UnsafeRawBufferPointer, _: Word.Type
    ) -> Word {
      let word = scan.loadUnaligned(fromByteOffset: offset, as: Word.self)
      return isBigEndian ? Word(bigEndian: word) : Word(littleEndian: word)
    }
  }

  /// The bytes of one scan.
  package let size: Int
  private let fields: [Field]
  private let timestamp: Field?

  /// Compiles a layout. A channel with repetition gives one value per element. Values that do not fit in a reading are
  /// left out.
  package init(_ layout: ScanLayout) {
    size = layout.size
    let elements = layout.channels.flatMap { channel in
      (0..<channel.format.repeats).map {
        Field(channel.format, offset: channel.offset + $0 * channel.format.elementBytes)
      }
    }
    fields = Array(elements.prefix(Values.capacity))
    timestamp = layout.timestamp.map { Field($0.format, offset: $0.offset) }
  }

  /// Appends a reading for each whole scan in these bytes.
  ///
  /// Values are written directly into the array. Copying a reading would read memory right after it was written in
  /// parts, and the processor would stall. That took half of the time.
  /// - Parameter stamp: Sets the time of each reading. It gets the time of the scan; nil if the scan has none.
  @inline(__always) package func decode(
    _ bytes: UnsafeRawBufferPointer, of stream: StreamID, into batch: inout [Reading],
    _ stamp: (inout Reading, _ time: Int64?) -> Void
  ) {
    guard size > 0 else { return }
    let first = batch.count
    // A loop, because appending a collection copies each element through its witness table, with a hundred
    // instructions.
    for _ in 0..<bytes.count / size { batch.append(Reading(time: 0, stream: stream, values: Values())) }
    fields.withUnsafeBufferPointer { fields in
      batch.withUnsafeMutableBufferPointer { batch in
        var rest = bytes[...]
        for index in first..<batch.count {
          let scan = UnsafeRawBufferPointer(rebasing: rest.prefix(size))
          rest = rest.dropFirst(size)
          for field in fields {
            if let value = field.value(scan) {
              batch[index].values.append(value)
            } else {
              batch[index].values.append(.missing)
            }
          }
          stamp(&batch[index], timestamp?.value(scan))
        }
      }
    }
  }
}
