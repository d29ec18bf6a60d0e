import SluiceReadings

extension OpenTrace {
  /// Adds what is known of the rows of earlier recordings into the same file, which have metadata of their own: streams,
  /// gaps, losses. What the newest says of the file itself stays.
  static func addingEarlier(
    _ newest: TraceMetadata, of trace: String, _ options: Options, _ inputs: inout [TraceInput]
  ) throws(SluiceError) -> TraceMetadata {
    guard let names = newest.earlier, !names.isEmpty else { return newest }
    let folder = trace.lastIndex(of: "/").map { trace[...$0] } ?? ""
    var all: [TraceMetadata?] = [newest]
    for name in names {
      // They are beside the trace, and nowhere else.
      let file = name.contains("/") ? nil : try TraceMetadata.read(folder + name)
      if let file {
        inputs.append(file.input)
      } else {
        options.warn(
          "\(newest.path): it names \"\(name)\", which is missing: nothing is known about the earlier rows")
      }
      all.append(file?.metadata.timed(options.times))
    }
    if let other = all.compactMap({ $0 }).first(where: { $0.values != newest.values }) {
      options.warn("\(trace): some of its rows are \(text(other)) and some \(text(newest)); all are read as those")
    }
    return TraceMetadata(newest: newest, earlier: Array(all.dropFirst()), named: names)
  }

  private static func text(_ metadata: TraceMetadata) -> String { metadata.values?.rawValue ?? "of an unknown kind" }
}
