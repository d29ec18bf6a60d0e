import Measurement

// Inlined, so that the compiler sees the closures, unless they are hidden from it.

@inline(__always)
private func mapFilterScan(
  _ n: Int, _ map: (Int) -> Int, _ filter: (Int) -> Bool, _ scan: (Int, Int) -> Int, _ sink: (Int) -> Void
) {
  var sum = 0
  for value in 0..<n {
    let mapped = map(value)
    guard filter(mapped) else { continue }
    sum = scan(sum, mapped)
    sink(sum)
  }
}

@inline(__always)
private func eightStages(
  _ n: Int, _ map: (Int) -> Int?, _ filter: (Int) -> Bool, _ scan: (Int, Int) -> Int, _ compactMap: (Int) -> Int?,
  _ prefix: (Int) -> Bool, _ sink: (Int) -> Void
) {
  var sum = 0
  var last: Int?
  var dropped = 0
  for value in 0..<n {
    let replaced = map(value) ?? 3
    guard filter(replaced) else { continue }
    sum = scan(sum, replaced)
    guard let compacted = compactMap(sum), compacted != last else { continue }
    last = compacted
    if dropped < 2 {
      dropped += 1
      continue
    }
    guard prefix(compacted) else { break }
    sink(compacted)
  }
}

@inline(__always)
private func collect(_ n: Int, _ sink: ([Int]) -> Void) {
  var collected: [Int] = []
  collected.reserveCapacity(100)
  for value in 0..<n {
    collected.append(value)
    guard collected.count == 100 else { continue }
    sink(collected)
    collected = []
    collected.reserveCapacity(100)
  }
  if !collected.isEmpty { sink(collected) }
}

let chains =
  ["map.filter.scan", "own publisher.map.filter.scan", "map.filter.scan, each erased"].map { name in
    loop(name) { n, checksum in
      mapFilterScan(n, { $0 &+ 1 }, { $0 & 1 == 0 }, { $0 &+ $1 }) { checksum.add($0) }
    }
  } + [
    loop("eight stages") { n, checksum in
      eightStages(
        n, { $0 & 7 == 0 ? nil : $0 }, { $0 & 1 != 0 }, { $0 &+ $1 }, { $0 & 6 == 0 ? nil : $0 }, { $0 >= 0 }
      ) { checksum.add($0) }
    },
    loop("collect(100)") { n, checksum in collect(n) { checksum.add($0.count) } },
  ]

let chainsOfCalls =
  ["map.filter.scan", "own publisher.map.filter.scan", "map.filter.scan, each erased"].map { name in
    Workload(name, .calls) { n, checksum in
      mapFilterScan(
        n, hidden { $0 &+ 1 }, hidden { $0 & 1 == 0 }, hidden { $0 &+ $1 }, hidden { checksum.add($0) })
    }
  } + [
    Workload("eight stages", .calls) { n, checksum in
      eightStages(
        n, hidden { $0 & 7 == 0 ? nil : $0 }, hidden { $0 & 1 != 0 }, hidden { $0 &+ $1 },
        hidden { $0 & 6 == 0 ? nil : $0 }, hidden { $0 >= 0 }, hidden { checksum.add($0) })
    },
    Workload("collect(100)", .calls) { n, checksum in
      let sink: (Int) -> Void = hidden { checksum.add($0) }
      collect(n) { sink($0.count) }
    },
  ]
