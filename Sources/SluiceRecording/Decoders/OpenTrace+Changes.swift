import SluiceReadings

extension OpenTrace {
  /// The changes to a trace during the read.
  package struct Changes: Sendable {
    /// The window in nanoseconds in which readings are put into the order of their times; nil to keep their order.
    package var reorder: Int64?
    /// The counts of this.
    package let reorderCounts = ReorderCounts()
    /// The streams and channels that are wanted, as ``TraceSelection`` takes them; empty for all.
    package var select: [String] = []
    /// Nil to read it once.
    package var loop: TraceLoop?

    package init(reorder: Int64? = nil, select: [String] = [], loop: TraceLoop? = nil) {
      self.reorder = reorder
      self.select = select
      self.loop = loop
    }
  }

  /// - Parameter paths: Each as ``init(path:_:)`` takes it.
  init(paths: [String], _ options: Options, _ changes: Changes) throws(SluiceError) {
    let name = Self.name(paths)
    self = try OpenTrace(paths: paths, options).reordered(changes).selecting(changes.select, name)
    guard let loop = changes.loop else { return }
    guard !decoder.mayWait, !paths.contains("-") else {
      throw SluiceError(
        .usage, "replay", name,
        because: "--loop reads a trace once per round, but a pipe can be read only once",
        remedy: "write it to a file first")
    }
    var silent = options
    silent.warn = { _ in }
    let again = silent
    decoder = LoopedDecoder(self, path: name, loop) { () throws(SluiceError) -> OpenTrace in
      try OpenTrace(paths: paths, again).reordered(changes).selecting(changes.select, name)
    }
  }

  private func reordered(_ changes: Changes) -> OpenTrace {
    guard let window = changes.reorder else { return self }
    var trace = self
    trace.decoder = ReorderedDecoder(decoder, window: window, counts: changes.reorderCounts)
    return trace
  }
}
