import SluiceReadings

/// Finds the run that wrote each row of a file. The rows are in the order of the runs.
///
/// The metadata of a finished run has the number of its rows per stream. The rows of any other run end at the start of
/// the next run. The clock may have been set back between two runs. So a row belongs to the next run if its time is not
/// before the start of that run, and if either the last row was before it, or the times of the stream go back.
struct RunRows {
  private struct Place {
    var run = -1
    /// The number of rows of this run that follow, if it is known.
    var left = 0
    /// The time of the last row, or the start of the run.
    var last: Int64?
  }

  private let runs: [TraceMetadata.Run]
  /// The place of each stream.
  private var places: [Place] = []
  private var names: [ExactName] = []
  /// The run of the last row, and its time.
  private var run = 0
  private var last = Int64.min

  init(_ runs: [TraceMetadata.Run]) { self.runs = runs }

  /// Sets the streams known so far.
  mutating func describe(_ streams: [StreamDescription]) {
    names = streams.map { ExactName($0.name) }
    while places.count < names.count { places.append(Place()) }
  }

  var streamCount: Int { places.count }

  /// The run of the next row.
  mutating func run(of stream: Int, at time: Int64) -> Int {
    guard places.indices.contains(stream) else { return run }
    var place = places[stream]
    if place.run < run { place = begin(run, stream) }
    while place.run < runs.count - 1 {
      if runs[place.run].rows != nil {
        if place.left > 0 { break }
        place = begin(place.run + 1, stream)
      } else if let next = next(after: place.run, stream), isIn(next.began, time, place) {
        place = begin(next.run, stream)
      } else {
        break
      }
    }
    place.left -= 1
    place.last = time
    places[stream] = place
    run = place.run
    last = time
    return run
  }

  private func begin(_ run: Int, _ stream: Int) -> Place {
    Place(run: run, left: runs[run].rows?[names[stream]] ?? 0, last: began(run))
  }

  /// The start time of a run; nil for a replay, because its rows have other times.
  private func began(_ run: Int) -> Int64? {
    runs[run].clocks.flatMap { $0.offset == nil ? nil : $0.began }
  }

  /// The next run that has rows of the stream and a known start.
  private func next(after run: Int, _ stream: Int) -> (run: Int, began: Int64)? {
    for next in (run + 1)..<runs.count {
      if let rows = runs[next].rows, rows[names[stream], default: 0] == 0 { continue }
      if let began = began(next) { return (next, began) }
    }
    return nil
  }

  private func isIn(_ began: Int64, _ time: Int64, _ place: Place) -> Bool {
    guard time >= began else { return false }
    let before = max(place.last ?? .min, place.run == run ? last : .min)
    return before < began || place.last.map { time < $0 } ?? false
  }
}

/// Corrects the times of a file, run by run.
///
/// The flags are already set, because the metadata lists them by the recorded times.
final class CorrectedDecoder: TraceDecoder {
  private let decoder: any TraceDecoder
  private let corrections: [ClockCorrection]
  // One thread at a time reads it: Swift's check of exclusive access costs more than a row.
  @exclusivity(unchecked) private var rows: RunRows

  init(_ decoder: any TraceDecoder, _ runs: [TraceMetadata.Run]) {
    self.decoder = decoder
    corrections = runs.map { ClockCorrection($0.clocks) }
    rows = RunRows(runs)
  }

  var list: StreamList { decoder.list }
  var hasNext: Bool { decoder.hasNext }
  var mayWait: Bool { decoder.mayWait }
  /// What follows is of the last run.
  var unusedMarks: TraceMarks {
    corrections.last.map { decoder.unusedMarks.mapped($0.corrected) } ?? decoder.unusedMarks
  }

  func read(into target: UnsafeMutableBufferPointer<Reading>) throws(SluiceError) -> Int {
    let count = try decoder.read(into: target)
    for index in 0..<count {
      let stream = Int(target[index].stream.index)
      if stream >= rows.streamCount { rows.describe(decoder.list.streams) }
      let run = rows.run(of: stream, at: target[index].time)
      target[index].time = corrections[run].corrected(target[index].time)
    }
    return count
  }
}

extension OpenTrace {
  /// The same trace with corrected times, if they are wanted and if any time needs a correction. For a trace of one
  /// file.
  func timed(_ times: TraceTimes) -> OpenTrace {
    guard times == .corrected, let runs = metadata?.runs else { return self }
    guard !runs.allSatisfy({ ClockCorrection($0.clocks).isNothing }) else { return self }
    var trace = self
    trace.decoder = CorrectedDecoder(decoder, runs)
    return trace
  }
}
