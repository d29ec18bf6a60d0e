/// One reading or several that reach the sink together.
public protocol ReadingGroup: Sendable {
  func forEachReading(_ body: (Reading) -> Void)
}

extension Reading: ReadingGroup {
  @inlinable public func forEachReading(_ body: (Reading) -> Void) { body(self) }
}

extension Array: ReadingGroup where Element == Reading {
  @inlinable public func forEachReading(_ body: (Reading) -> Void) { for reading in self { body(reading) } }
}
