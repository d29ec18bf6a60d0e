import SluiceReadings

extension OpenTrace {
  /// What is done with a trace while it is read.
  package struct Changes: Sendable {
    /// Readings are put into the order of their times within so many nanoseconds; nil to leave them where they are.
    package var reorder: Int64?
    /// Counts what that has done.
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
        because: "--loop reads a trace once per round, and what comes from a pipe can be read only once",
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
