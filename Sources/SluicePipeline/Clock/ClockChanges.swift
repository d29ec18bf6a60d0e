import SluiceRecording

/// What became of the clock during a run: the first changes, and how many there were.
package struct ClockChanges: Hashable, Sendable {
  /// So many are listed.
  package static let limit = 100

  package private(set) var first: [TraceMetadata.ClockChange] = []
  package private(set) var count = 0

  package init() {}

  /// - Returns: Whether it is listed.
  @discardableResult package mutating func add(_ change: TraceMetadata.ClockChange) -> Bool {
    count += 1
    guard count <= Self.limit else { return false }
    first.append(change)
    return true
  }
}
