package import SluiceRecording

/// The first changes of the clock during a run, and the number of all changes.
package struct ClockChanges: Hashable, Sendable {
  /// The largest number of changes in the list.
  package static let limit = 100

  package private(set) var first: [TraceMetadata.ClockChange] = []
  package private(set) var count = 0

  package init() {}

  /// - Returns: Whether the change is in the list.
  @discardableResult package mutating func add(_ change: TraceMetadata.ClockChange) -> Bool {
    count += 1
    guard count <= Self.limit else { return false }
    first.append(change)
    return true
  }
}
