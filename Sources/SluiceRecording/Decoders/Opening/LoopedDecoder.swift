import SluiceReadings

/// Reads a trace several times. The times of each round continue after the previous round.
///
/// Each round opens the trace again, so that no readings stay in memory.
final class LoopedDecoder: TraceDecoder {
  private let path: String
  private let loop: TraceLoop
  private let open: () throws(SluiceError) -> OpenTrace
  private let inputs: [TraceInput]
  let list: StreamList

  /// Nil at the end of the last round.
  private var decoder: (any TraceDecoder)?
  private var round = 1
  private var window: ReplayWindow?
  private var measure = RoundMeasure()
  /// The measure of the first round, after its end.
  private var model: RoundMeasure?
  private var shift: Int64 = 0
  private var failure: SluiceError?

  /// - Parameters:
  ///   - trace: The trace, opened for the first round. All its streams are known.
  ///   - open: Opens the trace again.
  init(
    _ trace: OpenTrace, path: String, _ loop: TraceLoop, open: @escaping () throws(SluiceError) -> OpenTrace
  ) {
    self.path = path
    self.loop = loop
    self.open = open
    inputs = trace.inputs
    list = trace.decoder.list
    decoder = trace.decoder
    window = loop.window.map { ReplayWindow($0, of: path) }
  }

  var mayWait: Bool { false }
  var hasNext: Bool { decoder?.hasNext ?? true }

  func read(into target: UnsafeMutableBufferPointer<Reading>) throws(SluiceError) -> Int {
    while failure == nil, let decoder {
      do throws(SluiceError) {
        let count = window?.isOver ?? false ? 0 : try decoder.read(into: target)
        if count == 0 {
          try endRound()
          continue
        }
        let kept = move(UnsafeMutableBufferPointer(rebasing: target[..<(try cut(target, count))]))
        if kept > 0 { return kept }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return 0
  }

  /// - Returns: The number of remaining readings, which are at the start of the buffer.
  private func cut(_ target: UnsafeMutableBufferPointer<Reading>, _ count: Int) throws(SluiceError) -> Int {
    guard window != nil else { return count }
    let part = try window?.cut(ArraySlice(target[..<count])) ?? []
    for (index, reading) in part.enumerated() { target[index] = reading }
    return part.count
  }

  /// - Returns: The number of good readings before a failure.
  private func move(_ readings: UnsafeMutableBufferPointer<Reading>) -> Int {
    for index in readings.indices {
      measure.add(readings[index].time)
      let (time, isOverflow) = readings[index].time.addingReportingOverflow(shift)
      if isOverflow {
        failure = tooLate
      } else if let model, measure.count > model.count {
        failure = changed("it has more readings than before")
      }
      if failure != nil { return index }
      readings[index].time = time
    }
    return readings.count
  }

  private func endRound() throws(SluiceError) {
    // The file is closed before it is opened again.
    decoder = nil
    if let model, !measure.fits(model) { throw changed("its readings differ from the first round") }
    let model = model ?? measure
    self.model = model
    guard model.count > 0, loop.rounds.map({ round < $0 }) ?? true else { return }
    guard let period = model.period, !shift.addingReportingOverflow(period).overflow else { throw tooLate }
    shift += period
    round += 1
    measure = RoundMeasure()
    window = loop.window.map { ReplayWindow($0, of: path) }
    let trace = try open()
    guard trace.inputs == inputs else { throw changed("it is another file now") }
    guard trace.decoder.list.streams == list.streams else { throw changed("it has other streams now") }
    decoder = trace.decoder
  }

  private func changed(_ cause: String) -> SluiceError {
    SluiceError(
      .malformed, "read", path, because: "it changed during the replay: in round \(round) \(cause)",
      remedy: "replay a copy that no program writes")
  }

  private var tooLate: SluiceError {
    SluiceError(
      .unsupported, "replay", path, because: "times would be after the year 2262",
      remedy: "give --loop fewer rounds")
  }
}
