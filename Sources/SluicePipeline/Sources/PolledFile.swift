/// A file that is read at intervals: `/sys/class/thermal/thermal_zone0/temp@100ms`.
package struct PolledFile: Hashable {
  package let path: String
  package let period: TimeSpan

  package init?(_ argument: String) {
    guard let at = argument.lastIndex(of: "@"), at > argument.startIndex,
      let period = TimeSpan(period: String(argument[argument.index(after: at)...]))
    else { return nil }
    path = String(argument[..<at])
    self.period = period
  }
}
