import SluiceReadings

/// A growing buffer of text. Numbers are formatted directly into it.
public final class TextBuffer: @unchecked Sendable {
  // It has no lock, because it has one owner at a time, who passes it on.

  // Only its owner writes, one call at a time. Swift's check of this took a tenth of a replay.
  @exclusivity(unchecked) private var base: UnsafeMutablePointer<UInt8>
  @exclusivity(unchecked) private(set) var capacity: Int
  /// The number of bytes.
  @exclusivity(unchecked) public private(set) var count = 0

  package init(capacity: Int = 256) {
    self.capacity = capacity + DecimalDigits.slack
    base = .allocate(capacity: self.capacity)
  }

  deinit { base.deallocate() }

  package func removeAll() { count = 0 }

  /// Calls the closure with the bytes, which are valid until it returns.
  public func withBytes<R>(_ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R {
    try body(UnsafeBufferPointer(start: base, count: count))
  }

  /// Appends a text as UTF-8.
  public func append(_ text: String) {
    var text = text
    text.withUTF8 { append($0) }
  }

  /// Appends bytes.
  public func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    if capacity - count < bytes.count + DecimalDigits.slack { grow(bytes.count) }
    if let first = bytes.baseAddress { (base + count).update(from: first, count: bytes.count) }
    count += bytes.count
  }

  /// Appends text through a cursor.
  /// - Parameter length: The greatest length of the text.
  @inline(__always)
  func append(atMost length: Int, _ body: (inout TextCursor) -> Void) {
    if capacity - count < length + DecimalDigits.slack { grow(length) }
    var cursor = TextCursor(next: base + count)
    body(&cursor)
    count = cursor.next - base
  }

  /// Room for bytes behind those that are there. ``advance(by:)`` makes them part of the text.
  /// - Parameter length: The greatest number of bytes.
  package func room(_ length: Int) -> UnsafeMutablePointer<UInt8> {
    if capacity - count < length + DecimalDigits.slack { grow(length) }
    return base + count
  }

  /// Ends the text behind so many bytes of the room.
  package func advance(by length: Int) { count += length }

  private func grow(_ length: Int) {
    capacity = Swift.max(capacity * 2, count + length + DecimalDigits.slack)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: base, count: count)
    base.deallocate()
    base = larger
  }

  func append(_ value: ExactDecimal) { append(atMost: TextCursor.longestNumber) { $0.append(value) } }
  func append(_ value: WideDecimal) { append(atMost: TextCursor.longestNumber) { $0.append(value) } }
}
