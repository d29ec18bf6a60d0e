/// Ticks of times that count from the first reading: `0.5`, `1`, `1.5`, in one unit.
struct RelativeTicks {
  let all: (ticks: [TimeAxis.Tick], title: String)

  private static let units: [(name: String, length: Int64)] = [
    ("ns", 1), ("us", 1_000), ("ms", 1_000_000), ("s", TimeStep.second), ("min", TimeStep.minute),
    ("h", TimeStep.hour), ("d", TimeStep.day),
  ]

  init(_ times: ClosedRange<Int64>, zero: Int64, step: Int64) {
    let (lower, upper) = (Self.age(times.lowerBound, zero), Self.age(times.upperBound, zero))
    let length = Double(upper) - Double(lower)
    // Up to 2,000 ns, us and ms, 180 s and min, 72 h.
    let limits: [Double] = [2e3, 2e6, 2e9, 180e9, 180 * 60e9, 72 * 3600e9]
    let number = limits.firstIndex { length <= $0 } ?? limits.count
    let (name, unit) = Self.units[number]
    // Far from zero a short stretch would need long numbers.
    let isFar = number < 3 && max(lower.magnitude, upper.magnitude) / UInt64(unit) >= 1_000_000
    let base = isFar ? floorDivided(lower, 1_000 * unit) * 1_000 * unit : 0
    var decimals = 0
    var scaled = step
    // Half a minute, half a day: at most two digits.
    while scaled % unit != 0, decimals < 3 {
      let (product, overflow) = scaled.multipliedReportingOverflow(by: 10)
      if overflow { break }
      (scaled, decimals) = (product, decimals + 1)
    }
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

  /// The time since another; times may be so far apart that 64 bits are not enough.
  private static func age(_ time: Int64, _ zero: Int64) -> Int64 {
    let (age, overflow) = time.subtractingReportingOverflow(zero)
    return overflow ? (time < zero ? .min : .max) : age
  }
}
