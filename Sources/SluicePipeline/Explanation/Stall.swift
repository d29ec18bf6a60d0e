import SluiceReadings

/// How long something may stand still before a reading is lost.
package enum Stall: Equatable, Sendable {
  /// Nanoseconds.
  case time(Int64)
  /// The number of readings that may still come. Nobody knows how long that takes.
  case readings(Int)
  /// Nothing is ever lost, because the sender waits.
  case endless
  case unknown

  /// The time until a number of readings has come.
  /// - Parameter rate: Readings per second; nil if nobody knows.
  init(_ readings: Int, at rate: Double?) {
    guard let rate, rate > 0 else {
      self = .readings(readings)
      return
    }
    let nanoseconds = Double(readings) / rate * 1e9
    self = .time(nanoseconds < 9e18 ? Int64(nanoseconds) : .max)
  }

  /// One stall after the other.
  static func + (a: Stall, b: Stall) -> Stall {
    switch (a, b) {
    case (.unknown, _), (_, .unknown): .unknown
    case (.endless, _), (_, .endless): .endless
    case (.time(let a), .time(let b)): .time(a.addingReportingOverflow(b).overflow ? .max : a + b)
    case (.readings(let a), .readings(let b)): .readings(a.addingReportingOverflow(b).overflow ? .max : a + b)
    // A lower bound: at least the readings.
    case (.readings(let count), .time), (.time, .readings(let count)): .readings(count)
    }
  }

  /// What is left if so many nanoseconds of it are used already.
  func without(_ nanoseconds: Int64) -> Stall {
    switch self {
    case .time(let all): .time(max(0, all - nanoseconds))
    case .readings: nanoseconds > 0 ? .unknown : self
    case .endless, .unknown: self
    }
  }

  /// The rate in readings per second that is assumed if nobody knows the rate.
  package static let assumedRate = 1_000.0

  package var text: String {
    switch self {
    case .time(0), .readings(0): "none"
    case .time(let nanoseconds): Self.text(nanoseconds)
    case .readings(let count):
      "\(grouped(count)) reading\(count == 1 ? "" : "s"): \(Stall(count, at: Self.assumedRate).text) at \(grouped(Int(Self.assumedRate)))/s"
    case .endless: "any time"
    case .unknown: "unknown"
    }
  }

  /// The time, rounded down because it is a promise: `2.05 s`, `1 min 50 s`, `3 h 12 min`, `5 d 2 h`.
  private static func text(_ nanoseconds: Int64) -> String {
    let seconds = nanoseconds / 1_000_000_000
    switch seconds {
    case 0:
      let unit: (Int64, String) = nanoseconds < 1_000_000 ? (1_000, "us") : (1_000_000, "ms")
      return "\(nanoseconds / unit.0) \(unit.1)"
    case ..<60:
      let hundredths = nanoseconds / 10_000_000
      return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100) s"
    case ..<3_600: return "\(seconds / 60) min \(seconds % 60) s"
    case ..<86_400: return "\(seconds / 3_600) h \(seconds / 60 % 60) min"
    default: return "\(grouped(Int(seconds / 86_400))) d \(seconds / 3_600 % 24) h"
    }
  }
}
