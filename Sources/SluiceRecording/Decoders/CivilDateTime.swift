/// A date with a time that a user has written.
package struct CivilDateTime {
  /// Since the epoch.
  package let nanoseconds: Int64
  /// Without a zone it was taken as UTC.
  package let hasZone: Bool

  /// - Parameter text: Such as `2024-03-01T12:00:00.5+01:00`.
  package init?(_ text: String) {
    let time = Array(text.utf8).withUnsafeBufferPointer { try? CivilTime($0) }
    guard let time else { return nil }
    (nanoseconds, hasZone) = (time.nanoseconds, time.hasZone)
  }
}
