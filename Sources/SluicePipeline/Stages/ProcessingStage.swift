import Sluice
import SluiceExtras
public import SluiceReadings
import SluiceRecording
public import SluiceStages
import Synchronization

/// A stage with a `ReadingProcessor` of the library, and its settings.
public protocol ProcessingStage: RecordingStage {
  associatedtype Processor: ReadingProcessor
  /// The processor for these streams.
  /// - Throws: If a setting does not fit these streams.
  func processor(for inputs: InputStreams) throws(SluiceError) -> Processor
}

extension ProcessingStage {
  /// The stage with its processor.
  public func prepared(for inputs: InputStreams) throws(SluiceError) -> PreparedStage {
    let first = try processor(for: inputs)
    guard first.streams.count == inputs.known.count else {
      throw SluiceError(
        .failed, "begin with", "the stage \(Self.name)",
        because: "it has \(first.streams.count) streams, and its inputs are \(inputs.known.count)",
        remedy: "let it describe each stream, without channels if it has no readings")
    }
    return PreparedStage(self, first, inputs) { inputs throws(SluiceError) in
      try processor(for: inputs).streams
    }
  }
}

extension PreparedStage {
  /// - Parameter streams: Those of the same processor for streams that become known later.
  package init<Processor: ReadingProcessor>(
    _ stage: some RecordingStage, _ processor: Processor, _ inputs: InputStreams,
    streams: @escaping @Sendable (InputStreams) throws(SluiceError) -> [StreamDescription]
  ) {
    // A fault of streams that come later is reported when their readings come.
    let more = inputs.more.map { more in
      { @Sendable in
        let known = more()
        return (try? streams(InputStreams(known, more: more))) ?? known
      }
    }
    let (usesEnd, makesTotals) = (stage.usesEnd, stage.totalStage != nil)
    self.init(streams: InputStreams(processor.streams, more: more)) { readings, context in
      readings.process(by: CountedProcessor(processor, context, usesEnd: usesEnd, makesTotals: makesTotals))
        .eraseToAnyPublisher()
    }
  }
}

