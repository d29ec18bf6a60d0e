import Dispatch
import Sluice
import SluiceDispatch

/// Chains of operators that `sluice bench` sends values through.
package enum StreamChains {
  package typealias Chain = (name: String, run: @Sendable (_ count: Int) -> Void)

  /// Where values end. Not inlined: a call that has to be made for each value, in order, as a program's own would be;
  /// otherwise the optimiser makes one loop of some chains and nothing of others.
  private final class Sum {
    private var value = 0

    @inline(never) func add(_ value: Int) { self.value &+= value }
  }

  /// A sequence's own operators work on the whole sequence before anybody subscribes; behind `Deferred` they do not.
  private static func source(_ count: Int) -> Deferred<Publishers.Sequence<Range<Int>, Never>> {
    Deferred { (0..<count).publisher }
  }

  package static let all: [Chain] = [
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
