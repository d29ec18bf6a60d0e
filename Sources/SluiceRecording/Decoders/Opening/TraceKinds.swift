/// The kinds of trace that this module reads.
package enum TraceKinds {
  /// All kinds, in the order in which they are tried. CSV is last, because nearly every text may be CSV.
  package static let all: [any TraceKind.Type] = [
    JSONLinesTrace.self, VCDTrace.self, GPIOMonTrace.self, CSVTrace.self,
  ]
}

extension OpenTrace.Options {
  /// Options for the kinds of this module.
  package init() { self.init(kinds: TraceKinds.all) }
}
