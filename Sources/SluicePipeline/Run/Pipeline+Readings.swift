import Dispatch
import Sluice
import SluiceExtras
import SluiceReadings
import SluiceRecording
import SluiceStages
import Synchronization

// The way of the readings: from the input, through the stages, to the outputs.

extension Pipeline {
  /// The readings that reach the outputs of a branch.
  func behind(_ branch: OutputBranch, _ readings: AnyPublisher<Reading, Never>) -> AnyPublisher<Reading, Never> {
    let stages = branch.prepared
    let output = branch.outputs.first.map { outputs[$0].path }
    // Outputs without stages of their own share a branch, whose stages are of no single output.
    let place = branch.outputs.count == 1 ? output.map { PlanDifference.Place.output($0) } : nil
    return acting(
      place, (stages.stages, stages.prepared), for: prepared.written, from: 0, branch.own ?? ledgers,
      ahead(stages.stages), of: output, on: readings)
  }

  /// The readings of the input, each counted, in the order of their times.
  var readings: AnyPublisher<Reading, Never> {
    switch input {
    case .devices(let sources): return inOrder(sources)
    case .trace(let replay):
      return replay.publisher().until(stopFlag).intake(ledgers, quota: quota) { [weak self] error in
        self?.state.withLock { $0.isTraceCutShort = true }
        self?.report(error)
      }.eraseToAnyPublisher()
    }
  }

  /// The readings of all sources in the order of their times, behind the stages of single sources.
  private func inOrder(_ sources: [Source]) -> AnyPublisher<Reading, Never> {
    let lines = prepared.ofSources.map { own in
      own.stages.isEmpty
        ? received(from: sources[own.sources.lowerBound], own.streams.lowerBound, ledgers)
        : staged(own, sources)
    }
    if lines.count == 1, !(stages.shared + stages.ofOutputs.flatMap { $0 }).contains(where: \.endsByTime) {
      return lines[0]
    }
    // What the stages of a source held back comes when it comes. Its lateness was judged before them.
    let isStaged = prepared.ofSources.flatMap { own in own.streams.map { _ in !own.stages.isEmpty } }
    return merged(lines, sources, ledgers) { [ledgers] reading in
      let stream = Int(reading.stream.index)
      if !isStaged[stream] { ledgers[stream].flagLate(&reading) }
    }
  }

  /// The readings of the sources that one source of a plan has opened, behind its stages. These see streams that are
  /// numbered from 0.
  private func staged(_ own: PreparedStages.OfSources, _ sources: [Source]) -> AnyPublisher<Reading, Never> {
    let ledgers = Array(self.ledgers[own.streams])
    let sources = Array(sources[own.sources])
    var received: [AnyPublisher<Reading, Never>] = []
    var base = 0
    for source in sources {
      received.append(self.received(from: source, base, ledgers))
      base += source.streams.count
    }
    // Always with marks: they end the windows of a silent source.
    let inOrder = merged(received, sources, ledgers) { ledgers[Int($0.stream.index)].flagLate(&$0) }
    let first = own.streams.lowerBound
    var streams = InputStreams(sources.flatMap(\.streams))
    streams.marks = markTimes
    return acting(
      .source(own.sources.lowerBound), (own.stages, own.prepared), for: streams, from: 0, ledgers, ahead([]),
      on: inOrder
    ).compactMap { reading in
      guard reading.stream != .none else { return nil }
      var reading = reading
      reading.stream = StreamID(UInt16(truncatingIfNeeded: first + Int(reading.stream.index)))
      return reading
    }.eraseToAnyPublisher()
  }

  /// Readings in the order of their times. A clock releases those that wait for a silent source.
  private func merged(
    _ lines: [AnyPublisher<Reading, Never>], _ sources: [Source], _ ledgers: [StreamLedger],
    onLate: @escaping (inout Reading) -> Void
  ) -> AnyPublisher<Reading, Never> {
    let lateness = sources.map(\.lateness).max() ?? 0
    var promises = ticks.map { $0 &- lateness }.eraseToAnyPublisher()
    if sources.allSatisfy(\.hasOwnClock) {
      var rest = ledgers[...]
      let own = sources.map { source in
        defer { rest = rest.dropFirst(source.streams.count) }
        return Array(rest.prefix(source.streams.count))
      }
      let lag = SourceLag(own, lateness: lateness)
      promises = ticks.compactMap { lag.promise(at: $0) }.eraseToAnyPublisher()
    }
    let marks = promises.map { Reading(time: $0, stream: .none, values: Values()) }
    return Publishers.MergeByTime(lines, marks: marks, by: ReadingStamps(), onLate: onLate).eraseToAnyPublisher()
  }

