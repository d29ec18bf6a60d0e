package import SluiceReadings

/// A compression of files. A trace is recognized by its first bytes, and an output by the ending of its file name.
///
/// To add one, write a type of this protocol and add it to a registry, such as `Compressions`.
package protocol Compression: Sendable {
  /// The name: `gzip`.
  static var name: String { get }
  /// The ending of the file names, without the dot, after the ending of the format: `gz`.
  static var ending: String { get }
  /// Whether compressed data begins with these bytes: four, or fewer if the file is shorter.
  static func recognizes(_ beginning: [UInt8]) -> Bool
  /// Loads the library that compresses.
  static func load() throws(SluiceError)
  static func decompressor() -> any Decompressor
  static func compressor() -> any Compressor
}

/// Compresses batches. One thread at a time uses it.
package protocol Compressor: AnyObject {
  /// Compresses bytes into a member, or frame, that can be decompressed alone. The same bytes give the same member.
  /// - Returns: Nil if there is no memory for it.
  func member(_ bytes: UnsafeRawBufferPointer) -> [UInt8]?
}
