import SluiceSystem

/// The time zone of this machine.
enum LocalTime {
  /// The offset from UTC at a time, in nanoseconds, and the name of the zone at this time.
  static func zone(at time: Int64) -> (offset: Int64, name: String) {
    var (seconds, parts) = (time_t(floorDivided(time, 1_000_000_000)), tm())
    guard localtime_r(&seconds, &parts) != nil else { return (0, "UTC") }
    let name = parts.tm_zone.map { String(cString: $0) } ?? ""
    return (Int64(parts.tm_gmtoff) * 1_000_000_000, name)
  }

  /// The time of a local time. If the local time does not exist, because clocks went forward, the result is an hour
  /// off.
  static func utc(of local: Int64) -> Int64 {
    let guess = local.subtractingReportingOverflow(zone(at: local).offset).partialValue
    return local.subtractingReportingOverflow(zone(at: guess).offset).partialValue
  }
}

/// The quotient, rounded down.
func floorDivided(_ number: Int64, _ divisor: Int64) -> Int64 {
  let quotient = number / divisor
  return number % divisor < 0 ? quotient - 1 : quotient
}
