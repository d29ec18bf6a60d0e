/// The rate over the last seconds, from counts at several times.
package final class RateWindow {
  private let length: Double
  private var looks: [(received: Int, seconds: Double)] = [(0, 0)]

  package init(length: Double) { self.length = length }

  /// - Returns: Readings per second since the oldest count within the window.
  package func rate(received: Int, at seconds: Double) -> Double {
    looks.append((received, seconds))
    while looks.count > 2, looks[1].seconds <= seconds - length { looks.removeFirst() }
    let span = seconds - looks[0].seconds
    return span > 0 ? Double(received - looks[0].received) / span : 0
  }
}
