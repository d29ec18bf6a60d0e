package import SluiceRecording

/// The changes of the clock during a run: the first ones, and their number.
package struct ClockChanges: Hashable, Sendable {
  /// The most changes that are listed.
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
