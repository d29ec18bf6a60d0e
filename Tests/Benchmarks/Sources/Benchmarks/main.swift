import Measurement
import OpenCombineWorkloads
import SluiceWorkloads

let values = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 1_000_000

/// The same closures without any library.
let loop = Workload(name: "map.filter.scan.sink", library: "a loop", values: values) {
  var sum = 0
  let result = Sum()
  let map: (Int) -> Int = { $0 &+ 1 }
  let filter: (Int) -> Bool = { $0 & 1 == 0 }
  let scan: (Int, Int) -> Int = { $0 &+ $1 }
  let sink: (Int) -> Void = { result.value = $0 }
  for value in 0..<values {
    let mapped = map(value)
    guard filter(mapped) else { continue }
    sum = scan(sum, mapped)
    sink(sum)
  }
  return result.value
}

measure(SluiceWorkloads.workloads(values) + OpenCombineWorkloads.workloads(values) + [loop])
