import Measurement

private func merge(_ name: String) -> Workload {
  loop(name) { n, checksum in for value in 0..<n { checksum.add(value) } }
}

private func zipAll(_ inputs: Int) -> Workload {
  loop("zipAll of \(inputs)") { n, checksum in
    var row: [Int] = []
    row.reserveCapacity(inputs)
    for value in 0..<n {
      row.append(value)
      guard row.count == inputs else { continue }
      checksum.add(row.count)
      row = []
      row.reserveCapacity(inputs)
    }
  }
}

let joins = [
  merge("the hot source itself"), merge("merge of 2"),
  merge("mergeAll of 1"), merge("mergeAll of 2"), merge("mergeAll of 8"), merge("mergeAll of 64"),
  loop("zip of 2") { n, checksum in
    for value in stride(from: 0, to: n - 1, by: 2) { checksum.add(value &- (value &+ 1)) }
  },
  zipAll(1), zipAll(2), zipAll(16), zipAll(1_000),
  loop("combineLatest of 2") { n, checksum in
    var (left, right) = (0, 0)
    for value in 0..<n {
      if value & 1 == 0 { left = value } else { right = value }
      if value > 0 { checksum.add(left &- right) }
    }
  },
  loop("flatMap, 100 each") { n, checksum in
    for _ in 0..<n / 100 { for value in 0..<100 { checksum.add(value) } }
  },
  loop("flatMap, 1 at a time, 100 each") { n, checksum in
    for _ in 0..<n / 100 { for value in 0..<100 { checksum.add(value) } }
  },
  loop("flatMap, 1 each", values: 200_000) { n, checksum in for value in 0..<n { checksum.add(value) } },
]
