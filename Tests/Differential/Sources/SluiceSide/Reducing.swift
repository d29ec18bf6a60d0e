import Schedules

#if OPENCOMBINE
  import OpenCombine
#else
  import Sluice
#endif

/// Operators that make one value of all.
let reducing: [Operator] = [
  row("reduce") { up, it in up.reduce(0) { it($0 + $1) } },
  row("tryReduce") { up, it in
    up.tryReduce(0) {
      if $1 == it.parameter(0, below: 6) { throw Fault(code: 7) }
      return $0 + $1
    }
  },
  row("count") { up, _ in up.count() },
  row("min") { up, _ in up.min() },
  row("max") { up, _ in up.max() },
  row("max(by:)") { up, it in up.max { it($0 % 3 < $1 % 3) } },
  row("tryMin(by:)") { up, it in
    up.tryMin {
      if $0 == it.parameter(0, below: 6) { throw Fault(code: 7) }
      return $0 < $1
    }
  },
  row("tryMax(by:)") { up, it in
    up.tryMax {
      if $1 == it.parameter(0, below: 6) { throw Fault(code: 7) }
      return $0 < $1
    }
  },
  row("contains") { up, it in up.contains(it.parameter(0, below: 6)) },
  row("contains(where:)") { up, it in up.contains { $0 == it.parameter(0, below: 6) } },
  row("tryContains(where:)") { up, it in
    up.tryContains {
      if $0 == it.parameter(0, below: 6) { throw Fault(code: 7) }
      return $0 == it.parameter(1, below: 6)
    }
  },
  row("allSatisfy") { up, it in up.allSatisfy { $0 != it.parameter(0, below: 6) } },
  row("tryAllSatisfy") { up, it in
    up.tryAllSatisfy {
      if $0 == it.parameter(0, below: 6) { throw Fault(code: 7) }
      return $0 != it.parameter(1, below: 6)
    }
  },
  row("replaceEmpty") { up, _ in up.replaceEmpty(with: 42) },
  row("replaceError") { up, _ in up.replaceError(with: 42) },
]
