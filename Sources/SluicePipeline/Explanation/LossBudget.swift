package import SluiceDevices
import SluiceReadings
import SluiceRecording
import SluiceStages

/// For each source of a recording, how long the outputs and this program may stand still before a reading is lost. The
/// budget is computed before anything is opened.
///
/// Each figure is a lower bound: a part that is not known counts as nothing, or the figure is unknown.
package struct LossBudget {
  /// The budget of one source of a plan.
  package struct Line {
    /// The name of the source, or else its text `KIND:WHAT`.
    package var name: String
    package var forecast: SourceForecast
    /// How long the outputs without a buffer of their own may stand still; nil if there is no such output.
    package var outputs: Stall?
    /// For each output with a buffer of its own, how long it may stand still.
    package var ownBuffers: [(path: String, stall: Stall)]
    /// How long a pause may hold the readings; nil if it discards them.
    package var pause: Stall?
    /// How long this program may stand still.
    package var program: Stall

    /// Whether one of the times is computed from an assumed rate.
    var isOfAssumedRate: Bool {
      ([outputs, pause, program] + ownBuffers.map(\.stall)).contains { stall in
        if case .readings? = stall { true } else { false }
      }
    }
  }

  package var lines: [Line]
  /// How many readings of each stream the buffer of all sources keeps; 0 if there is no buffer, nil if the number is
  /// known only when the devices are open.
  package var buffered: Int?
  /// Whether the recording fails when the buffer of all sources is full.
  package var failsWhenFull: Bool

  /// - Parameters:
  ///   - plan: A plan of sources.
  ///   - roots: The folders of the devices.
  package init(_ plan: RecordingPlan, roots: DeviceRoots) {
    let sources = plan.sources
    let forecasts = sources.map { $0.spec.source.forecast($0.spec.settings, roots) }
    let known = BudgetStreams(plan, forecasts)
    let buffer = plan.stages.firstIndex { $0.stage is BufferStage }
    let before = plan.stages.prefix(buffer ?? 0).map(\.stage)
    let waits = forecasts.allSatisfy { $0.queue == .sender }
    buffered = buffer == nil ? 0 : known.buffered
    failsWhenFull = buffer.map { (plan.stages[$0].stage as? BufferStage)?.whenFull == .fail } ?? false
    let buffered = buffered
    let rates = zip(sources, forecasts).map { source, forecast in
      Self.rate(forecast.rate, behind: source.stages.map(\.stage) + before)
    }
    // The rates behind the buffer and the stages of an output, for the rows that wait for its disk.
    let behind = plan.stages.dropFirst((buffer ?? -1) + 1).map(\.stage)
    let rowRates = plan.outputs.map { output in
      rates.map { Self.rate($0, behind: behind + output.stages.map(\.stage)) }
    }
    let shared = plan.outputs.indices.filter { plan.outputs[$0].buffer == nil }
    lines = sources.indices.map { index in
      let forecast = forecasts[index]
      let program = Self.program(forecast)
      // Without a buffer, readings wait in the kernel or at the sender.
      let kept = buffered.map { $0 == 0 ? program : Stall($0, at: rates[index]) } ?? .unknown
      func spilled(_ output: Int, isPause: Bool = false) -> Stall {
        isPause || plan.spills[output].always ? known.spilled(of: output, rowRates[output]) : .time(0)
      }
      func stored(_ output: Int) -> Stall { spilled(output) + known.spooled(of: output, rowRates[output]) }
      // The readings before an event come at once: they take the room of so much time.
      func least(_ stall: Stall, _ output: Int) -> Stall {
        let stages = sources[index].stages + plan.stages + plan.outputs[output].stages
        return stall.without(stages.compactMap { ($0.stage as? AroundStage)?.before?.nanoseconds }.reduce(0, +))
      }
      let outputs = shared.map { least(known.rows(of: $0, rowRates[$0]) + kept + stored($0), $0) }
      let own = plan.outputs.indices.filter { plan.outputs[$0].buffer != nil }.map { number in
        let buffer = known.buffered(of: number).map { Stall($0, at: rowRates[number][index]) } ?? .unknown
        let stall = known.rows(of: number, rowRates[number]) + buffer + stored(number)
        return (path: plan.outputs[number].path, number: number, buffer: buffer, stall: least(stall, number))
      }
      // In a pause no rows gather: only buffers and spills keep readings.
      let paused =
        plan.outputs.indices.allSatisfy { plan.spills[$0].isSpilling }
        ? Self.least(
          shared.map { least(kept + spilled($0, isPause: true), $0) }
            + own.map { least($0.buffer + spilled($0.number, isPause: true), $0.number) })
        : Self.least(shared.map { least(kept, $0) } + own.map { least($0.buffer, $0.number) })
      return Line(
        name: sources[index].spec.name ?? "\(sources[index].spec.kind.name):\(sources[index].spec.what)",
        forecast: forecast,
        outputs: shared.isEmpty ? nil : waits ? .endless : Self.least(outputs),
        ownBuffers: own.map { ($0.path, $0.stall) },
        pause: plan.pauseMode == .discard ? nil : waits ? .endless : paused, program: program)
    }
  }

  private static func least(_ stalls: [Stall]) -> Stall {
    if stalls.contains(.unknown) { return .unknown }
    var least: Stall = .endless
    for stall in stalls {
      switch (least, stall) {
      case (.endless, _): least = stall
      case (.time(let a), .time(let b)): least = .time(min(a, b))
      case (.readings(let a), .readings(let b)): least = .readings(min(a, b))
      default: break
      }
    }
    return least
  }

  // MARK: Rates

  /// The most readings per second of each stream behind some stages.
  static func rate(_ rate: Double?, behind stages: [any RecordingStage]) -> Double? {
    stages.reduce(rate) { rate, stage in
      func atMost(_ interval: TimeSpan) -> Double { min(rate ?? .infinity, 1 / interval.seconds) }
      return switch stage {
      case let every as EveryStage: rate.map { $0 / Double(every.count) }
      case let throttle as ThrottleStage: atMost(throttle.interval)
      // Each window gives one reading, however few have come.
      case let resample as ResampleStage: 1 / resample.interval.seconds
      case let reduce as ReduceStage: atMost(reduce.interval)
      case let frequency as FrequencyStage: 1 / frequency.interval.seconds
      // A stage that makes readings has an unknown rate. Others pass at most the readings that they get.
      default: type(of: stage).makes ? nil : rate
      }
    }
  }

  /// How long this program may stand still.
  private static func program(_ forecast: SourceForecast) -> Stall {
    switch forecast.queue {
    case .nothing?:
      // A stall that is shorter than the time between two readings only delays a reading.
      forecast.rate.map { Stall(1, at: $0) } ?? .unknown
    case .readings(let capacity, let waiting)?:
      Stall(max(0, capacity - waiting), at: forecast.rate.map { $0 * Double(forecast.streams?.count ?? 1) })
    case .bytes(let capacity, let perSecond)?: Stall(capacity, at: Double(perSecond))
    case .sender?: .endless
    case nil: .unknown
    }
  }
}
