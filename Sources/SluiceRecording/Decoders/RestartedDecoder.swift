import SluiceReadings

/// Flags the first reading of each stream in each run of a file after its first one.
///
/// The flags of a recording say what its own run has missed. What happened between two runs is known only when both are
/// read.
final class RestartedDecoder: TraceDecoder {
  private let decoder: any TraceDecoder
  private let isRestart: [Bool]
  // One thread at a time reads it: Swift's check of exclusive access costs more than a row.
  @exclusivity(unchecked) private var rows: RunRows
  @exclusivity(unchecked) private var run = 0
  @exclusivity(unchecked) private var flags: RestartFlags?

  /// - Parameter isRestart: For each run, whether its first readings are flagged.
  init(_ decoder: any TraceDecoder, _ runs: [TraceMetadata.Run], isRestart: [Bool]) {
    self.decoder = decoder
    self.isRestart = isRestart
    rows = RunRows(runs)
  }

  var list: StreamList { decoder.list }
  var hasNext: Bool { decoder.hasNext }
  var mayWait: Bool { decoder.mayWait }
  var unusedMarks: TraceMarks { decoder.unusedMarks }

  func read(into target: UnsafeMutableBufferPointer<Reading>) throws(SluiceError) -> Int {
    let count = try decoder.read(into: target)
    for index in 0..<count {
      let stream = Int(target[index].stream.index)
      if stream >= rows.streamCount { rows.describe(decoder.list.streams) }
      let run = rows.run(of: stream, at: target[index].time)
      if run > self.run {
        if isRestart[(self.run + 1)...run].contains(true) { flags = RestartFlags(streams: rows.streamCount) }
        self.run = run
      }
      flags?.flag(&target[index])
    }
    return count
  }
}

/// Flags the first reading of each stream after each restart that the metadata of a replay lists.
final class ListedRestartsDecoder: TraceDecoder {
  private let decoder: any TraceDecoder
  private let restarts: [TraceMetadata.Restart]
  /// The number of restarts before the last reading of each stream.
  private var passed: [Int] = []

  init(_ decoder: any TraceDecoder, _ restarts: [TraceMetadata.Restart]) {
    self.decoder = decoder
    self.restarts = restarts.sorted { $0.began < $1.began }
  }

  var list: StreamList { decoder.list }
  var hasNext: Bool { decoder.hasNext }
  var mayWait: Bool { decoder.mayWait }
  var unusedMarks: TraceMarks { decoder.unusedMarks }

  func read(into target: UnsafeMutableBufferPointer<Reading>) throws(SluiceError) -> Int {
    let count = try decoder.read(into: target)
    for index in 0..<count {
      let stream = Int(target[index].stream.index)
      while passed.count <= stream { passed.append(0) }
      var passed = self.passed[stream]
      while passed < restarts.count, restarts[passed].began <= target[index].time { passed += 1 }
      guard passed > self.passed[stream] else { continue }
      let name = decoder.list.streams[stream].name
      let isRestart = restarts[self.passed[stream]..<passed].contains { $0.isOf(name) }
      self.passed[stream] = passed
      guard isRestart else { continue }
      target[index].flags.formUnion([.gapBefore, .restart])
    }
    return count
  }
}

extension OpenTrace {
  /// The same trace with flags after its restarts. For a trace of one file.
  func restarted() -> OpenTrace {
    guard let metadata, !metadata.restarts.isEmpty else { return self }
    var trace = self
    let isRestart =
      [false]
      + zip(metadata.runs, metadata.runs.dropFirst()).map {
        TraceMetadata.restart(from: $0, to: $1, nil, .recorded) != nil
      }
    if isRestart.contains(true) {
      trace.decoder = RestartedDecoder(decoder, metadata.runs, isRestart: isRestart)
    } else if !hasFlags {
      trace.decoder = ListedRestartsDecoder(decoder, metadata.restarts)
    }
    return trace
  }
}
