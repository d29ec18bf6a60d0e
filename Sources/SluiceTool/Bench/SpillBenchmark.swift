import SluiceBenchmarks
import SluicePipeline
import SluiceReadings
import SluiceSystem

/// Measures how fast readings go into the log of a spill and out of it, beside writes of as many bytes that are synced as
/// often.
struct SpillBenchmark {
  let duration: TimeSpan
  let directory: String
  let interruption: Interruption

  private static let readings = 65_536
  /// The bytes of two segments.
  private static let mostBytes: Int64 = 16 << 20

  private struct Costs {
    var (walls, cpus): ([Int64], [Int64]) = ([], [])

    mutating func measure(_ round: () throws(SluiceError) -> Void) throws(SluiceError) {
      let watch = Stopwatch()
      try round()
      walls.append(watch.wall)
      cpus.append(watch.cpu)
    }

    func measurement(_ name: String, bytes: Int64) -> Measurement {
      let (wall, cpu) = (Double(Percentiles(walls)?.p50 ?? 0), Double(Percentiles(cpus)?.p50 ?? 0))
      let count = Double(SpillBenchmark.readings)
      return Measurement(
        name: name,
        figures: [
          Figure("readings_per_second", "readings/s", count * 1e9 / max(1, wall), decimals: 0),
          Figure("mb_per_second", "MB/s", Double(bytes) * 1e3 / max(1, wall)),
          Figure("cpu_ns_per_reading", "CPU ns per reading", cpu / count),
        ])
    }
  }

  func run() throws(SluiceError) -> BenchSection {
    let file = try ScratchFile(in: directory)
    let log = try SpillLog("\(directory)/.sluice-bench-\(getpid())-spill")
    let other = try SpillLog("\(directory)/.sluice-bench-\(getpid())-read")
    let readings = (0..<Self.readings).map(CSVRoundTrip.reading)
    try other.append(readings)
    let size = other.byteCount
    let block = [UInt8](repeating: 0x5a, count: Int(size) * SpillLog.run / Self.readings)
    var (appending, writing, reading) = (Costs(), Costs(), Costs())
    let total = Stopwatch()
    repeat {
      // Side by side, because other programs use the disk as well.
      try interruption.check()
      // A segment costs as much to begin as in a long recording.
      if log.byteCount > Self.mostBytes {
        try log.removeAll()
        try file.removeAll()
      }
      try appending.measure { () throws(SluiceError) in try log.append(readings) }
      try writing.measure { () throws(SluiceError) in
        for _ in 0..<Self.readings / SpillLog.run {
          try file.append(block, count: block.count)
          try file.synchronize()
        }
      }
      try reading.measure { () throws(SluiceError) in _ = try other.read() }
    } while total.wall < duration.nanoseconds
    return BenchSection(
      key: "spill", title: "spill, a time and \(CSVRoundTrip.channels) channels",
      measurements: [
        appending.measurement("append", bytes: size), writing.measurement("as many bytes", bytes: size),
        reading.measurement("read", bytes: size),
      ])
  }
}
