/// A date and a time as a user has written them.
package struct CivilDateTime {
  /// Nanoseconds since the epoch.
  package let nanoseconds: Int64
  /// Whether the text has a zone. Without one, it is read as UTC.
  package let hasZone: Bool

  /// - Parameter text: A text such as `2024-03-01T12:00:00.5+01:00`.
  package init?(_ text: String) {
    let time = Array(text.utf8).withUnsafeBufferPointer { try? CivilTime($0) }
    guard let time else { return nil }
    (nanoseconds, hasZone) = (time.nanoseconds, time.hasZone)
  }
}
