import ArgumentParser

/// How readings are gathered: `50` of them, those of `1s`, or `50,1s`, whichever comes first.
struct CollectArgument: ExpressibleByArgument, Hashable {
  var count: Int?
  var interval: DurationArgument?

  init?(argument: String) {
    for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
      if let count = Int(part), count > 0, self.count == nil {
        self.count = count
      } else if let interval = DurationArgument(argument: String(part)), self.interval == nil {
        self.interval = interval
      } else {
        return nil
      }
    }
  }
}
