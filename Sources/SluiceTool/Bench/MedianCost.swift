import SluiceReadings

/// The cost of one value in nanoseconds. It is the median of many rounds, because other processes disturb some rounds.
struct MedianCost {
  /// The time that passes.
  let wall: Double
  /// The CPU time of all threads.
  let cpu: Double

  /// Runs a round once to warm up, then repeats it for this long, at least once.
  /// - Parameter values: The number of values that a round handles.
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
