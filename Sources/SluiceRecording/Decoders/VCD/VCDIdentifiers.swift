/// The numbers of the identifiers of a value change dump. Nearly all identifiers have one or two characters, and are
/// found without a hash.
final class VCDIdentifiers {
  /// The number of possible characters, from `!` to `~`.
  private static let characters = 94

  private let short: UnsafeMutablePointer<Int32>
  private var long: [(bytes: Range<Int>, number: Int32)] = []
  private var bytes: [UInt8] = []
  /// An open hash table of indices into ``long``; -1 is an empty slot. At least half of the slots are empty.
  private var table: [Int32] = Array(repeating: -1, count: 16)

  init() {
    let count = Self.characters * (Self.characters + 1)
    short = .allocate(capacity: count)
    short.initialize(repeating: -1, count: count)
  }

  deinit { short.deallocate() }

  /// Finds the identifier that starts here, and its end, which is white space or a character that no identifier has.
  /// - Returns: The number of the identifier; -1 if it is not known.
  @inline(__always)
  func find(_ start: UnsafePointer<UInt8>) -> (number: Int, end: UnsafePointer<UInt8>) {
    let first = Int(start[0]) &- 33
    if first >= 0, first < Self.characters {
      let second = Int(start[1]) &- 33
      if second < 0 { return (Int(short[first]), start + 1) }
      if second < Self.characters, start[2] <= 0x20 {
        return (Int(short[(first &+ 1) &* Self.characters &+ second]), start + 2)
      }
    }
    return findLong(start)
  }

  @inline(never)
  private func findLong(_ start: UnsafePointer<UInt8>) -> (number: Int, end: UnsafePointer<UInt8>) {
    var end = start
    while end.pointee > 0x20 { end += 1 }
    let slot = slot(UnsafeBufferPointer(start: start, count: end - start))
    return (table[slot] < 0 ? -1 : Int(long[Int(table[slot])].number), end)
  }

  private func slot(_ identifier: UnsafeBufferPointer<UInt8>) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(identifier))
    var slot = hasher.finalize() & (table.count - 1)
    while table[slot] >= 0, !bytes[long[Int(table[slot])].bytes].elementsEqual(identifier) {
      slot = (slot + 1) & (table.count - 1)
    }
    return slot
  }

  /// - Returns: The number that it had before; -1 if it had none.
  func set(_ identifier: [UInt8], to number: Int32) -> Int32 {
    let characters = identifier.map { Int($0) - 33 }
    if characters.count <= 2, characters.allSatisfy({ (0..<Self.characters).contains($0) }) {
      let place = characters.count == 1 ? characters[0] : (characters[0] + 1) * Self.characters + characters[1]
      defer { short[place] = number }
      return short[place]
    }
    let slot = identifier.withUnsafeBufferPointer { self.slot($0) }
    if table[slot] >= 0 {
      defer { long[Int(table[slot])].number = number }
      return long[Int(table[slot])].number
    }
    table[slot] = Int32(long.count)
    bytes += identifier
    long.append((bytes.count - identifier.count..<bytes.count, number))
    if long.count * 2 > table.count { grow() }
    return -1
  }

  private func grow() {
    table = Array(repeating: -1, count: table.count * 2)
    for (index, entry) in long.enumerated() {
      let slot = bytes.withUnsafeBufferPointer { self.slot(UnsafeBufferPointer(rebasing: $0[entry.bytes])) }
      table[slot] = Int32(index)
    }
  }
}