/// Counts the inputs and outputs of a processor for each stream.
///
/// The processor is an existential, not a generic parameter. Otherwise the compiler would specialize `process(by:)` for
/// each processor, and this module would have a sixth more code. The dynamic call happens once per call with several
/// readings, not for each reading.
package struct CountedProcessor: ReadingProcessor {
  private var processor: any ReadingProcessor
  private let ledgers: [StreamLedger]
  private let number: Int
  /// Whether the ledger of each stream knows that this stage makes the readings of the stream.
  private var isTold: [Bool] = []
  /// The time at which the recording ended; nil if it is not known, or has no effect.
  private let ended: () -> Int64?
  /// Whether the processor has received the end time of the recording, but has not finished.
  private var isEnding = false
  /// Called with the last total of a stream; nil if the stage makes no totals.
  private let keepTotal: ((TraceMetadata.Total) -> Void)?
  /// The number of the last window that was kept, and the number of windows that lack readings; nil if it has no windows.
  private var windows: (number: Int64, shortened: Int)?
  private let tellShortened: () -> Void

  package init(_ processor: any ReadingProcessor, _ context: StageContext, usesEnd: Bool, makesTotals: Bool = false) {
    self.processor = processor
    if var windowed = processor as? any WindowedProcessor {
      windowed.windowed.flagGap = context.flagGap
      windows = (windowed.windowed.number, 0)
      self.processor = windowed
    }
    tellShortened = context.tellShortened
    ended = usesEnd ? context.ended : { nil }
    (ledgers, number) = (context.ledgers, context.number)
    keepTotal = makesTotals ? context.keepTotal : nil
    for stream in processor.streams.indices { _ = isMade(StreamID(UInt16(truncatingIfNeeded: stream))) }
  }

  package var streams: [StreamDescription] { processor.streams }

  /// Whether this stage makes the readings of a stream. If so, it tells the ledger of the stream.
  private mutating func isMade(_ stream: StreamID) -> Bool {
    guard processor.makes(stream) else { return false }
    let index = Int(stream.index)
    while isTold.count <= index { isTold.append(false) }
    if !isTold[index] {
      isTold[index] = true
      ledgers[index].isMade(byStage: number)
    }
    return true
  }

  package mutating func receive(_ reading: Reading, into outputs: inout [Reading]) {
    _ = withUnsafePointer(to: reading) { receive(run: UnsafeBufferPointer(start: $0, count: 1), into: &outputs) }
  }

  package mutating func receive(
    run: UnsafeBufferPointer<Reading>, into outputs: inout [Reading]
  ) -> (count: Int, ofLast: Int) {
    let before = outputs.count
    let taken = processor.receive(run: run, into: &outputs)
    countRuns(UnsafeBufferPointer(rebasing: run[..<taken.count])) { ledger, readings, isMade in
      // Readings that pass are subtracted later.
      if isMade {
        ledger.used.add(readings.count, ordering: .relaxed)
      } else {
        ledger.suppressed.add(readings.count, ordering: .relaxed)
      }
    }
    countOutputs(outputs, from: before)
    return taken
  }

  package var hasMore: Bool { isEnding || processor.hasMore }

  package mutating func resume(into outputs: inout [Reading]) {
    let before = outputs.count
    if processor.hasMore {
      processor.resume(into: &outputs)
    } else if isEnding {
      isEnding = false
      processor.finish(into: &outputs)
    }
    countOutputs(outputs, from: before)
  }

  package mutating func finish(into outputs: inout [Reading]) {
    let before = outputs.count
    if let ended = ended() {
      processor.receive(Reading(time: ended, stream: .none, values: Values()), into: &outputs)
    }
    countOutputs(outputs, from: before)
    isEnding = true
  }

  private mutating func countOutputs(_ outputs: [Reading], from start: Int) {
    outputs.withUnsafeBufferPointer { outputs in
      countRuns(UnsafeBufferPointer(rebasing: outputs[start...])) {
        [number, keepTotal, streams = processor.streams] ledger, readings, isMade in
        guard isMade else { return _ = ledger.suppressed.subtract(readings.count, ordering: .relaxed) }
        ledger.made.add(readings.count, ordering: .relaxed)
        for reading in readings where !reading.flags.isEmpty { ledger.add(made: reading, byStage: number) }
        if let keepTotal, let last = readings.last {
          let stream = streams[Int(last.stream.index)]
          keepTotal(TraceMetadata.Total(last, of: stream))
        }
      }
    }
    if windows != nil { tellWindows() }
  }

  /// Keeps the number of the last window as a total, and tells the first window that lacks readings.
  private mutating func tellWindows() {
    guard let windowed = (processor as? any WindowedProcessor)?.windowed, let told = windows else { return }
    if windowed.number != told.number {
      for stream in streams where !stream.channels.isEmpty {
        keepTotal?(TraceMetadata.Total(stream: stream.name, window: windowed.number))
      }
    }
    if windowed.shortened > 0, told.shortened == 0 { tellShortened() }
    windows = (windowed.number, windowed.shortened)
  }

  /// Calls the closure for each series of readings of one stream, with its ledger, and whether this stage makes them.
  private mutating func countRuns(
    _ readings: UnsafeBufferPointer<Reading>, _ count: (StreamLedger, UnsafeBufferPointer<Reading>, Bool) -> Void
  ) {
    readings.forEachStream { stream, readings in
      if stream != .none { count(ledgers[Int(stream.index)], readings, isMade(stream)) }
    }
  }

  package func makes(_ stream: StreamID) -> Bool { processor.makes(stream) }
}

extension TraceMetadata.Total {
  /// The values of a reading.
  init(_ reading: Reading, of stream: StreamDescription) {
    self.init(
      stream: stream.name,
      values: Dictionary(zip(stream.channels.map(\.name), reading.values)) { first, _ in first },
      isAtLeast: reading.flags.contains(.atLeast))
  }
}
