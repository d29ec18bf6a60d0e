import Measurement

#if OPENCOMBINE
  import OpenCombine

  // OpenCombine has neither; this is what its users write.
  extension HotSource {
    func merge(with other: HotSource) -> Publishers.FlatMap<HotSource, Publishers.Sequence<[HotSource], Never>> {
      [self, other].mergeAll()
    }
  }

  extension [HotSource] {
    func mergeAll() -> Publishers.FlatMap<HotSource, Publishers.Sequence<[HotSource], Never>> {
      publisher.flatMap { $0 }
    }

    func zipAll() -> AnyPublisher<[Int], Never> {
      if count == 1 { return self[0].map { [$0] }.eraseToAnyPublisher() }
      let (left, right) = (Array(self[..<(count / 2)]), Array(self[(count / 2)...]))
      return left.zipAll().zip(right.zipAll()) { $0 + $1 }.eraseToAnyPublisher()
    }
  }
#else
  import Sluice
  import SluiceExtras
#endif

/// Sends to each source in turn.
private func roundRobin(_ sources: [HotSource], _ values: Int) {
  let lines = sources.map(\.line)
  var next = 0
  for value in 0..<values {
    lines[next].send(value)
    next = next + 1 == lines.count ? 0 : next + 1
  }
  for line in lines { line.finish() }
}

private func mergeAll(_ inputs: Int) -> Workload {
  Workload("mergeAll of \(inputs)", library, timesAsFast: 5) { n, checksum in
    let sources = (0..<inputs).map { _ in HotSource() }
    let sink = sources.mergeAll().sink { checksum.add($0) }
    roundRobin(sources, n)
    sink.cancel()
  }
}

/// A value is one of an input, not an array of one of each.
private func zipAll(_ inputs: Int) -> Workload {
  Workload("zipAll of \(inputs)", library, timesAsFast: inputs == 1 ? nil : 20) { n, checksum in
    let sources = (0..<inputs).map { _ in HotSource() }
    let sink = sources.zipAll().sink { checksum.add($0.count) }
    roundRobin(sources, n)
    sink.cancel()
  }
}

private let comparable: [Workload] = [
  // To be taken off what the others cost.
  Workload("the hot source itself", library) { n, checksum in
    let source = HotSource()
    let sink = source.sink { checksum.add($0) }
    roundRobin([source], n)
    sink.cancel()
  },
  Workload("merge of 2", library, timesAsFast: 5) { n, checksum in
    let sources = [HotSource(), HotSource()]
    let sink = sources[0].merge(with: sources[1]).sink { checksum.add($0) }
    roundRobin(sources, n)
    sink.cancel()
  },
  mergeAll(1), mergeAll(2), mergeAll(8), mergeAll(64),
  Workload("zip of 2", library, timesAsFast: 20) { n, checksum in
    let sources = [HotSource(), HotSource()]
    let sink = sources[0].zip(sources[1]) { $0 &- $1 }.sink { checksum.add($0) }
    roundRobin(sources, n)
    sink.cancel()
  },
  Workload("zip of 2, one 1,000 ahead", library, values: 100_000, timesAsFast: 20) { n, checksum in
    let sources = [HotSource(), HotSource()]
    let sink = sources[0].zip(sources[1]) { $0 &- $1 }.sink { checksum.add($0) }
    let (left, right) = (sources[0].line, sources[1].line)
    for value in 0..<1_000 { left.send(value) }
    for value in 0..<n / 2 {
      left.send(value)
      right.send(value)
    }
    left.finish()
    right.finish()
    sink.cancel()
  },
  zipAll(1), zipAll(2), zipAll(16), zipAll(1_000),
]

#if OPENCOMBINE
  let joining = comparable
#else
  let joining =
    comparable + [
      Workload("combineLatest of 2", library) { n, checksum in
        let sources = [HotSource(), HotSource()]
        let sink = sources[0].combineLatest(sources[1]) { $0 &- $1 }.sink { checksum.add($0) }
        roundRobin(sources, n)
        sink.cancel()
      },
      Workload("combineLatestAll of 16", library) { n, checksum in
        let sources = (0..<16).map { _ in HotSource() }
        let sink = sources.combineLatestAll().sink { checksum.add($0.count) }
        roundRobin(sources, n)
        sink.cancel()
      },
    ]
#endif
