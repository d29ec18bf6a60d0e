import SluiceReadings

/// Flags the first reading of each stream in each run of a file after its first one.
///
/// The metadata of a run lists only what this run has missed. A restart follows from the metadata of two runs.
final class RestartedDecoder: TraceDecoder {
  private let decoder: any TraceDecoder
  private let isRestart: [Bool]
  // Only one thread at a time reads it. Swift's check of exclusive access would cost more than a row.
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
///
/// The clock may have been set back between two runs. So a reading is after a restart if its time is not before the start
/// of that run, and if either the last reading of the stream was before it, or the times of the stream go back.
final class ListedRestartsDecoder: TraceDecoder {
  private struct Place {
    /// The starts of the runs of the stream that are still to come, the next one last.
    var begins: [Int64]
    var last = Int64.min
  }

  private let decoder: any TraceDecoder
  private let restarts: [TraceMetadata.Restart]
  private var places: [Place] = []

  init(_ decoder: any TraceDecoder, _ restarts: [TraceMetadata.Restart]) {
    self.decoder = decoder
    self.restarts = restarts
  }

  var list: StreamList { decoder.list }
  var hasNext: Bool { decoder.hasNext }
  var mayWait: Bool { decoder.mayWait }
  var unusedMarks: TraceMarks { decoder.unusedMarks }

  func read(into target: UnsafeMutableBufferPointer<Reading>) throws(SluiceError) -> Int {
    let count = try decoder.read(into: target)
    for index in 0..<count {
      let stream = Int(target[index].stream.index)
      while places.count <= stream { places.append(place(of: places.count)) }
      let (time, last) = (target[index].time, places[stream].last)
      places[stream].last = time
      guard let began = places[stream].begins.last, time >= began, last < began || time < last else { continue }
      while let began = places[stream].begins.last, time >= began, last < began || time < last {
        places[stream].begins.removeLast()
      }
      target[index].flags.formUnion([.gapBefore, .restart])
    }
    return count
  }

  private func place(of stream: Int) -> Place {
    let streams = decoder.list.streams
    let name = streams.indices.contains(stream) ? streams[stream].name : ""
    return Place(
      begins: restarts.filter { $0.streams.isEmpty || $0.streams.contains(name) }.map(\.began).reversed())
  }
}

extension OpenTrace {
  /// The same trace with flags after its restarts. For a trace of one file.
  /// - Parameter isPart: Whether it is a part of a trace. Each part lists the restarts of all, so the whole is flagged.
  func restarted(isPart: Bool) -> OpenTrace {
    guard let metadata, !metadata.restarts.isEmpty else { return self }
    var trace = self
    let isRestart = [false] + metadata.areRestarts
    if isRestart.contains(true) {
      trace.decoder = RestartedDecoder(decoder, metadata.runs, isRestart: isRestart)
    } else if !isPart {
      trace.decoder = ListedRestartsDecoder(decoder, metadata.restarts)
    }
    return trace
  }
}
