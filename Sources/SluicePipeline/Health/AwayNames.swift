import SluiceRecording

/// The names of the outputs and sources that are away, in the order in which they went away.
package struct AwayNames: Sendable {
  package private(set) var outputs: [String] = []
  package private(set) var sources: [String] = []

  package init() {}

  /// Takes an event.
  /// - Returns: Whether an output or a source has gone away or come back.
  package mutating func happened(_ event: RecordingEvent.Kind) -> Bool {
    switch event {
    case .outputAway(let path, _, _, _): Self.add(path, to: &outputs)
    case .outputBack(let path, _, _): Self.remove(path, from: &outputs)
    case .sourceRemoved(let name, _): Self.add(name, to: &sources)
    case .sourceBack(let name): Self.remove(name, from: &sources)
    default: false
    }
  }

  private static func add(_ name: String, to names: inout [String]) -> Bool {
    // The event of a disk that stays away is repeated once per minute.
    guard !names.contains(name) else { return false }
    names.append(name)
    return true
  }

  private static func remove(_ name: String, from names: inout [String]) -> Bool {
    guard let index = names.firstIndex(of: name) else { return false }
    names.remove(at: index)
    return true
  }
}
