import SluiceReadings

/// The readings of another decoder at other times.
final class ShiftedDecoder: TraceDecoder {
  // One thread at a time reads it.

  private let decoder: any TraceDecoder
  private let name: String
  /// In nanoseconds; nil until the first reading, which comes at 0.
  private var shift: Int64?
  private var failure: SluiceError?

  /// - Parameters:
  ///   - shift: What is added to each time; nil lets the first reading be at 0.
  ///   - name: The name of the trace in errors.
  init(_ decoder: any TraceDecoder, by shift: Int64?, _ name: String) {
    (self.decoder, self.shift, self.name) = (decoder, shift, name)
  }

  var list: StreamList { decoder.list }
  var hasNext: Bool { decoder.hasNext }
  var mayWait: Bool { decoder.mayWait }
  var unusedMarks: TraceMarks { decoder.unusedMarks }

  func read(into target: UnsafeMutableBufferPointer<Reading>) throws(SluiceError) -> Int {
    if let failure { throw failure }
    let count = try decoder.read(into: target)
    guard count > 0 else { return 0 }
    if shift == nil { shift = target[0].time == .min ? .max : -target[0].time }
    let shift = shift ?? 0
    for index in 0..<count {
      let (time, overflow) = target[index].time.addingReportingOverflow(shift)
      if overflow {
        failure = SluiceError(
          .usage, "shift", name, because: "a time of it would not fit in 64 bits of nanoseconds",
          remedy: "give a smaller --shift")
        if index == 0, let failure { throw failure }
        return index
      }
      target[index].time = time
    }
    return count
  }
}

extension OpenTrace {
  /// The trace with the shift that the changes have for it. Its metadata has times, which would be wrong.
  func shifted(_ changes: Changes, path: String, _ warn: (String) -> Void) -> OpenTrace {
    let shift = changes.shifts[path]
    guard shift != nil || changes.startsTogether else { return self }
    var trace = self
    let name = Self.name([path])
    if changes.startsTogether { trace.decoder = ShiftedDecoder(trace.decoder, by: nil, name) }
    if let shift { trace.decoder = ShiftedDecoder(trace.decoder, by: shift, name) }
    if trace.metadata != nil {
      warn("\(name): its times are shifted, so the losses and the clock of its metadata are left out")
    }
    trace.metadata = nil
    return trace
  }
}
