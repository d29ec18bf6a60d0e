import Measurement

#if OPENCOMBINE
  import OpenCombine
#else
  import Sluice
#endif

// A range's own publisher has operators that work on the whole range before anybody subscribes, hence Deferred.
// The same closures are in Loops.
let chains: [Workload] = [
  Workload("map.filter.scan", library, timesAsFast: 5, timesTheLoop: 3) { n, checksum in
    _ = Deferred { (0..<n).publisher }
      .map { $0 &+ 1 }.filter { $0 & 1 == 0 }.scan(0) { $0 &+ $1 }
      .sink { checksum.add($0) }
  },
  Workload("eight stages", library, timesAsFast: 5, timesTheLoop: 3) { n, checksum in
    // Two halves, for the type checker.
    let four = Deferred { (0..<n).publisher }
      .map { (value: Int) -> Int? in value & 7 == 0 ? nil : value }.replaceNil(with: 3)
      .filter { $0 & 1 != 0 }.scan(0) { $0 &+ $1 }
    _ = four.compactMap { (value: Int) -> Int? in value & 6 == 0 ? nil : value }
      .removeDuplicates().dropFirst(2).prefix { $0 >= 0 }
      .sink { checksum.add($0) }
  },
  Workload("own publisher.map.filter.scan", library, timesAsFast: 2) { n, checksum in
    _ = OwnPublisher(end: n)
      .map { $0 &+ 1 }.filter { $0 & 1 == 0 }.scan(0) { $0 &+ $1 }
      .sink { checksum.add($0) }
  },
  Workload("map.filter.scan, each erased", library, timesAsFast: 5) { n, checksum in
    _ = Deferred { (0..<n).publisher }
      .map { $0 &+ 1 }.eraseToAnyPublisher().filter { $0 & 1 == 0 }.eraseToAnyPublisher()
      .scan(0) { $0 &+ $1 }.eraseToAnyPublisher()
      .sink { checksum.add($0) }
  },
  Workload("collect(100)", library, timesAsFast: 5, timesTheLoop: 3) { n, checksum in
    _ = Deferred { (0..<n).publisher }.collect(100).sink { checksum.add($0.count) }
  },
]
