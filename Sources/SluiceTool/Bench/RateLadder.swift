import SluiceDevices
import SluicePipeline

/// The rates of an IIO device, tried from the lowest until one loses scans.
struct RateLadder: Equatable {
  /// The rates, as they are written to sysfs.
  let rates: [String]
  /// The highest rate so far that lost nothing.
  private(set) var highest: String?
  private var index = 0
  private var hasLost = false

  /// The limit for a device that does not list its rates, such as a high-resolution timer that triggers scans. At
  /// higher rates a board would have no time for anything else.
  private static let limit = 100_000.0
  /// A run takes a second, so a lower rate would give no scan.
  private static let lowest = 1.0

  init(_ rate: IIOSamplingRate) {
    let words = (rate.available ?? "").split { " []".contains($0) }.map(String.init)
    let numbers = words.compactMap(Self.number)
    if let available = rate.available, !available.contains("["), !numbers.isEmpty {
      rates = words.filter { Self.number($0) != nil }.sorted { (Self.number($0) ?? 0) < (Self.number($1) ?? 0) }
    } else {
      // sysfs has `[minimum step maximum]`, or nothing. The ladder begins at the current rate, or at 1 Hz if that is
      // higher, and doubles.
      rates = Self.doubling(from: Self.number(rate.current), to: numbers.count == 3 ? numbers[2] : Self.limit)
    }
  }

  /// The rate to try now; nil after the last one.
  var current: String? { index < rates.count ? rates[index] : nil }

  /// - Parameter lost: Whether the current rate lost anything. Each rate is tried twice, because other work of the
  ///   machine may cost a scan at any rate.
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

  /// The rate in a text of sysfs; nil if the text is no rate.
  static func number(_ text: String) -> Double? { Double(text).flatMap { $0 > 0 && $0.isFinite ? $0 : nil } }
}
