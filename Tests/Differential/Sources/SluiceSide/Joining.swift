import Schedules

#if OPENCOMBINE
  import OpenCombine
#else
  import Sluice
#endif

/// An inner publisher for each value: sources of the schedule, cold ones, one that fails.
private func inner(_ value: Int, _ place: Place) -> Upstream {
  switch value {
  case 0: place.source(1)
  case 1: place.source(2)
  case 2: [20, 21, 22].publisher.setFailureType(to: Fault.self).eraseToAnyPublisher()
  case 3: Just(30).setFailureType(to: Fault.self).eraseToAnyPublisher()
  case 4: Empty().eraseToAnyPublisher()
  default: place.parameter(3, below: 2) == 0 ? place.source(3) : Fail(error: Fault(code: 5)).eraseToAnyPublisher()
  }
}

private let two = { (shape: inout Schedule.Shape) in shape.sources = 2 }
private let three = { (shape: inout Schedule.Shape) in shape.sources = 3 }
private let four = { (shape: inout Schedule.Shape) in shape.sources = 4 }

/// Operators with more than one upstream.
let joining: [Operator] = [
  row("flatMap", four) { up, it in up.flatMap { inner($0, it) } },
  row("flatMap(maxPublishers:)", four) { up, it in
    up.flatMap(maxPublishers: .max(1 + it.parameter(0, below: 2))) { inner($0, it) }
  },
  row("switchToLatest", four) { up, it in up.map { inner($0, it) }.switchToLatest() },
  row("append(values)") { up, _ in up.append(40, 41) },
  row("append(publisher)", two) { up, it in up.append(it.source(1)) },
  row("prepend(values)") { up, _ in up.prepend(40, 41) },
  row("prepend(publisher)", two) { up, it in up.prepend(it.source(1)) },
  row("zip", two) { up, it in up.zip(it.source(1)) },
  row("zip(transform)", two) { up, it in up.zip(it.source(1)) { it($0 * 10 + $1) } },
  row("zip3", three) { up, it in up.zip(it.source(1), it.source(2)) },
  row("zip4", four) { up, it in up.zip(it.source(1), it.source(2), it.source(3)) },
  row("catch", two) { up, it in up.catch { it($0.code == 2 ? Fail(error: $0).eraseToAnyPublisher() : it.source(1)) } },
  row("tryCatch", two) { up, it in
    up.tryCatch { fault -> Upstream in
      if fault.code == it.parameter(0, below: 3) { throw Fault(code: 7) }
      return it.source(1)
    }
  },
  row("retry") { up, it in up.retry(it.parameter(0, below: 4)) },
]
