import SluiceReadings

extension OpenTrace {
  /// What is done with a trace while it is read.
  package struct Changes: Sendable {
    /// Readings are put into the order of their times within so many nanoseconds; nil to leave them where they are.
    package var reorder: Int64?
    /// Counts what that has done.
    package let reorderCounts = ReorderCounts()
    /// Nil to read it once.
    package var loop: TraceLoop?

    package init(reorder: Int64? = nil, loop: TraceLoop? = nil) {
      self.reorder = reorder
      self.loop = loop
    }
  }

  /// - Parameter path: As ``init(path:_:)`` takes it.
  init(path: String, _ options: Options, _ changes: Changes) throws(SluiceError) {
    self = try OpenTrace(path: path, options).reordered(changes)
    guard let loop = changes.loop else { return }
    guard !decoder.mayWait, path != "-" else {
      throw SluiceError(
        .usage, "replay", path == "-" ? "standard input" : path,
        because: "--loop reads a trace once per round, and what comes from a pipe can be read only once",
        remedy: "write it to a file first")
    }
    var silent = options
    silent.warn = { _ in }
    let again = silent
    decoder = LoopedDecoder(self, path: path, loop) { () throws(SluiceError) -> OpenTrace in
      try OpenTrace(path: path, again).reordered(changes)
    }
  }

  private func reordered(_ changes: Changes) -> OpenTrace {
    guard let window = changes.reorder else { return self }
    var trace = self
    trace.decoder = ReorderedDecoder(decoder, window: window, counts: changes.reorderCounts)
    return trace
  }
}
