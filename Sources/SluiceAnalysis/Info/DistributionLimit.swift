import SluicePipeline
package import SluiceReadings

/// A limit that makes `sluice info` fail: `p99.9 > 1.1ms`, `irq high min < 10us`, `deviation max > 100us`, `gaps > 0`,
/// `accel_x p99 > 3`.
package struct DistributionLimit: Sendable {
  package enum Quantity: Equatable, Sendable {
    case percentile(Double)
    case mean, jitter, gaps, missing, within, outside, short, count

    /// Whether it is a number of intervals and not a length.
    var isCount: Bool {
      switch self {
      case .gaps, .missing, .within, .outside, .short, .count: true
      case .percentile, .mean, .jitter: false
      }
    }

    init?(_ word: String) {
      switch word {
      case "min": self = .percentile(0)
      case "max": self = .percentile(100)
      case "mean": self = .mean
      case "jitter": self = .jitter
      case "gaps": self = .gaps
      case "missing": self = .missing
      case "within": self = .within
      case "outside": self = .outside
      case "short": self = .short
      case "count": self = .count
      default:
        guard word.hasPrefix("p"), let percent = Double(word.dropFirst()), (0...100).contains(percent) else {
          return nil
        }
        self = .percentile(percent)
      }
    }
  }

  package enum Comparison: String, CaseIterable, Sendable {
    case atLeast = ">=", atMost = "<=", above = ">", below = "<"

    func holds(_ value: Double, _ limit: Double) -> Bool {
      switch self {
      case .atLeast: value >= limit
      case .atMost: value <= limit
      case .above: value > limit
      case .below: value < limit
      }
    }
  }

  /// The limit as it was given.
  package let text: String
  /// What it is about: `irq rising`, `rising` or `irq`; empty for all.
  let name: String
  let isOfDeviation: Bool
  let quantity: Quantity
  let word: String
  let comparison: Comparison
  let limit: Double
  /// Whether it is about intervals; otherwise it is about the values of channels.
  package let isOfIntervals: Bool

  /// The sentence of a limit that cannot be read.
  package struct Fault: Error {
    package let sentence: String
  }

  package init(_ text: String) throws(Fault) {
    func fault(_ sentence: String) -> Fault { Fault(sentence: "--fail \(quoted(text, atMost: 64)): \(sentence)") }
    self.text = text
    guard let comparison = Comparison.allCases.first(where: { text.contains($0.rawValue) }),
      let place = text.firstRange(of: comparison.rawValue)
    else { throw fault("it has no comparison; write a limit such as 'p99.9 > 1.1ms'") }
    self.comparison = comparison
    var words = text[..<place.lowerBound].split(separator: " ").map(String.init)
    guard let word = words.popLast() else { throw fault("nothing stands before \(comparison.rawValue)") }
    guard let quantity = Quantity(word) else {
      throw fault(
        "there is no quantity \(quoted(word, atMost: 32)); they are min, max, p50, p99.9 and other percentiles, mean, "
          + "jitter, gaps, missing, within, outside, short and count")
    }
    (self.quantity, self.word) = (quantity, word)
    let isOfDeviation = words.last == "deviation"
    if isOfDeviation { words.removeLast() }
    (self.isOfDeviation, name) = (isOfDeviation, words.joined(separator: " "))
    let number = text[place.upperBound...].filter { $0 != " " }
    isShare = number.hasSuffix("%") && [.within, .outside].contains(quantity)
    if isShare, let percent = Double(number.dropLast()) {
      (limit, isOfIntervals) = (percent / 100, true)
    } else if let span = TimeSpan(number), !quantity.isCount {
      (limit, isOfIntervals) = (Double(span.nanoseconds), true)
    } else if let value = Double(number), value.isFinite {
      (limit, isOfIntervals) = (value, quantity.isCount)
    } else {
      throw fault(
        quantity.isCount
          ? "\(word) is a number of intervals; give a number such as 0"
          : "give a time such as 100us for intervals, or a number for the values of a channel")
    }
    guard isOfIntervals || !isOfDeviation && quantity != .jitter else {
      throw fault("\(isOfDeviation ? "a deviation" : "the jitter") is a time; give one with its unit, such as 100us")
    }
  }

  /// Whether the limit is a part of all intervals.
  let isShare: Bool

  /// Whether it depends on how far from the period an interval may be.
  package var takesTolerance: Bool { [.within, .outside].contains(quantity) }
  /// Whether it depends on which pulses are short.
  package var takesShortest: Bool { quantity == .short }

  // MARK: Checking

  /// The sentences about what is over the limit in a trace.
  /// - Throws: If the trace has nothing that the limit is about.
  package func failures(_ info: TraceInfo, tolerance: Double?) throws(SluiceError) -> [String] {
    var sentences: [String] = []
    var isKnown = false
    for stream in info.streams {
      guard let distributions = stream.distributions else { continue }
      if isOfIntervals {
        for intervals in distributions.intervals where names(intervals.name, stream.description.name) {
          guard let value = value(intervals, tolerance) else { continue }
          isKnown = true
          if comparison.holds(value, limit) { sentences.append(sentence(intervals.name, shown(value))) }
        }
      } else {
        for (channel, values) in zip(stream.description.channels, distributions.values) where values.count > 0 {
          let name = "\(stream.description.name).\(channel.nameWithoutUnit)"
          let full = "\(stream.description.name).\(channel.name)"
          guard [name, full, channel.nameWithoutUnit, channel.name, stream.description.name, ""].contains(self.name)
          else {
            continue
          }
          isKnown = true
          let value = value(values)
          if comparison.holds(value, limit) { sentences.append(sentence(name, "\(value)")) }
        }
      }
    }
    guard !isKnown else { return sentences }
    throw SluiceError(
      .usage, "check the limit \(quoted(text, atMost: 64)) of", info.path,
      because: isOfIntervals
        ? (name.isEmpty ? "it has no such intervals" : "it has no such intervals of \(quoted(name, atMost: 64))")
          + (quantity.needsPeriod || isOfDeviation ? ", or they have no period" : "")
        : "it has no such values",
      remedy: isOfIntervals && (quantity.needsPeriod || isOfDeviation) ? "give one with --intervals PERIOD" : nil)
  }

  private func names(_ full: String, _ stream: String) -> Bool {
    name.isEmpty || name == full || name == stream || full.hasSuffix(" \(name)")
  }

  private func sentence(_ name: String, _ value: String) -> String {
    "\(name): \(said) is \(value), so '\(text)' is true"
  }

  private var said: String { isOfDeviation ? "the deviation's \(word)" : word }

  private func shown(_ value: Double) -> String {
    if isShare { return "\(fixed(100 * value, 3)) %" }
    return quantity.isCount ? grouped(value, 0) : spanText(value)
  }

  private func value(_ intervals: IntervalDistribution, _ tolerance: Double?) -> Double? {
    switch quantity {
    case .count: return Double(intervals.count)
    case .short: return Double(intervals.short)
    case .percentile(let percent) where !isOfDeviation: return intervals.histogram.percentile(percent)
    default: break
    }
    guard let period = intervals.period(tolerance: tolerance) else {
      // What a recording has flagged is a gap in any case.
      return quantity == .gaps ? Double(intervals.flagged) : nil
    }
    let all = Double(max(1, intervals.count))
    switch quantity {
    case .percentile(let percent): return intervals.deviation(percent, from: period.nominal)
    case .mean: return isOfDeviation ? nil : period.mean
    case .jitter: return period.jitter
    case .gaps: return Double(period.gaps + intervals.flagged)
    case .missing: return Double(period.missing)
    case .within: return Double(period.within) / (isShare ? all : 1)
    case .outside: return Double(intervals.count - period.within) / (isShare ? all : 1)
    case .short, .count: return nil
    }
  }

  private func value(_ values: LogLinearHistogram) -> Double {
    switch quantity {
    case .percentile(let percent): values.percentile(percent) ?? 0
    case .mean: values.mean ?? 0
    default: 0
    }
  }
}

extension DistributionLimit.Quantity {
  var needsPeriod: Bool {
    switch self {
    case .mean, .jitter, .missing, .within, .outside: true
    default: false
    }
  }
}
