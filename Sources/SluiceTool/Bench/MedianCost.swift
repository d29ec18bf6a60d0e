import SluiceReadings

/// What one value costs, in nanoseconds: the median of many rounds, since a round that was disturbed says nothing.
struct MedianCost {
  /// Time that passes.
  let wall: Double
  /// CPU time of all threads.
  let cpu: Double

  /// Runs a round once to warm up, then again and again for this long, and at least once.
  /// - Parameter values: How many a round handles.
  init(
    of values: Int, for nanoseconds: Int64, _ interruption: Interruption, round: () throws(SluiceError) -> Void
  ) throws(SluiceError) {
    try round()
    var (walls, cpus): ([Int64], [Int64]) = ([], [])
    let total = Stopwatch()
    repeat {
      try interruption.check()
      let watch = Stopwatch()
      try round()
      walls.append(watch.wall)
      cpus.append(watch.cpu)
    } while total.wall < nanoseconds
    wall = Double(Percentiles(walls)?.p50 ?? 0) / Double(values)
    cpu = Double(Percentiles(cpus)?.p50 ?? 0) / Double(values)
  }
}
