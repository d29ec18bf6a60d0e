import Measurement

#if OPENCOMBINE
  import OpenCombine
#else
  import Sluice
#endif

/// Bursts of values, after each of which as many are asked for as fit into the buffer.
private func bursts<P: Publisher>(
  _ source: HotSource, _ buffer: P, _ checksum: Checksum, values: Int, burst: Int, size: Int
) where P.Output == Int, P.Failure == Never {
  let subscriber = PullingSubscriber(checksum)
  buffer.subscribe(subscriber)
  let line = source.line
  for value in 0..<values {
    line.send(value)
    if value % burst == burst - 1 { subscriber.request(.max(size)) }
  }
  subscriber.cancel()
  line.finish()
}

private struct Full: Error {}

let buffers: [Workload] = [
  Workload("buffer keepFull", library, timesAsFast: 20) { n, checksum in
    _ = Deferred { (0..<n).publisher }.buffer(size: 100, prefetch: .keepFull, whenFull: .dropNewest)
      .sink { checksum.add($0) }
  },
  Workload("buffer byRequest", library, timesAsFast: 20) { n, checksum in
    let source = HotSource()
    let sink = source.buffer(size: 100, prefetch: .byRequest, whenFull: .dropNewest).sink { checksum.add($0) }
    let line = source.line
    for value in 0..<n { line.send(value) }
    sink.cancel()
    line.finish()
  },
  // Half as many again as fit.
  Workload("buffer dropOldest, bursts", library, timesAsFast: 20) { n, checksum in
    let source = HotSource()
    bursts(
      source, source.buffer(size: 100, prefetch: .byRequest, whenFull: .dropOldest), checksum, values: n, burst: 150,
      size: 100)
  },
  Workload("buffer dropNewest, bursts", library, timesAsFast: 20) { n, checksum in
    let source = HotSource()
    bursts(
      source, source.buffer(size: 100, prefetch: .byRequest, whenFull: .dropNewest), checksum, values: n, burst: 150,
      size: 100)
  },
  // As many as fit: one more would end it.
  Workload("buffer customError, bursts", library, timesAsFast: 20) { n, checksum in
    let source = HotSource()
    let buffer = source.setFailureType(to: Full.self)
      .buffer(size: 100, prefetch: .byRequest, whenFull: .customError { Full() }).assertNoFailure()
    bursts(source, buffer, checksum, values: n, burst: 100, size: 100)
  },
  // All of them wait before the first is asked for.
  Workload("backlog of a million", library, values: 1_000_000, timesAsFast: 20) { n, checksum in
    let subscriber = PullingSubscriber(checksum)
    Deferred { (0..<n).publisher }.buffer(size: n, prefetch: .keepFull, whenFull: .dropNewest).subscribe(subscriber)
    subscriber.request(.unlimited)
  },
]
