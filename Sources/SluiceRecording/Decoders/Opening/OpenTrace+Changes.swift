import SluiceReadings

extension OpenTrace {
  /// The changes to a trace during the read.
  package struct Changes: Sendable {
    /// The window in nanoseconds for sorting readings by their times; nil to keep their order.
    package var reorder: Int64?
    /// The counts of sorted and late readings.
    package let reorderCounts = ReorderCounts()
    /// The wanted streams and channels, in the form of ``TraceSelection``; empty for all.
    package var select: [String] = []
    /// The rounds; nil to read the trace once.
    package var loop: TraceLoop?
    /// What is added to the times of a trace, by its path, in nanoseconds.
    package var shifts: [String: Int64] = [:]
    /// Whether the first reading of each trace comes at 0, before its shift.
    package var startsTogether = false

    package init(reorder: Int64? = nil, select: [String] = [], loop: TraceLoop? = nil) {
      self.reorder = reorder
      self.select = select
      self.loop = loop
    }
  }

  /// - Parameter paths: The paths, each in the form of ``init(path:_:)``.
  init(paths: [String], _ options: Options, _ changes: Changes) throws(SluiceError) {
    let name = Self.name(paths)
    self = try OpenTrace(merging: paths, options, changes).reordered(changes).selecting(changes.select, name)
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
      try OpenTrace(merging: paths, again, changes).reordered(changes).selecting(changes.select, name)
    }
  }

  private func reordered(_ changes: Changes) -> OpenTrace {
    guard let window = changes.reorder else { return self }
    var trace = self
    trace.decoder = ReorderedDecoder(decoder, window: window, counts: changes.reorderCounts)
    return trace
  }
}
