import Measurement

#if OPENCOMBINE
  import OpenCombine
  private let library = "OpenCombine"
#else
  import Sluice
  private let library = "Sluice"
#endif

/// A publisher as the documents teach it: a generic subscription that holds its subscriber.
private final class CountSubscription<S: Subscriber>: Subscription where S.Input == Int {
  private var subscriber: S?
  private var next = 0
  private let end: Int

  init(_ subscriber: S, _ end: Int) {
    self.subscriber = subscriber
    self.end = end
  }

  func request(_ demand: Subscribers.Demand) {
    while next < end, let subscriber {
      next += 1
      _ = subscriber.receive(next)
    }
    subscriber?.receive(completion: .finished)
    subscriber = nil
  }

  func cancel() { subscriber = nil }
}

private struct Count: Publisher {
  typealias Output = Int
  typealias Failure = Never
  let end: Int
  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    subscriber.receive(subscription: CountSubscription(subscriber, end))
  }
}

public func workloads(_ n: Int) -> [Workload] {
  func workload(_ name: String, _ run: @escaping () -> Int) -> Workload {
    Workload(name: name, library: library, values: n, run: run)
  }
  var all = [
    workload("map.filter.scan.sink") {
      let sum = Sum()
      // The operators of a sequence's own publisher work on the whole sequence, before anybody subscribes.
      _ = Deferred { (0..<n).publisher }.map { $0 &+ 1 }.filter { $0 & 1 == 0 }.scan(0) { $0 &+ $1 }.sink {
        sum.value = $0
      }
      return sum.value
    },
    workload("a user's own publisher, map.filter.scan.sink") {
      let sum = Sum()
      _ = Count(end: n).map { $0 &+ 1 }.filter { $0 & 1 == 0 }.scan(0) { $0 &+ $1 }.sink { sum.value = $0 }
      return sum.value
    },
    workload("buffer") {
      let sum = Sum()
      _ = (0..<n).publisher.buffer(size: 100, prefetch: .keepFull, whenFull: .dropNewest).sink { sum.value &+= $0 }
      return sum.value
    },
    workload("collect(100)") {
      let sum = Sum()
      _ = (0..<n).publisher.collect(100).sink { sum.value &+= $0.count }
      return sum.value
    },
    workload("PassthroughSubject to one") {
      let sum = Sum()
      let subject = PassthroughSubject<Int, Never>()
      let sink = subject.sink { sum.value &+= $0 }
      for value in 0..<n { subject.send(value) }
      sink.cancel()
      return sum.value
    },
  ]
  #if !OPENCOMBINE
    all.append(
      workload("merge of two") {
        let sum = Sum()
        _ = (0..<n / 2).publisher.merge(with: (n / 2..<n).publisher).sink { sum.value &+= $0 }
        return sum.value
      })
  #endif
  return all
}
