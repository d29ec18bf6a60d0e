import SluiceReadings
import SluiceSystem

/// The edges of the lines of a session.
///
/// Most samples have the same levels as the sample before. So samples are compared 64 bytes at a time, and only
/// differing samples are examined.
final class SigrokLines {
  // Swift would check exclusive access for each edge. The type is not Sendable, so only one thread at a time reads.

  private let bytes: SigrokBytes
  /// Bytes of a sample.
  private let unit: Int
  /// The bits of a sample that are lines, and the stream of each bit.
  private let mask: UnsafeMutablePointer<UInt8>
  private var streams: [UInt16]
  /// The mask for eight bytes that begin with a sample; all bits if eight bytes do not have whole samples.
  private var wordMask: UInt64 = 0

  @exclusivity(unchecked) private var block: UnsafePointer<UInt8>?
  @exclusivity(unchecked) private var end = 0  // of the block
  @exclusivity(unchecked) private var offset = 0  // of the next sample in the block
  /// The sample before the next one. Then a sample that differs, or the first bytes of a sample.
  @exclusivity(unchecked) private var previous: UnsafeMutablePointer<UInt8>
  @exclusivity(unchecked) private var current: UnsafeMutablePointer<UInt8>
  @exclusivity(unchecked) private var gathered = 0
  @exclusivity(unchecked) private var next: UInt64 = 0

  /// The number of the sample with the next edges.
  @exclusivity(unchecked) private(set) var sample: UInt64 = 0
  /// The next byte of this sample, and its bits that are edges.
  @exclusivity(unchecked) private var byte = 0
  @exclusivity(unchecked) private var changed: UInt8 = 0
  @exclusivity(unchecked) private var hasEdges = false

  /// - Parameter numbers: The numbers of the lines, from 1. Their streams are numbered from 0 in this order.
  init(_ bytes: SigrokBytes, unit: Int, numbers: [Int]) {
    self.bytes = bytes
    self.unit = unit
    mask = .allocate(capacity: unit)
    previous = .allocate(capacity: unit)
    current = .allocate(capacity: unit)
    mask.initialize(repeating: 0, count: unit)
    previous.initialize(repeating: 0, count: unit)
    current.initialize(repeating: 0, count: unit)
    streams = Array(repeating: 0, count: unit * 8)
    for (stream, number) in numbers.enumerated() where number <= unit * 8 {
      mask[(number - 1) / 8] |= 1 << UInt8((number - 1) % 8)
      streams[number - 1] = UInt16(truncatingIfNeeded: stream)
    }
    wordMask = 8 % unit == 0 ? (0..<8).reduce(0) { $0 | UInt64(mask[$1 % unit]) << UInt64($1 * 8) } : .max
  }

  deinit {
    mask.deallocate()
    previous.deallocate()
    current.deallocate()
  }

  /// Goes to the next sample with edges. The first sample gives the initial level of every line.
  /// - Returns: Whether there is one.
  /// - Throws: The fault at ``sample``.
  func find() throws(ArchiveFault) -> Bool {
    if hasEdges { return true }
    while true {
      guard let block, end - offset >= unit, gathered == 0 else {
        if try gather() { return true }
        if self.block == nil { return false }
        continue
      }
      // After the next sample, each sample is compared with the sample before it in the block.
      if next > 0, memcmp(block + offset, previous, unit) == 0 {
        skip(block)
      } else if take(block + offset) {
        offset += unit
        return true
      } else {
        offset += unit
      }
    }
  }

  /// Skips equal samples, up to a sample that differs.
  @inline(__always) private func skip(_ block: UnsafePointer<UInt8>) {
    let whole = offset + (end - offset) / unit * unit
    let start = UnsafeRawPointer(block)
    var position = offset + unit
    let (unit, mask) = (unit, wordMask)
    @inline(__always) func difference(_ position: Int) -> UInt64 {
      (start.loadUnaligned(fromByteOffset: position, as: UInt64.self)
        ^ start.loadUnaligned(fromByteOffset: position &- unit, as: UInt64.self)) & mask
    }
    while position &+ 64 <= whole {
      let a = difference(position) | difference(position &+ 8) | difference(position &+ 16)
      let b = difference(position &+ 24) | difference(position &+ 32) | difference(position &+ 40)
      if a | b | difference(position &+ 48) | difference(position &+ 56) != 0 { break }
      position &+= 64
    }
    while position &+ 8 <= whole, difference(position) == 0 { position &+= 8 }
    while position < whole, block[position] == block[position &- unit] { position &+= 1 }
    let count = (position - offset) / unit
    offset += count * unit
    next += UInt64(count)
    memcpy(previous, block + (offset - unit), unit)
  }

  /// Handles a sample that differs from the sample before.
  /// - Returns: Whether there are edges of lines in it.
  private func take(_ bytes: UnsafePointer<UInt8>) -> Bool {
    let isFirst = next == 0
    sample = next
    next += 1
    byte = 0
    while byte < unit {
      changed = (isFirst ? 0xff : bytes[byte] ^ previous[byte]) & mask[byte]
      if changed != 0 { break }
      byte += 1
    }
    hasEdges = byte < unit
    memmove(hasEdges ? current : previous, bytes, unit)
    return hasEdges
  }

  /// Takes a sample that begins in one block and ends in the next, or the next block.
  private func gather() throws(ArchiveFault) -> Bool {
    if let block, offset < end {
      let count = min(unit - gathered, end - offset)
      memcpy(current + gathered, block + offset, count)
      offset += count
      gathered += count
      guard gathered == unit else { return false }
      gathered = 0
      // The sample before it is not in this block.
      if next > 0, memcmp(current, previous, unit) == 0 {
        next += 1
        return false
      }
      return take(current)
    }
    sample = next
    let bytes = try bytes.block()
    block = bytes?.baseAddress?.assumingMemoryBound(to: UInt8.self)
    (offset, end) = (0, bytes?.count ?? 0)
    return false
  }

  /// Makes the readings of ``sample``, as many as fit.
  /// - Returns: Whether all of them did fit.
  func read(
    _ time: Int64, into target: UnsafeMutableBufferPointer<Reading>, _ count: inout Int
  ) -> Bool {
    let flags: Reading.Flags = sample == 0 ? .initialLevel : []
    while true {
      while changed != 0 {
        guard count < target.count else { return false }
        let bit = changed.trailingZeroBitCount
        target[count] = Reading(
          time: time, stream: StreamID(streams[byte * 8 + bit]), values: Values(Int64(current[byte] >> bit & 1)),
          flags: flags)
        count += 1
        changed &= changed - 1
      }
      byte += 1
      guard byte < unit else { break }
      changed = (sample == 0 ? 0xff : current[byte] ^ previous[byte]) & mask[byte]
    }
    swap(&previous, &current)
    hasEdges = false
    return true
  }
}
