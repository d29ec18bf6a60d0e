import Measurement

private func mapFilterScan(_ n: Int, _ checksum: Checksum) {
  let map: (Int) -> Int = { $0 &+ 1 }
  let filter: (Int) -> Bool = { $0 & 1 == 0 }
  let scan: (Int, Int) -> Int = { $0 &+ $1 }
  var sum = 0
  for value in 0..<n {
    let mapped = map(value)
    guard filter(mapped) else { continue }
    sum = scan(sum, mapped)
    checksum.add(sum)
  }
}

let chains = [
  loop("map.filter.scan", body: mapFilterScan),
  loop("own publisher.map.filter.scan", body: mapFilterScan),
  loop("map.filter.scan, each erased", body: mapFilterScan),
  loop("eight stages") { n, checksum in
    let map: (Int) -> Int? = { $0 & 7 == 0 ? nil : $0 }
    let filter: (Int) -> Bool = { $0 & 1 != 0 }
    let scan: (Int, Int) -> Int = { $0 &+ $1 }
    let compactMap: (Int) -> Int? = { $0 & 6 == 0 ? nil : $0 }
    let prefix: (Int) -> Bool = { $0 >= 0 }
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
      checksum.add(compacted)
    }
  },
  loop("collect(100)") { n, checksum in
    var collected: [Int] = []
    collected.reserveCapacity(100)
    for value in 0..<n {
      collected.append(value)
      guard collected.count == 100 else { continue }
      checksum.add(collected.count)
      collected = []
      collected.reserveCapacity(100)
    }
    if !collected.isEmpty { checksum.add(collected.count) }
  },
]
