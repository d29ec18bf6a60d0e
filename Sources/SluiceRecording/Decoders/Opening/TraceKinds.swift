import Sluice

/// The registry of the kinds of trace.
public enum TraceKinds {
  private static let own: [any TraceKind.Type] = [
    JSONLinesTrace.self, VCDTrace.self, GPIOMonTrace.self, CandumpTrace.self, InfluxTrace.self, CSVTrace.self,
  ]
  private static let more = Locked<[any TraceKind.Type]>([])

  /// All kinds, in the order in which they are tried. CSV is last, because nearly every text may be CSV.
  package static var all: [any TraceKind.Type] { more.withLock { $0 } + own }

  /// Makes a kind known to every reader of traces. It is tried before the kinds of this package. Call it before the
  /// first trace is opened. A kind that was added before is not added again. Any thread may call it.
  ///
  /// ```swift
  /// TraceKinds.add(NMEATrace.self)
  /// let reader = try TraceReader(path: "walk.nmea")
  /// ```
  public static func add(_ kind: any TraceKind.Type) {
    more.withLock { kinds in if !kinds.contains(where: { $0 == kind }) { kinds.append(kind) } }
  }

  /// Removes a kind that ``add(_:)`` has added. For tests, which share one process.
  package static func remove(_ kind: any TraceKind.Type) { more.withLock { $0.removeAll { $0 == kind } } }
}

extension OpenTrace.Options {
  /// Options for the kinds of this module.
  package init() { self.init(kinds: TraceKinds.all) }
}
