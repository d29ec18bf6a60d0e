import SluiceReadings
import SluiceRecording
import SluiceSystem

extension RecordingOutput {
  /// The output that continues the recording with `--append`. That is the newest file with rows. But the rows of a file
  /// are in the order of their times. So if the clock is behind the last row, as on a board without a real-time clock,
  /// the run gets its own part. The run also gets its own part if there are parts without a row behind the newest file
  /// with rows, because a store of parts removes them.
  /// - Parameters:
  ///   - now: The time of the recording's clock; nil for a replay, because its times come from the trace.
  ///   - window: The length of the longest window of the stages. The row of a window has the time of its end, so a run
  ///     that was stopped within a window ends with a row of a later time.
  ///   - note: Called if the recording continues in another file.
  func continued(
    at now: Int64?, window: Int64, _ streams: [StreamDescription], _ disk: Disk, tell: (RecordingEvent.Kind) -> Void
  ) throws(SluiceError) -> RecordingOutput {
    guard existing == .append, rotation == nil, path != "-", kind is any OutputOfFiles, type(of: format).hasParts
    else { return self }
    let given = try files(for: streams)
    var newest: [String] = []
    var hasEmpty = false
    for file in given {
      let series = parts(of: file, number: 0)
      let earlier = try EarlierParts((try? series.parts(disk.files)) ?? [], of: series, disk.files)
      newest.append(earlier.newest.map(series.path) ?? file.path)
      hasEmpty = hasEmpty || !earlier.empty.isEmpty
    }
    if let now {
      for path in newest {
        guard let last = lastTime(path, disk.files), last.subtractingReportingOverflow(window).partialValue > now
        else { continue }
        tell(.clockBehindRows(path: path, now: now, last: last))
        return with(path: self.path, rotation: Rotation())
      }
    }
    guard newest != given.map(\.path) || hasEmpty else { return self }
    // The files of a folder continue together.
    guard folder == nil, !hasEmpty, let path = newest.first else { return with(path: path, rotation: Rotation()) }
    tell(.newestPartContinued(path: self.path, part: path))
    return with(path: path, rotation: nil)
  }

  /// The time of the last whole row; nil if there is none.
  private func lastTime(_ path: String, _ files: any FileSystem) -> Int64? {
    guard let tail = try? files.tail(of: path, limit: 1 << 20) else { return nil }
    return tail.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast().reversed().lazy
      .compactMap { type(of: format).time(ofRow: $0) }.first
  }
}
