/// Decompresses bytes as they come. One thread at a time uses it.
package protocol Decompressor: AnyObject {
  /// Takes as many bytes, and gives as many, as it can: more may come out when no more go in.
  /// - Returns: How many of them; no more of either when it needs further bytes.
  /// - Throws: What is wrong behind the bytes that it gave before.
  func decompress(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(DecompressionFault) -> (taken: Int, given: Int)
  /// Whether what it took were whole members, or frames, which can stand one behind the other.
  var isBetweenMembers: Bool { get }
  /// Begins anew.
  func reset()
}

/// Why bytes cannot be decompressed: `incorrect data check`.
package struct DecompressionFault: Error {
  package var text: String
  /// False if the bytes may be good, but need what is not given to them.
  package var isDamage: Bool

  package init(_ text: String, isDamage: Bool = true) { (self.text, self.isDamage) = (text, isDamage) }
}
