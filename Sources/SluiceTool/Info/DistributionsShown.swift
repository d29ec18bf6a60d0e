import SluiceAnalysis
import SluicePipeline
import SluiceReadings

/// The distributions that are printed.
struct DistributionsShown {
  var intervals = false
  var tolerance: Double?
  var percentiles = false
  /// The names of `--histogram`.
  var histograms: [String] = []

  /// A histogram with its name, and the texts of its numbers.
  struct Histogram {
    var name: String
    var values: LogLinearHistogram
    /// Whether its numbers are nanoseconds.
    var isOfTimes: Bool
    var unit: String?
  }

  /// The histograms that are named.
  /// - Throws: If a name has none.
  func histograms(of info: TraceInfo) throws(SluiceError) -> [Histogram] {
    let all = Self.all(info)
    var found: [Histogram] = []
    for name in histograms {
      let named = all.filter { $0.names.contains(name) }.map(\.histogram)
      guard !named.isEmpty else {
        let known = all.map(\.histogram.name)
        let hint =
          nearest(to: name, among: known).map { "did you mean \(quoted($0, atMost: 64))? It has " } ?? "it has "
        throw SluiceError(
          .notFound, "print a histogram of", info.path, because: "it has nothing called \(quoted(name, atMost: 64))",
          remedy: hint + known.prefix(32).joined(separator: ", ") + (known.count > 32 ? " and others" : ""))
      }
      found += named
    }
    return found
  }

  private static func all(_ info: TraceInfo) -> [(histogram: Histogram, names: Set<String>)] {
    info.streams.flatMap { stream -> [(histogram: Histogram, names: Set<String>)] in
      guard let distributions = stream.distributions else { return [] }
      let name = stream.description.name
      let values = zip(stream.description.channels, distributions.values).filter { $0.1.count > 0 }.map {
        channel, values in
        let full = "\(name).\(channel.nameWithoutUnit)"
        return (
          histogram: Histogram(name: full, values: values, isOfTimes: false, unit: channel.unit),
          names: Set(
            [full, channel.nameWithoutUnit, channel.name, "\(name).\(channel.name)"]
              + (stream.description.channels.count == 1 ? [name] : []))
        )
      }
      let intervals = distributions.intervals.map { intervals in
        // The readings of a stream have the name of the stream, as its only channel has.
        let full = intervals.name == name ? "\(name) intervals" : intervals.name
        return (
          histogram: Histogram(name: full, values: intervals.histogram, isOfTimes: true),
          names: Set([full, full.split(separator: " ").last.map(String.init) ?? full])
        )
      }
      return values + intervals
    }
  }
}

extension DistributionsOptions {
  /// What of it is printed.
  var shown: DistributionsShown {
    DistributionsShown(
      intervals: intervals != nil, tolerance: tolerance.map { Double($0.nanoseconds) }, percentiles: percentiles,
      histograms: histogram?.names ?? [])
  }
}
