/// One workload on one library.
public struct Workload {
  let name: String
  let library: String
  /// Values that a run handles.
  let values: Int
  /// Answers a checksum, so that nothing is optimised away.
  let run: () -> Int

  public init(name: String, library: String, values: Int, run: @escaping () -> Int) {
    (self.name, self.library, self.values, self.run) = (name, library, values, run)
  }
}

/// What a sink adds up. A captured variable would be checked for exclusive access at every value, which takes longer than
/// some of the operators under test.
public final class Sum {
  @exclusivity(unchecked) public var value = 0

  public init() {}
}

/// Runs the workloads in turn, five rounds, so that a machine that changes its speed changes it for all, and prints the
/// median of each with its ratio to the first library that has the same workload.
public func measure(_ workloads: [Workload]) {
  let clock = ContinuousClock()
  var times = [[Double]](repeating: [], count: workloads.count)
  var sums = [Int?](repeating: nil, count: workloads.count)
  for _ in 0..<5 {
    for (index, workload) in workloads.enumerated() {
      var sum = 0
      let elapsed = clock.measure { sum = workload.run() }
      precondition(sums[index] == nil || sums[index] == sum, "\(workload.name) gives another result every time")
      sums[index] = sum
      let (seconds, attoseconds) = elapsed.components
      times[index].append((Double(seconds) * 1e9 + Double(attoseconds) / 1e9) / Double(workload.values))
    }
  }
  let medians = times.map { $0.sorted()[2] }
  print("| workload | library | ns a value | against Sluice |\n|---|---|---:|---:|")
  for (index, workload) in workloads.enumerated() {
    let first = workloads.firstIndex { $0.name == workload.name } ?? index
    precondition(sums[first] == sums[index], "\(workload.name): \(workload.library) gives another result")
    let ratio = first == index ? "" : "\(rounded(medians[index] / medians[first])) x"
    print("| \(workload.name) | \(workload.library) | \(rounded(medians[index])) | \(ratio) |")
  }
}

func rounded(_ number: Double) -> String {
  let tenths = Int((number * 10).rounded())
  return "\(tenths / 10).\(tenths % 10)"
}
