import Schedules

#if OPENCOMBINE
  import OpenCombine
#else
  import Sluice
#endif

/// Operators that take some of the values.
let selecting: [Operator] = [
  row("prefix") { up, it in up.prefix(it.parameter(0, below: 4)) },
  row("prefix(while:)") { up, it in up.prefix { $0 < 2 + it.parameter(0, below: 4) } },
  row("tryPrefix(while:)") { up, it in
    up.tryPrefix {
      if $0 == it.parameter(0, below: 6) { throw Fault(code: 7) }
      return $0 < 4
    }
  },
  row("output(at:)") { up, it in up.output(at: it.parameter(0, below: 4)) },
  row("output(in:)") { up, it in
    let start = it.parameter(0, below: 3)
    return up.output(in: start..<start + it.parameter(1, below: 4))
  },
  row("dropFirst") { up, it in up.dropFirst(it.parameter(0, below: 4)) },
  row("drop(while:)") { up, it in up.drop { $0 < it.parameter(0, below: 5) } },
  row("tryDrop(while:)") { up, it in
    up.tryDrop {
      if $0 == it.parameter(0, below: 6) { throw Fault(code: 7) }
      return $0 < 3
    }
  },
  row("first") { up, _ in up.first() },
  row("first(where:)") { up, it in up.first { $0 == it.parameter(0, below: 6) } },
  row("tryFirst(where:)") { up, it in
    up.tryFirst {
      if $0 == it.parameter(0, below: 6) { throw Fault(code: 7) }
      return $0 == it.parameter(1, below: 6)
    }
  },
  row("last") { up, _ in up.last() },
  row("last(where:)") { up, it in up.last { $0 < it.parameter(0, below: 6) } },
  row("tryLast(where:)") { up, it in
    up.tryLast {
      if $0 == it.parameter(0, below: 6) { throw Fault(code: 7) }
      return $0 < 4
    }
  },
  row("prefix(untilOutputFrom:)", { $0.sources = 2 }) { up, it in up.prefix(untilOutputFrom: it.source(1)) },
  row("drop(untilOutputFrom:)", { $0.sources = 2 }) { up, it in up.drop(untilOutputFrom: it.source(1)) },
]
