#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What the names in a file's rows stand for, found by their bytes, so that no string is made for a row.
///
/// Streams mostly take turns: the name that followed the last one before is compared first, and a hash is computed only
/// if it is another.
struct RowNames<Meaning> {
  private var entries: [(bytes: [UInt8], meaning: Meaning, following: Int)] = []
  private var numbers: [Int: Int] = [:]  // by the hash of the bytes; of two names with one hash only the later is in
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
    numbers[Self.hash(name)] = entries.count
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
