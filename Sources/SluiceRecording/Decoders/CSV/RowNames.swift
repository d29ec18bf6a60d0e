import SluiceSystem

/// The meanings of the names in rows, found by their bytes, so that no row needs a string.
///
/// Rows of several streams often have a fixed order. So each name remembers the name that followed it last time. That
/// name is compared first, and a hash is computed only if the name differs.
struct RowNames<Meaning> {
  private var entries: [(bytes: [UInt8], meaning: Meaning, following: Int)] = []
  /// Numbers by the hash of the bytes. If two names have the same hash, only the later one is kept.
  private var numbers: [Int: Int] = [:]
  private var last = 0

  mutating func find(_ name: UnsafeBufferPointer<UInt8>) -> Meaning? {
    guard last < entries.count else { return nil }
    let expected = entries[last].following
    if entries[expected].bytes.elements(are: name) {
      last = expected
      return entries[expected].meaning
    }
    guard let number = numbers[Self.hash(name)], entries[number].bytes.elements(are: name) else { return nil }
    entries[last].following = number
    last = number
    return entries[number].meaning
  }

  mutating func insert(_ name: UnsafeBufferPointer<UInt8>, _ meaning: Meaning) {
    guard find(name) == nil else { return }
    let hash = Self.hash(name)
    if let number = numbers[hash] {
      (entries[number].bytes, entries[number].meaning) = (Array(name), meaning)
      return
    }
    numbers[hash] = entries.count
    entries.append((Array(name), meaning, following: entries.count))
  }

  private static func hash(_ name: UnsafeBufferPointer<UInt8>) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(name))
    return hasher.finalize()
  }
}

extension [UInt8] {
  fileprivate func elements(are others: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count == others.count, let base = others.baseAddress else { return false }
    return withUnsafeBytes { bytes in bytes.baseAddress.map { memcmp($0, base, bytes.count) == 0 } ?? false }
  }
}
