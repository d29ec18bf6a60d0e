/// The time axis: ticks at round times, with labels that do not touch each other.
package struct TimeAxis: Equatable, Sendable {
  package struct Tick: Equatable, Sendable {
    /// The position, from 0, the start, to 1.
    package let position: Double
    package let label: String
    /// The date, at the first tick and at each change of the date.
    package var detail = ""
  }

  package let ticks: [Tick]
  /// The title of the axis: `time (UTC)`.
  package let title: String

  /// - Parameters:
  ///   - zero: The zero of relative times.
  ///   - fits: Whether labels have space at their positions.
  package init(_ times: ClosedRange<Int64>, _ clock: PlotClock, zero: Int64, fits: ([Tick]) -> Bool) {
    let length = UInt64(bitPattern: times.upperBound &- times.lowerBound)
    // More than 64 labels are not readable.
    let steps = TimeStep.all.filter { length / UInt64($0) <= 64 }
    for step in steps {
      if let (ticks, title) = Self.ticks(times, clock, zero: zero, step: step), !ticks.isEmpty, fits(ticks) {
        self.init(ticks: ticks, title: title)
        return
      }
    }
    // A narrow picture has no space for times of day, but has space for seconds.
    if clock != .relative {
      self.init(times, .relative, zero: times.lowerBound, fits: fits)
      return
    }
    let title = steps.lazy.compactMap { Self.ticks(times, clock, zero: zero, step: $0)?.title }.first ?? "time"
    self.init(ticks: [], title: title)
  }

  private init(ticks: [Tick], title: String) { (self.ticks, self.title) = (ticks, title) }

  private static func ticks(
    _ times: ClosedRange<Int64>, _ clock: PlotClock, zero: Int64, step: Int64
  ) -> (ticks: [Tick], title: String)? {
    if clock == .relative { return RelativeTicks(times, zero: zero, step: step)?.all }
    return ClockTicks(times, isLocal: clock == .local, step: step).all
  }

  static func position(_ time: Int64, in times: ClosedRange<Int64>) -> Double {
    Double(UInt64(bitPattern: time &- times.lowerBound))
      / Double(UInt64(bitPattern: times.upperBound &- times.lowerBound))
  }
}

/// Round durations.
enum TimeStep {
  static let second: Int64 = 1_000_000_000
  static let minute = 60 * second
  static let hour = 60 * minute
  static let day = 24 * hour

  /// The durations from a nanosecond on, in ascending order.
  static let all: [Int64] = {
    var steps: [Int64] = []
    var power: Int64 = 1
    while power < second {
      steps += [power, 2 * power, 5 * power]
      power *= 10
    }
    steps += [1, 2, 5, 10, 20, 30].map { $0 * second } + [1, 2, 5, 10, 20, 30].map { $0 * minute }
    steps += [1, 2, 3, 6, 12].map { $0 * hour }
    power = day
    while power < 20_000 * day {
      steps += [power, 2 * power, 5 * power]
      power *= 10
    }
    return steps
  }()
}