  /// The publisher of one source until the stop, which counts its readings.
  private func received(from source: Source, _ base: Int, _ ledgers: [StreamLedger]) -> AnyPublisher<Reading, Never> {
    var published = source.publisher(StreamID(UInt16(truncatingIfNeeded: base)), epoch)
    if isContinued { published = published.flaggingFirst(base..<(base + source.streams.count)) }
    if let isTimeUncertain { published = published.flaggingTimes(while: isTimeUncertain) }
    if source.finish == nil { published = published.prefix(untilOutputFrom: stopSignal).eraseToAnyPublisher() }
    return published.intake(ledgers, quota: quota) { [weak self] in self?.report($0) }.eraseToAnyPublisher()
  }

  /// The end time of the recording. A stage ends its last windows with it, so that a replay gives the same as the
  /// recording.
  private var ended: Int64? {
    if let replay = input.replay { return replay.ended }
    return state.withLock { state in
      state.endTime = state.endTime ?? epoch.now
      return state.endTime
    }
  }

  /// Readings behind some stages.
  /// - Parameters:
  ///   - place: The place of the stages in the plan; nil if they cannot be exchanged.
  ///   - stages: The stages, and the same for their streams.
  ///   - inputs: The streams in front of them.
  ///   - number: The number of the first of the stages in the ledgers.
  ///   - ledgers: Those of the streams of the readings.
  ///   - ahead: The number of readings that the sinks behind them request.
  ///   - output: The output that alone has them; nil for stages of several.
  func acting(
    _ place: PlanDifference.Place?, _ stages: (all: [any RecordingStage], prepared: [PreparedStage]),
    for inputs: InputStreams, from number: Int, _ ledgers: [StreamLedger], _ ahead: Int, of output: String? = nil,
    on readings: AnyPublisher<Reading, Never>
  ) -> AnyPublisher<Reading, Never> {
    if isChangeable, let place {
      let context = StagePlace.Context(ledgers: ledgers, ahead: ahead, output: output)
      return changing(place, stages.all, stages.prepared, inputs, context, on: readings)
    }
    return stages.prepared.enumerated().reduce(readings) {
      $1.element.act($0, stageContext(number + $1.offset, ledgers, ahead, output))
    }
  }

  /// - Parameter exchanged: Returns the time at which the stage was exchanged for another; nil if it was not.
  func stageContext(
    _ number: Int, _ ledgers: [StreamLedger], _ ahead: Int, _ output: String?,
    exchanged: @escaping () -> Int64? = { nil }
  ) -> StageContext {
    StageContext(
      number: number, ledgers: ledgers,
      keepTotal: { [totals] total in
        totals.withLock { totals in
          let name = ExactName(total.stream)
          // A stream may have a total and windows, and several outputs may number windows, each its own.
          totals[name] = totals[name].map { $0.merging(total) } ?? total
        }
      },
      ended: { [weak self] in exchanged() ?? self?.ended }, sourcesWait: input.sourcesWait,
      ahead: ahead,
      leaveOut: { ledgers[Int($0.stream.index)].suppressed.add(1, ordering: .relaxed) },
      drop: { [weak self] in
        ledgers[Int($0.stream.index)].addDrop(of: $0)
        if let size = $1 { self?.fail(at: $0, size, output) }
      },
      flagGap: { reading in
        guard !reading.flags.contains(.gapBefore) else { return }
        reading.flags.insert(.gapBefore)
        ledgers[Int(reading.stream.index)].addGap(before: reading, inStage: number)
      },
      // On a queue, because the stage holds its lock.
      tellShortened: { [weak self] in
        self?.resuming.perform { [weak self] in self?.events.send(.windowShortened(held: Around.mostHeld)) }
      })
  }

  /// Ends the recording, because a buffer that must not drop a reading has dropped one.
  /// - Parameter output: The output whose buffer it is; nil for the buffer of all.
  private func fail(at reading: Reading, _ size: Int, _ output: String?) {
    let isFirst = state.withLock { state in
      defer { state.isFull = true }
      return !state.isFull
    }
    guard isFirst else { return }
    report(
      SluiceError(
        .failed, "keep up with", output.map(outputTitle) ?? streams[Int(reading.stream.index)].name,
        because: "its buffer of \(size) reading\(size == 1 ? "" : "s") is full",
        remedy: output == nil
          ? "give --buffer more, or say with --when-full what may be dropped"
          : "give it more with buffer=, or say with when-full= what may be dropped"))
    stop()
  }
}
