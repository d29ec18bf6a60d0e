import SluiceBenchmarks
import SluicePipeline
import SluiceReadings

/// Measures the cost of a value in some chains of operators.
struct StreamsBenchmark {
  let duration: TimeSpan
  let interruption: Interruption

  private static let values = 50_000

  func run() throws(SluiceError) -> BenchSection {
    var measurements: [Measurement] = []
    let share = duration.nanoseconds / Int64(StreamChains.all.count)
    for chain in StreamChains.all {
      let cost = try MedianCost(of: Self.values, for: share, interruption) { () throws(SluiceError) in
        chain.run(Self.values)
      }
      measurements.append(
        Measurement(
          name: chain.name,
          figures: [
            Figure("ns_per_value", "ns per value", cost.wall),
            Figure("cpu_ns_per_value", "CPU ns per value", cost.cpu),
            Figure("values_per_second", "values/s", 1e9 / cost.wall, decimals: 0),
          ]))
    }
    return BenchSection(key: "streams", title: "streams", measurements: measurements)
  }
}
