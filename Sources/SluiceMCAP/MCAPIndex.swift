package import SluiceReadings
package import SluiceRecording
import SluiceSystem

/// Reads the summary of a file, which a recording writes at its end.
package enum MCAPIndex: IndexedTrace {
  package static let form = MCAPTraceKind.form

  package static func recognizes(_ beginning: [UInt8]) -> Bool { Contents.recognizes(beginning) }

  package static func index(of path: String) throws(SluiceError) -> TraceIndex {
    var (index, documents): (TraceIndex?, [String]) = (nil, [])
    // The metadata beside the file is newer.
    let beside = try MetadataFile(beside: path).read()
    do throws(SystemErrno) {
      let file = try FileBytes.open(path)
      if let contents = try Contents.finished(file), contents.summary.hasStatistics {
        index = self.index(contents)
        if beside == nil { documents = try MCAPMetadata.documents(contents, file) }
      }
    } catch {
      throw SluiceError("read", path, errno: error.code)
    }
    guard var index else {
      throw SluiceError(
        .malformed, "read the summary of", path,
        because: "it has none that is whole, or none with the numbers of its messages",
        remedy: "leave out --quick, which reads all of the file")
    }
    if let beside { index.metadata = beside } else { index.metadata = try MCAPTraceKind.metadata(documents, path) }
    return index
  }

  /// - Returns: Nil if the summary does not say how many messages there are.
  private static func index(_ contents: Contents) -> TraceIndex? {
    let summary = contents.summary
    // The statistics of another program may not have the numbers of each channel.
    if summary.counts.isEmpty, !summary.chunks.isEmpty { return nil }
    var series: [TraceIndex.Series] = []
    var places: [ExactName: Int] = [:]
    for channel in summary.channels {
      if contents.isOurs, channel.streamName == nil { continue }
      let name = channel.streamName ?? ExactName(channel.topic)
      let count = summary.counts[channel.id] ?? 0
      guard let place = places[name] else {
        places[name] = series.count
        series.append(TraceIndex.Series(name: name.text, readings: count, encoding: channel.encoding))
        continue
      }
      let (sum, overflow) = series[place].readings.addingReportingOverflow(count)
      series[place].readings = overflow ? .max : sum
      if !series[place].encoding.split(separator: ",").contains(where: { $0.isExactly(channel.encoding) }) {
        series[place].encoding += ",\(channel.encoding)"
      }
    }
    return TraceIndex(
      form: form, series: series,
      times: summary.times.map { Int64(clamping: $0.lowerBound)...Int64(clamping: $0.upperBound) },
      chunks: summary.chunks.count, attachments: summary.attachments.count, library: contents.library, metadata: nil)
  }
}
