/// The size of a group of readings: `50` readings, the readings of `1s`, or `50,1s`, whichever is reached first.
/// A rate is a time too: `10Hz`.
package struct CollectLimit: Hashable {
  package var count: Int?
  package var interval: TimeSpan?

  package init(count: Int?, interval: TimeSpan?) {
    self.count = count
    self.interval = interval
  }

  package init?(_ argument: String) {
    for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
      if let count = Int(part), count > 0, self.count == nil {
        self.count = count
      } else if let interval = TimeSpan(period: String(part)), self.interval == nil {
        self.interval = interval
      } else {
        return nil
      }
    }
  }
}
