import Dispatch
import Sluice
import SluiceDispatch
import SluicePipeline
import SluiceReadings

/// What a value costs on its way through some chains of the library.
struct StreamsBenchmark {
  let duration: TimeSpan
  let interruption: Interruption

  private static let values = 50_000

  /// Where values end. Not inlined: a call that has to be made for each value, in order, as a program's own would be;
  /// otherwise the optimiser makes one loop of some chains and nothing of others.
  private final class Sum {
    private var value = 0

    @inline(never) func add(_ value: Int) { self.value &+= value }
  }

  private typealias Chain = (name: String, run: @Sendable (Int) -> Void)

  func run() throws(SluiceError) -> BenchSection {
    var measurements: [Measurement] = []
    let share = duration.nanoseconds / Int64(Self.chains.count)
    for chain in Self.chains {
      let cost = try MedianCost(of: Self.values, for: share, interruption) { () throws(SluiceError) in
        chain.run(Self.values)
      }
      measurements.append(
        Measurement(
          name: chain.name,
          figures: [
            Figure("ns_per_value", "ns a value", cost.wall),
            Figure("cpu_ns_per_value", "CPU ns a value", cost.cpu),
            Figure("values_per_second", "values/s", 1e9 / cost.wall, decimals: 0),
          ]))
    }
    return BenchSection(key: "streams", title: "streams", measurements: measurements)
  }

  /// A sequence's own operators work on the whole sequence before anybody subscribes; behind `Deferred` they do not.
  private static func source(_ count: Int) -> Deferred<Publishers.Sequence<Range<Int>, Never>> {
    Deferred { (0..<count).publisher }
  }

  private static let chains: [Chain] = [
    (
      "map.filter.scan",
      { count in
        let sum = Sum()
        _ = source(count).map { $0 &+ 1 }.filter { $0 & 1 == 0 }.scan(0) { $0 &+ $1 }.sink { sum.add($0) }
      }
    ),
    (
      "buffer",
      { count in
        let sum = Sum()
        _ = source(count).buffer(size: 100, prefetch: .keepFull, whenFull: .dropNewest).sink { sum.add($0) }
      }
    ),
    (
      "throttle",
      { count in
        let queue = DispatchQueue(label: "sluice.bench")
        finish(source(count).throttle(for: .milliseconds(1), scheduler: queue, latest: true))
      }
    ),
    (
      "collect(100)",
      { count in
        let sum = Sum()
        _ = source(count).collect(100).sink { sum.add($0.count) }
      }
    ),
    (
      "receive(on:)",
      { count in finish(source(count).receive(on: DispatchQueue(label: "sluice.bench"))) }
    ),
  ]

  /// Runs a chain that ends on another thread.
  private static func finish<P: Publisher>(_ chain: P) where P.Output == Int, P.Failure == Never {
    let sum = Sum()
    let done = DispatchSemaphore(value: 0)
    let cancellable = chain.sink(receiveCompletion: { _ in done.signal() }, receiveValue: { sum.add($0) })
    done.wait()
    withExtendedLifetime(cancellable) {}
  }
}
