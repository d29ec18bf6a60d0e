@_spi(Preview) package import SluiceDevices
import SluiceReadings
@_spi(Preview) import SluiceRecording
import SluiceStages

/// What a recording can lose: for each source, how long its outputs and this program may stand still before a reading is
/// lost. It is computed before anything is opened.
///
/// Each figure is a lower bound: what is not known counts as nothing.
package struct LossBudget {
  /// The budget of one source of a plan.
  package struct Line {
    /// Its name, or else its text.
    package var name: String
    package var forecast: SourceForecast
    /// The readings of each stream that reach the buffer of all per second, at most; nil if nobody knows.
    package var bufferedRate: Double?
    /// How long the outputs without a buffer of their own may stand still; nil if there is none.
    package var outputs: Stall?
    /// By output with a buffer of its own, how long it may stand still.
    package var ownBuffers: [(path: String, stall: Stall)]
    /// How long this program may stand still.
    package var program: Stall

    /// Whether a time of it is only that of an assumed rate.
    var isOfAssumedRate: Bool {
      ([outputs, program] + ownBuffers.map(\.stall)).contains { stall in
        if case .readings? = stall { true } else { false }
      }
    }
  }

  package var lines: [Line]
  /// The readings of each stream that the buffer of all keeps; 0 if there is no buffer, nil if the number is known only
  /// when the devices are open.
  package var buffered: Int?
  /// Whether the buffer of all fails the recording when it is full.
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
    // Behind the buffer, for the rows that wait for the disk.
    let rowRates = rates.map { Self.rate($0, behind: plan.stages.dropFirst((buffer ?? -1) + 1).map(\.stage)) }
    let shared = plan.outputs.indices.filter { plan.outputs[$0].buffer == nil }
    lines = sources.indices.map { index in
      let forecast = forecasts[index]
      let program = Self.program(forecast)
      // Without a buffer, readings stay where they come from.
      let kept = buffered.map { $0 == 0 ? program : Stall($0, at: rates[index]) } ?? .unknown
      let outputs = shared.map { known.rows(of: $0, rowRates) + kept }
      return Line(
        name: sources[index].spec.name ?? "\(sources[index].spec.kind.name):\(sources[index].spec.what)",
        forecast: forecast, bufferedRate: rates[index],
        outputs: shared.isEmpty ? nil : waits ? .endless : Self.least(outputs),
        ownBuffers: plan.outputs.indices.filter { plan.outputs[$0].buffer != nil }.map { number in
          let rate = Self.rate(rowRates[index], behind: plan.outputs[number].stages.map(\.stage))
          let own = known.buffered(of: number).map { Stall($0, at: rate) } ?? .unknown
          return (plan.outputs[number].path, known.rows(of: number, rowRates) + own)
        },
        program: program)
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

  /// The most readings of each stream per second behind some stages.
  static func rate(_ rate: Double?, behind stages: [any RecordingStage]) -> Double? {
    stages.reduce(rate) { rate, stage in
      func atMost(_ interval: TimeSpan) -> Double { min(rate ?? .infinity, 1 / interval.seconds) }
      return switch stage {
      case let every as EveryStage: rate.map { $0 / Double(every.count) }
      case let throttle as ThrottleStage: atMost(throttle.interval)
      // One reading for each window, however few have come.
      case let resample as ResampleStage: 1 / resample.interval.seconds
      case let reduce as ReduceStage: atMost(reduce.interval)
      case let frequency as FrequencyStage: 1 / frequency.interval.seconds
      // A frame of many edges is one reading, and others let through what they get at most.
      default: type(of: stage).makes ? nil : rate
      }
    }
  }

  /// How long this program may stand still.
  private static func program(_ forecast: SourceForecast) -> Stall {
    switch forecast.queue {
    case .nothing?:
      // Less than the time between two readings makes one late.
      forecast.rate.map { Stall(1, at: $0) } ?? .unknown
    case .readings(let capacity, let waiting)?:
      Stall(max(0, capacity - waiting), at: forecast.rate.map { $0 * Double(forecast.streams?.count ?? 1) })
    case .bytes(let capacity, let perSecond)?: Stall(capacity, at: Double(perSecond))
    case .sender?: .endless
    case nil: .unknown
    }
  }
}
