import SluicePipeline

/// Ticks of times that count from the first reading: `0.5`, `1`, `1.5`, in one unit.
struct RelativeTicks {
  let all: (ticks: [TimeAxis.Tick], title: String)

  private static let units: [(name: String, length: Int64)] = [
    ("ns", 1), ("us", 1_000), ("ms", 1_000_000), ("s", TimeStep.second), ("min", TimeStep.minute),
    ("h", TimeStep.hour), ("d", TimeStep.day),
  ]

  /// Nil if the labels would be long numbers: 20 s are a third of a minute.
  init?(_ times: ClosedRange<Int64>, zero: Int64, step: Int64) {
    let (lower, upper) = (Self.age(times.lowerBound, zero), Self.age(times.upperBound, zero))
    let length = Double(upper) - Double(lower)
    // Up to 2,000 ns, us and ms, 300 s, 180 min, 72 h.
    let limits: [Double] = [2e3, 2e6, 2e9, 300e9, 180 * 60e9, 72 * 3600e9]
    let number = limits.firstIndex { length <= $0 } ?? limits.count
    let (name, unit) = Self.units[number]
    // Far from zero, a short time range would need long numbers.
    let isFar = number < 3 && max(lower.magnitude, upper.magnitude) / UInt64(unit) >= 1_000_000
    let base = isFar ? floorDivided(lower, 1_000 * unit) * 1_000 * unit : 0
    guard let decimals = (0...3).first(where: { Self.isWhole(step, times: $0, unit) }) else { return nil }
    var ticks: [TimeAxis.Tick] = []
    var multiple = floorDivided(lower, step)
    while ticks.count <= 66 {
      let (age, overflow) = multiple.multipliedReportingOverflow(by: step)
      if overflow || age > upper { break }
      if age >= lower {
        let position = Double(UInt64(bitPattern: age &- lower)) / Double(UInt64(bitPattern: upper &- lower))
        let value = Double(age.subtractingReportingOverflow(base).partialValue) / Double(unit)
        ticks.append(TimeAxis.Tick(position: position, label: fixed(value, decimals)))
      }
      multiple += 1
    }
    let origin = base == 0 ? "" : " after \(fixed(Double(base) / 1e9, [9, 6, 3][number])) s"
    all = (ticks, "time (\(name)\(origin))")
  }

  /// Whether a step has at most this number of decimals in a unit. For minutes, hours and days, halves are enough.
  private static func isWhole(_ step: Int64, times decimals: Int, _ unit: Int64) -> Bool {
    guard decimals > 0 else { return step % unit == 0 }
    if unit > TimeStep.second { return decimals == 1 && step % (unit / 2) == 0 }
    return step % max(1, unit / [1, 10, 100, 1_000][decimals]) == 0
  }

  /// The interval between two times. It may not fit in 64 bits.
  private static func age(_ time: Int64, _ zero: Int64) -> Int64 {
    let (age, overflow) = time.subtractingReportingOverflow(zero)
    return overflow ? (time < zero ? .min : .max) : age
  }
}
