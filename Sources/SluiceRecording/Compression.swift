/// A way to compress files, known by their first bytes, and by the endings of the names of those that are written.
///
/// A new one is a type of this protocol, and its line in a registry, such as `Compressions`.
package protocol Compression: Sendable {
  /// `gzip`
  static var name: String { get }
  /// The ending of its files' names, without the dot, behind that of their format: `gz`.
  static var ending: String { get }
  /// Whether compressed bytes begin so: with four bytes, if there are as many.
  static func recognizes(_ beginning: [UInt8]) -> Bool
  static func decompressor() -> any Decompressor
  static func compressor() -> any Compressor
}

/// Compresses a batch at a time. One thread at a time uses it.
package protocol Compressor: AnyObject {
  /// Compresses bytes into a member, or frame, that can be decompressed alone. The same bytes give the same member.
  /// - Returns: Nil if there is no memory for it.
  func member(_ bytes: UnsafeRawBufferPointer) -> [UInt8]?
}
