import Measurement

#if OPENCOMBINE
  import OpenCombine
#else
  import Sluice
#endif

let flattening: [Workload] = [
  Workload("flatMap, 100 each", library, timesAsFast: 5) { n, checksum in
    _ = Deferred { (0..<n / 100).publisher }.flatMap { _ in Deferred { (0..<100).publisher } }
      .sink { checksum.add($0) }
  },
  Workload("flatMap, 1 at a time, 100 each", library, timesAsFast: 5) { n, checksum in
    _ = Deferred { (0..<n / 100).publisher }.flatMap(maxPublishers: .max(1)) { _ in Deferred { (0..<100).publisher } }
      .sink { checksum.add($0) }
  },
  // What subscribing costs.
  Workload("flatMap, 1 each", library, values: 200_000, timesAsFast: 5) { n, checksum in
    _ = Deferred { (0..<n).publisher }.flatMap { Just($0) }.sink { checksum.add($0) }
  },
]
