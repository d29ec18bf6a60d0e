import SluiceReadings

extension OpenTrace {
  /// Opens several traces as one, merged by time. A single trace is not changed.
  /// - Parameters:
  ///   - paths: The paths, each in the form of ``init(path:_:)``.
  ///   - changes: Their shifts are applied.
  init(merging paths: [String], _ options: Options, _ changes: Changes) throws(SluiceError) {
    if paths.count == 1 {
      self = try OpenTrace(path: paths[0], options).shifted(changes, path: paths[0], options.warn)
      return
    }
    var traces: [(path: String, trace: OpenTrace)] = []
    for path in paths {
      let trace = try OpenTrace(path: path, options).shifted(changes, path: path, options.warn)
      let name = Self.name([path])
      guard !trace.decoder.list.isGrowing else {
        throw SluiceError(
          .unsupported, "merge", name, because: "its rows name their streams, but a pipe can be read only once",
          remedy: "write it to a file first")
      }
      traces.append((name, trace))
    }
    try self.init(merging: traces)
  }

  /// The names of traces in a sentence.
  package static func name(_ paths: [String]) -> String {
    paths.map { $0 == "-" ? "standard input" : $0 }.joined(separator: ", ")
  }

  /// The trace with only the wanted streams and channels.
  /// - Parameters:
  ///   - names: The names in the form of ``TraceSelection``; empty for all.
  ///   - name: The name of the trace in errors.
  func selecting(_ names: [String], _ name: String) throws(SluiceError) -> OpenTrace {
    guard !names.isEmpty else { return self }
    guard !decoder.list.isGrowing else {
      throw SluiceError(
        .unsupported, "select from", name, because: "its rows name their streams, but a pipe can be read only once",
        remedy: "write it to a file first, or leave out --select")
    }
    let selection = try TraceSelection(names, of: decoder.list.streams, name)
    var trace = self
    trace.decoder = SelectedDecoder(decoder, selection)
    trace.metadata = metadata?.selecting(Set(selection.streams.map { ExactName($0.name) }))
    return trace
  }
}
