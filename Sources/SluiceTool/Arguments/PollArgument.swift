import ArgumentParser

/// A file to be read again and again: `/sys/class/thermal/thermal_zone0/temp@100ms`.
struct PollArgument: ExpressibleByArgument, Hashable {
  let path: String
  let period: DurationArgument

  init?(argument: String) {
    guard let at = argument.lastIndex(of: "@"), at > argument.startIndex,
      let period = DurationArgument(argument: String(argument[argument.index(after: at)...]))
    else { return nil }
    path = String(argument[..<at])
    self.period = period
  }
}
