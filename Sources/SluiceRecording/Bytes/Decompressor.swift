/// Decompresses bytes as they come. One thread at a time uses it.
package protocol Decompressor: AnyObject {
  /// Reads and writes as many bytes as it can. It may return more bytes without further input.
  /// - Returns: The numbers of bytes read and written. Both are 0 if it needs more input.
  /// - Throws: The fault after the bytes returned before.
  func decompress(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(DecompressionFault) -> (taken: Int, given: Int)
  /// Whether the input so far ended with a complete member or frame. A file may have several.
  var isBetweenMembers: Bool { get }
  /// Starts a new file.
  func reset()
}

/// The reason why bytes cannot be decompressed: `incorrect data check`.
package struct DecompressionFault: Error {
  package var text: String
  /// False if the bytes may be good, but decompression needs more memory than allowed.
  package var isDamage: Bool

  package init(_ text: String, isDamage: Bool = true) { (self.text, self.isDamage) = (text, isDamage) }

  /// A library that is loaded when it is first needed, and is not there: what dlerror(3) says, and its package in Debian.
  package init(missing library: String, _ failure: UnsafePointer<CChar>, package: String) {
    self.init(
      "\(library) cannot be loaded (\(String(cString: failure))); install it with apt install \(package)",
      isDamage: false)
  }
}
