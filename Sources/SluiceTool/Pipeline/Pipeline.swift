import Dispatch
import Sluice
import SluiceDevices
import SluiceRecording

/// Sources, the operators behind each of their streams, and the file where all streams end.
///
/// The operators act in the order buffer, throttle, collect, each stream on its own, by the readings' own time: a
/// recording that is replayed through the same operators gives the same file as the live pipeline gave.
final class Pipeline: @unchecked Sendable {
  // `state` has its lock; the rest does not change after `init`.

  private struct State {
    var errors: [SluiceError] = []
    var stopping = false
    var writingFailed = false
    var connection: AnyCancellable?
  }

  let ledgers: [StreamLedger]
  private let sources: [Source]
  private let operators: OperatorOptions
  private let bufferSize: Int
  private let pauseMode: PauseMode
  private let epoch: EpochClock
  private let gate = Gate()
  private let stopSignal = PassthroughSubject<Void, Never>()
  private let stopFlag = StopFlag()
  private let resuming = DispatchQueue(label: "sluice.resume")
  private let finished = DispatchSemaphore(value: 0)
  private let state = Locked(State())
  private var sink: (any RecordingSink)?
  private var quota: Quota?

  /// - Parameters:
  ///   - bufferSize: Where the user has not said.
  ///   - count: Stop after this many readings.
  ///   - clock: What the readings of all devices are timed by.
  init(
    _ sources: [Source], _ operators: OperatorOptions, _ output: OutputOptions, bufferSize: Int,
    pauseMode: PauseMode = .hold, count: Int? = nil, clock: EpochClock = EpochClock()
  ) throws(SluiceError) {
    self.sources = sources
    self.operators = operators
    self.pauseMode = pauseMode
    epoch = clock
    self.bufferSize = operators.buffer ?? bufferSize
    let streams = sources.flatMap(\.streams)
    ledgers = streams.map { StreamLedger($0.name) }
    quota = count.map { count in Quota(count) { [weak self] in self?.stop() } }
    let destination = output.destination(for: streams)
    if takesBlocks {
      sink = try makeSink(ArraySlice<Reading>.self, destination, streams, output, pauseMode)
    } else if operators.collect == nil {
      sink = try makeSink(Reading.self, destination, streams, output, pauseMode)
    } else {
      sink = try makeSink([Reading].self, destination, streams, output, pauseMode)
    }
  }

  private func makeSink<Input: ReadingGroup>(
    _: Input.Type, _ destination: CSVDestination, _ streams: [StreamDescription], _ output: OutputOptions,
    _ pauseMode: PauseMode
  ) throws(SluiceError) -> CSVSink<Input> {
    let gate = gate
    return try CSVSink<Input>(
      destination, streams: streams, raw: output.raw, existing: output.existing, pauseMode: pauseMode,
      wants: { gate.set(open: $0) }
    ) { [weak self] error in
      if let error {
        self?.state.withLock { $0.writingFailed = true }
        self?.report(error)
      }
      self?.finished.signal()
    }
  }

  /// Where nothing is done with each reading between source and file, readings go there in blocks.
  var takesBlocks: Bool {
    guard let source = sources.first, sources.count == 1, source.blocks != nil else { return false }
    return operators.throttle == nil && operators.collect == nil && (bufferSize == 0 || keepsBlocks(of: source))
  }

  /// A buffer for blocks is of one stream, and takes a block at once: one of few readings would drop what the file is
  /// about to ask for, and where the first that is dropped ends the recording, the rest of its block would go with it.
  private func keepsBlocks(of source: Source) -> Bool {
    !source.waits && source.streams.count == 1 && bufferSize >= 4_096 && operators.whenFull != .fail
  }

  // MARK: Running

  /// Connects everything. A source that needs no waiting has been through when this returns.
  func start() {
    if let sink = sink as? CSVSink<ArraySlice<Reading>>, let source = sources.first, let blocks = source.blocks {
      return buffered(ending(blocks(StreamID(0), epoch), source)).subscribe(sink)
    }
    var parts: [AnyPublisher<Reading, Never>] = []
    var base = 0
    for source in sources {
      parts += self.parts(of: source, from: base)
      base += source.streams.count
    }
    if let sink = sink as? CSVSink<Reading> {
      if let part = parts.first, parts.count == 1 { return part.subscribe(sink) }
      Publishers.MergeMany(parts).subscribe(sink)
    } else if let sink = sink as? CSVSink<[Reading]>, let collect = operators.collect {
      Publishers.MergeMany(parts.enumerated().map { self.collect($1, collect, $0) }).subscribe(sink)
    }
  }

  /// What a source publishes until it is to stop.
  private func ending<Output>(
    _ published: AnyPublisher<Output, SluiceError>, _ source: Source
  ) -> AnyPublisher<Output, SluiceError> {
    if source.waits { return published.until(stopFlag).eraseToAnyPublisher() }
    return source.finish != nil ? published : published.prefix(untilOutputFrom: stopSignal).eraseToAnyPublisher()
  }

  /// All readings of the one source, up to the file.
  private func buffered(
    _ blocks: AnyPublisher<ArraySlice<Reading>, SluiceError>
  ) -> AnyPublisher<ArraySlice<Reading>, Never> {
    let readings = blocks.intake(ledgers, quota: quota) { [weak self] in self?.report($0) }
    guard bufferSize > 0 else { return readings.eraseToAnyPublisher() }
    return readings.buffer(readings: bufferSize, dropsOldest: operators.whenFull == .dropOldest) { [weak self] count in
      self?.drop(count, 0)
    }.eraseToAnyPublisher()
  }

