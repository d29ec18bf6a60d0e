import Measurement

/// A list of closures, called one after the other.
private func deliver(_ name: String, to subscribers: Int) -> Workload {
  loop(name) { n, checksum in
    let subscribers: [(Int) -> Void] = (0..<subscribers).map { _ in { checksum.add($0) } }
    for value in 0..<n / subscribers.count { for subscriber in subscribers { subscriber(value) } }
  }
}

let deliveries = [
  deliver("PassthroughSubject to 1", to: 1), deliver("PassthroughSubject to 100", to: 100),
  loop("PassthroughSubject.map.filter") { n, checksum in
    let subscriber: (Int) -> Void = { value in
      let product = value &* 3
      if product & 1 == 0 { checksum.add(product) }
    }
    for value in 0..<n { subscriber(value) }
  },
  deliver("CurrentValueSubject to 1", to: 1), deliver("share to 2", to: 2), deliver("shareReplay to 2", to: 2),
]
