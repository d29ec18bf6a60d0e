/// Estimates from the times of scans how many are missing between them, given the rate that they should have.
struct ScanGaps {
  private let period: Double
  private var last: Int64?
  private var balance = 0.0

  /// - Parameter rate: In Hz.
  init(rate: Double) { period = 1e9 / rate }

  /// A distance of 1.5 periods or more has at least one missing. One of less than half takes it back: then a scan was late
  /// and not missing. Anything between may be the device's own idea of its rate.
  mutating func add(_ time: Int64) {
    defer { last = time }
    guard let last else { return }
    balance += (Double(time &- last) / period).rounded() - 1
  }

  var missing: Int { balance > 0 ? Int(exactly: balance) ?? .max : 0 }
}
