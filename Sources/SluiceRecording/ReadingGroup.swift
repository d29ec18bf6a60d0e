public import Sluice

/// One reading or several that reach the sink together.
public protocol ReadingGroup: Sendable {
  /// Not for calling: how a ``CSVSink`` takes them.
  func _write(to writer: _CSVWriter) -> Subscribers.Demand
}

extension Reading: ReadingGroup {
  @inlinable public func _write(to writer: _CSVWriter) -> Subscribers.Demand { writer.receive(self) }
}

extension Array: ReadingGroup where Element == Reading {
  @inlinable public func _write(to writer: _CSVWriter) -> Subscribers.Demand { writer.receive(self) }
}

extension ArraySlice: ReadingGroup where Element == Reading {
  @inlinable public func _write(to writer: _CSVWriter) -> Subscribers.Demand { writer.receive(self) }
}
