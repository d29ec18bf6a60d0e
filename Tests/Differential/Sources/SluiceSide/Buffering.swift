import Schedules

#if OPENCOMBINE
  import OpenCombine
#else
  import Sluice
#endif

private func row(
  _ name: String, _ prefetch: Publishers.PrefetchStrategy,
  _ whenFull: @escaping (Place) -> Publishers.BufferingStrategy<Fault>
) -> Operator {
  row("buffer(\(name))") { up, it in
    up.buffer(size: it.parameter(0, below: 5), prefetch: prefetch, whenFull: whenFull(it))
  }
}

/// Buffers in every policy.
let buffering: [Operator] = [
  row("keepFull, dropNewest", .keepFull) { _ in .dropNewest },
  row("keepFull, dropOldest", .keepFull) { _ in .dropOldest },
  row("keepFull, customError", .keepFull) { it in .customError { it(Fault(code: 6)) } },
  row("byRequest, dropNewest", .byRequest) { _ in .dropNewest },
  row("byRequest, dropOldest", .byRequest) { _ in .dropOldest },
  row("byRequest, customError", .byRequest) { it in .customError { it(Fault(code: 6)) } },
]
