import SluiceReadings

extension OpenTrace {
  /// Adds the streams, gaps and losses of earlier runs of the same file. The members about the file itself stay those
  /// of the newest run.
  static func addingEarlier(
    _ newest: TraceMetadata, of trace: String, _ options: Options, _ inputs: inout [TraceInput]
  ) throws(SluiceError) -> TraceMetadata {
    // The file is beside the metadata, which may be in the folder to which a symbolic link leads.
    let file = RunsFile(beside: String(newest.path.dropLast(MetadataFile.suffix.count)))
    let contents = try file.contents(besides: newest)
    if let input = contents.input { inputs.append(input) }
    for fault in contents.faults { options.warn(fault) }
    if contents.isTorn {
      options.warn("\(file.path): its last line has no end and is left out, because the recording was cut off there")
    }
    var earlier = contents.runs.map { $0?.timed(options.times) }
    let missing = newest.earlierRuns - earlier.count
    if missing > 0 {
      options.warn(
        "\(file.path): it has \(earlier.count) of \(newest.earlierRuns) earlier runs: nothing is known about the rows of the others"
      )
      earlier.append(nil)
    }
    if let other = earlier.compactMap({ $0 }).first(where: { $0.values != newest.values }) {
      options.warn("\(trace): some of its rows are \(text(other)) and some \(text(newest)); all are read as those")
    }
    return TraceMetadata(newest: newest, earlier: earlier, times: options.times)
  }

  private static func text(_ metadata: TraceMetadata) -> String { metadata.values?.rawValue ?? "of an unknown kind" }
}
