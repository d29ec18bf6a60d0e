import SluiceDevices
import SluicePipeline

/// The rates of an IIO device, tried from the lowest until one loses scans.
struct RateLadder: Hashable {
  /// As they are written to sysfs.
  let rates: [String]
  /// The highest so far that lost nothing.
  private(set) var highest: String?
  private var index = 0
  private var hasLost = false

  /// Where a device does not say which rates it takes, as a high-resolution timer that triggers scans: faster ones would
  /// leave a board no time for anything else.
  private static let limit = 100_000.0
  /// A run takes a second: slower ones would tell nothing.
  private static let lowest = 1.0

  init(_ rate: IIOSamplingRate) {
    let words = (rate.available ?? "").split { " []".contains($0) }.map(String.init)
    let numbers = words.compactMap(Self.number)
    if let available = rate.available, !available.contains("["), !numbers.isEmpty {
      rates = words.filter { Self.number($0) != nil }.sorted { (Self.number($0) ?? 0) < (Self.number($1) ?? 0) }
    } else {
      // [minimum step maximum], or nothing: from the rate it has, but not below 1 Hz, each twice the one before.
      rates = Self.doubling(from: Self.number(rate.current), to: numbers.count == 3 ? numbers[2] : Self.limit)
    }
  }

  /// The rate to try now; nil when that is over.
  var current: String? { index < rates.count ? rates[index] : nil }

  /// - Parameter lost: Whether the current rate lost anything. Something else that the machine does may cost a scan at any
  ///   rate, so each has a second chance.
  mutating func report(lost: Bool) {
    guard let rate = current else { return }
    if !lost {
      highest = rate
      index += 1
      hasLost = false
    } else if hasLost {
      index = rates.count
    } else {
      hasLost = true
    }
  }

  private static func doubling(from first: Double?, to limit: Double) -> [String] {
    guard let first else { return [] }
    var rate = max(first, lowest)
    var rates: [String] = []
    while rate <= limit {
      rates.append(rate == rate.rounded() ? fixed(rate, 0) : fixed(rate, 3))
      rate *= 2
    }
    return rates
  }

  /// A rate as sysfs writes it; nil where it is none.
  static func number(_ text: String) -> Double? { Double(text).flatMap { $0 > 0 && $0.isFinite ? $0 : nil } }
}
