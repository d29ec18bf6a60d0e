import SluiceBenchmarks
import SluicePipeline
import SluiceReadings

/// Measures how fast readings become rows of CSV, and rows become readings, with the sink and the reader of a
/// recording, but without the disk. Rows are written to /dev/null, and read from a file that the system has in memory.
struct CSVBenchmark {
  let duration: TimeSpan
  let directory: String
  let interruption: Interruption

  private static let rows = 65_536

  func run() throws(SluiceError) -> BenchSection {
    let file = try ScratchFile(in: directory)
    let readings = (0..<Self.rows).map(CSVRoundTrip.reading)
    try CSVRoundTrip.encode(readings, to: file.path)
    let rowBytes = Double(file.size) / Double(Self.rows)
    let share = duration.nanoseconds / 2
    let encoding = try MedianCost(of: Self.rows, for: share, interruption) { () throws(SluiceError) in
      try CSVRoundTrip.encode(readings, to: "/dev/null")
    }
    let decoding = try MedianCost(of: Self.rows, for: share, interruption) { () throws(SluiceError) in
      try CSVRoundTrip.decode(file.path)
    }
    let measurements = [("encode", encoding), ("decode", decoding)].map { name, cost in
      Measurement(
        name: name,
        figures: [
          Figure("rows_per_second", "rows/s", 1e9 / cost.wall, decimals: 0),
          Figure("mb_per_second", "MB/s", rowBytes * 1e3 / cost.wall),
          Figure("cpu_ns_per_row", "CPU ns per row", cost.cpu),
        ])
    }
    return BenchSection(
      key: "csv", title: "CSV, a time and \(CSVRoundTrip.channels) channels", measurements: measurements)
  }
}
