import SluiceSystem

/// Ticks at round times of day. The first tick has the date, and so has each tick at which the date changes.
struct ClockTicks {
  let all: (ticks: [TimeAxis.Tick], title: String)

  init(_ times: ClosedRange<Int64>, isLocal: Bool, step: Int64) {
    let zone = isLocal ? Self.zone(times) : "UTC"
    if step < 1_000_000 {
      all = Self.fine(times, isLocal: isLocal, step: step, zone)
      return
    }
    let isDaily = step >= TimeStep.day
    var ticks: [TimeAxis.Tick] = []
    var date = ""
    for (time, local) in Self.rounds(times, isLocal: isLocal, step: step) {
      let next = Self.text(local, isDaily ? "%Y" : "%Y-%m-%d")
      let label = isDaily ? Self.text(local, "%m-%d") : Self.timeOfDay(local, step)
      let position = TimeAxis.position(time, in: times)
      ticks.append(TimeAxis.Tick(position: position, label: label, detail: next == date ? "" : next))
      date = next
    }
    all = (ticks, isLocal ? "local time (\(zone))" : "time (UTC)")
  }

  /// Ticks with steps below a millisecond. Their labels count from a round time.
  private static func fine(
    _ times: ClosedRange<Int64>, isLocal: Bool, step: Int64, _ zone: String
  ) -> (ticks: [TimeAxis.Tick], title: String) {
    let (unit, name, digits): (Int64, String, Int) = step >= 1_000 ? (1_000, "us", 3) : (1, "ns", 6)
    let (round, isTooFar) = floorDivided(times.lowerBound, 1_000 * unit).multipliedReportingOverflow(by: 1_000 * unit)
    let base = isTooFar ? times.lowerBound : round
    let ticks = rounds(times, isLocal: false, step: step).map { time, _ in
      TimeAxis.Tick(
        position: TimeAxis.position(time, in: times),
        label: String(time.subtractingReportingOverflow(base).partialValue / unit))
    }
    let local = isLocal ? local(base) : base
    let text = text(local, "%Y-%m-%d %H:%M:%S") + fraction(local, digits)
    return (ticks, "\(name) after \(text) (\(zone))")
  }

  /// The times at which the local time is a multiple of the step, and these local times.
  private static func rounds(
    _ times: ClosedRange<Int64>, isLocal: Bool, step: Int64
  ) -> [(time: Int64, local: Int64)] {
    var rounds: [(Int64, Int64)] = []
    var multiple = floorDivided(isLocal ? local(times.lowerBound) : times.lowerBound, step)
    while rounds.count <= 66 {
      let (local, overflow) = multiple.multipliedReportingOverflow(by: step)
      if overflow { break }
      let time = isLocal ? LocalTime.utc(of: local) : local
      if time > times.upperBound { break }
      // Two of them may be the same when clocks go forward to summer time.
      if time >= times.lowerBound, rounds.last.map({ $0.0 < time }) ?? true { rounds.append((time, local)) }
      if multiple == .max { break }
      multiple += 1
    }
    return rounds
  }

  private static func local(_ time: Int64) -> Int64 {
    time.addingReportingOverflow(LocalTime.zone(at: time).offset).partialValue
  }

  // MARK: Text

  private static func timeOfDay(_ local: Int64, _ step: Int64) -> String {
    if step >= TimeStep.minute { return text(local, "%H:%M") }
    let digits = step >= TimeStep.second ? 0 : step >= 100_000_000 ? 1 : step >= 10_000_000 ? 2 : 3
    return text(local, "%H:%M:%S") + fraction(local, digits)
  }

  private static func fraction(_ time: Int64, _ digits: Int) -> String {
    let rest = (time % TimeStep.second + TimeStep.second) % TimeStep.second
    return digits == 0 ? "" : "." + String(String(TimeStep.second + rest).dropFirst().prefix(digits))
  }

  private static func text(_ time: Int64, _ format: String) -> String {
    var (seconds, parts) = (time_t(floorDivided(time, TimeStep.second)), tm())
    gmtime_r(&seconds, &parts)
    var text = [CChar](repeating: 0, count: 40)
    guard strftime(&text, text.count, format, &parts) > 0 else { return "" }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// `CET, UTC+01:00`; both zones if the clocks change within the axis.
  private static func zone(_ times: ClosedRange<Int64>) -> String {
    let (first, last) = (LocalTime.zone(at: times.lowerBound), LocalTime.zone(at: times.upperBound))
    let zones = first.offset == last.offset ? [first] : [first, last]
    return zones.map { zone in
      let minutes = abs(zone.offset) / TimeStep.minute
      let clock = String(100 + minutes / 60).dropFirst() + ":" + String(100 + minutes % 60).dropFirst()
      let offset = "UTC\(zone.offset < 0 ? "-" : "+")\(clock)"
      // The name of a zone without a name is its offset: +03.
      return zone.name.isEmpty || zone.name == "UTC" || zone.name.hasPrefix("+") || zone.name.hasPrefix("-")
        ? offset : "\(zone.name), \(offset)"
    }.joined(separator: ", then ")
  }
}
