import Measurement

#if OPENCOMBINE
  import OpenCombine
#else
  import Sluice
  import SluiceExtras
#endif

/// A value is one delivery.
private func passthrough(_ subscribers: Int) -> Workload {
  Workload("PassthroughSubject to \(subscribers)", library, timesAsFast: 5) { n, checksum in
    let subject = PassthroughSubject<Int, Never>()
    let sinks = (0..<subscribers).map { _ in subject.sink { checksum.add($0) } }
    for value in 0..<n / subscribers { subject.send(value) }
    for sink in sinks { sink.cancel() }
  }
}

private let comparable: [Workload] = [
  passthrough(1), passthrough(100),
  Workload("PassthroughSubject.map.filter", library, timesAsFast: 8) { n, checksum in
    let subject = PassthroughSubject<Int, Never>()
    let sink = subject.map { $0 &* 3 }.filter { $0 & 1 == 0 }.sink { checksum.add($0) }
    for value in 0..<n { subject.send(value) }
    sink.cancel()
  },
  Workload("CurrentValueSubject to 1", library, timesAsFast: 5) { n, checksum in
    let subject = CurrentValueSubject<Int, Never>(0)
    let sink = subject.sink { checksum.add($0) }
    for value in 0..<n { subject.send(value) }
    sink.cancel()
  },
  Workload("share to 2", library, timesAsFast: 5) { n, checksum in
    let source = HotSource()
    let shared = source.share()
    let sinks = (0..<2).map { _ in shared.sink { checksum.add($0) } }
    let line = source.line
    for value in 0..<n / 2 { line.send(value) }
    for sink in sinks { sink.cancel() }
    line.finish()
  },
]

#if OPENCOMBINE
  let subjects = comparable
#else
  let subjects =
    comparable + [
      Workload("shareReplay to 2", library) { n, checksum in
        let source = HotSource()
        let shared = source.shareReplay(capacity: 10)
        let sinks = (0..<2).map { _ in shared.sink { checksum.add($0) } }
        let line = source.line
        for value in 0..<n / 2 { line.send(value) }
        for sink in sinks { sink.cancel() }
        line.finish()
      }
    ]
#endif