  /// The streams of one source, up to the throttle.
  private func parts(of source: Source, from base: Int) -> [AnyPublisher<Reading, Never>] {
    let published = source.publisher(StreamID(UInt16(truncatingIfNeeded: base)), epoch)
    let readings = ending(published, source).intake(ledgers, quota: quota) { [weak self] in self?.report($0) }
    let streams =
      source.streams.count == 1
      ? [readings.eraseToAnyPublisher()]
      : readings.partition(into: source.streams.count) { Int($0.stream.index) - base }.map { $0.eraseToAnyPublisher() }
    return streams.enumerated().map { index, stream in
      throttled(buffered(stream, base + index, waits: source.waits), base + index)
    }
  }

  private func buffered(
    _ readings: AnyPublisher<Reading, Never>, _ index: Int, waits: Bool
  ) -> AnyPublisher<Reading, Never> {
    guard bufferSize > 0 else { return readings }
    return readings.buffer(
      size: bufferSize, prefetch: waits ? .keepFull : .byRequest,
      whenFull: operators.whenFull == .dropOldest ? .dropOldest : .dropNewest
    ) { [weak self] _ in self?.drop(1, index) }.eraseToAnyPublisher()
  }

  /// Counts what a full buffer has dropped of a stream.
  private func drop(_ count: Int, _ index: Int) {
    let ledger = ledgers[index]
    let before = ledger.dropped.add(count, ordering: .relaxed).oldValue
    guard operators.whenFull == .fail, before == 0 else { return }
    report(
      SluiceError(
        .failed, "keep up with", ledger.name, because: "its buffer of \(bufferSize) readings is full",
        remedy: "give --buffer more, or say with --when-full what may be dropped"))
    stop()
  }

  private let clocks = Locked([Int: VirtualTimeScheduler]())

  /// The clock of one stream, which its readings move.
  private func clock(_ index: Int) -> VirtualTimeScheduler {
    clocks.withLock { clocks in
      let clock = clocks[index] ?? VirtualTimeScheduler()
      clocks[index] = clock
      return clock
    }
  }

  private func throttled(_ readings: AnyPublisher<Reading, Never>, _ index: Int) -> AnyPublisher<Reading, Never> {
    guard operators.throttle != nil || operators.collect?.interval != nil else { return readings }
    let clocked = readings.gate(gate).clock(clock(index))
    guard let interval = operators.throttle else { return clocked.eraseToAnyPublisher() }
    let ledger = ledgers[index]
    return clocked.throttle(for: interval.stride, scheduler: clock(index), latest: !operators.first) { _ in
      ledger.suppressed.add(1, ordering: .relaxed)
    }.eraseToAnyPublisher()
  }

  private func collect(
    _ readings: AnyPublisher<Reading, Never>, _ collect: CollectArgument, _ index: Int
  ) -> AnyPublisher<[Reading], Never> {
    switch (collect.count, collect.interval) {
    case (let count?, let interval?):
      readings.collect(.byTimeOrCount(clock(index), interval.stride, count)).eraseToAnyPublisher()
    case (nil, let interval?):
      readings.collect(.byTime(clock(index), interval.stride)).eraseToAnyPublisher()
    case (let count, nil):
      readings.collect(count ?? 1).eraseToAnyPublisher()
    }
  }

  // MARK: From outside

  /// Ends the streams where they come in; everything received is still written.
  func stop() {
    state.withLock { $0.stopping = true }
    stopFlag.raise()
    stopSignal.send()
    for source in sources { source.finish?() }
    // What is held is to be written; what is to be discarded is not.
    if pauseMode == .hold { sink?.resume() }
  }

  func pause() { if !state.withLock({ $0.stopping }) { sink?.pause() } }
  /// On a queue of its own: a trace is replayed within the request, while the next signal is to be heard.
  func resume() { resuming.async { self.sink?.resume() } }

  /// Waits until everything is written and every device is as it was.
  func wait() {
    finished.wait()
    for source in sources { source.closed() }
  }

  func report(_ error: SluiceError) {
    state.withLock { $0.errors.append(error) }
    printError(error)
  }

  var errors: [SluiceError] { state.withLock { $0.errors } }

  /// What has become of the readings so far.
  var accounts: [StreamAccount] {
    let writingFailed = state.withLock { $0.writingFailed }
    return zip(ledgers, sink?.counts ?? []).map { ledger, count in
      StreamAccount(
        name: ledger.name, received: ledger.received.load(ordering: .relaxed), written: count.written,
        dropped: ledger.dropped.load(ordering: .relaxed), suppressed: ledger.suppressed.load(ordering: .relaxed),
        discarded: count.discarded, writingFailed: writingFailed)
    }
  }

  /// Of each source, which the streams of these numbers have in common.
  var sourceLosses: [(streams: Range<Int>, losses: [Loss])] {
    var base = 0
    return sources.map { source in
      defer { base += source.streams.count }
      return (base..<base + source.streams.count, source.losses())
    }
  }

  var losses: [Loss] {
    sourceLosses.flatMap { streams, losses in
      losses.map { loss in
        var loss = loss
        loss.streams = ledgers[streams].map(\.name)
        return loss
      }
    }
  }

  /// Of the source whose losses show least.
  var lossCoverage: DeviceLosses.Coverage { sources.map(\.lossCoverage).min() ?? .all }
}

/// A ``CSVSink``, whatever it takes.
private protocol RecordingSink: Pausable {
  func pause()
  var counts: [SinkCount] { get }
}

extension CSVSink: RecordingSink {}
