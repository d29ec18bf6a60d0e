import Dispatch
import Sluice
import SluicePipeline
import SluiceReadings
import SluiceRecording

/// How fast readings become rows of CSV, and rows readings: through the sink and the reader that recording and replaying
/// use, but without the disk. Rows are written to /dev/null, and read from a file that the system has in memory.
struct CSVBenchmark {
  let duration: TimeSpan
  let directory: String
  let interruption: Interruption

  private static let channels = 4
  private static let rows = 65_536

  func run() throws(SluiceError) -> BenchSection {
    let file = try ScratchFile(in: directory)
    let readings = (0..<Self.rows).map(Self.reading)
    try Self.encode(readings, to: file.path)
    let rowBytes = Double(file.size) / Double(Self.rows)
    let share = duration.nanoseconds / 2
    let encoding = try MedianCost(of: Self.rows, for: share, interruption) { () throws(SluiceError) in
      try Self.encode(readings, to: "/dev/null")
    }
    let decoding = try MedianCost(of: Self.rows, for: share, interruption) { () throws(SluiceError) in
      try Self.decode(file.path)
    }
    let measurements = [("encode", encoding), ("decode", decoding)].map { name, cost in
      Measurement(
        name: name,
        figures: [
          Figure("rows_per_second", "rows/s", 1e9 / cost.wall, decimals: 0),
          Figure("mb_per_second", "MB/s", rowBytes * 1e3 / cost.wall),
          Figure("cpu_ns_per_row", "CPU ns a row", cost.cpu),
        ])
    }
    return BenchSection(
      key: "csv", title: "CSV, a time and \(Self.channels) channels", measurements: measurements)
  }

  /// As a converter of 12 bits at 1 kHz gives them.
  private static func reading(_ index: Int) -> Reading {
    var values = Values()
    for channel in 0..<channels { values.append(Int64((index &* (channel + 3)) % 4_096 - 2_048)) }
    return Reading(time: 1_700_000_000_000_000_000 + Int64(index) * 1_000_000, stream: StreamID(0), values: values)
  }

  private static let description = StreamDescription(
    name: "bench", channels: (0..<channels).map { StreamDescription.Channel(name: "voltage\($0)") })

  private static func encode(_ readings: [Reading], to path: String) throws(SluiceError) {
    let end = End()
    let sink = try RecordingSink(
      [.csv(path, layout: .wide, existing: .overwrite)], streams: [description], receiveCompletion: end.reach)
    readings.publisher.subscribe(sink)
    try end.wait()
  }

  private static func decode(_ path: String) throws(SluiceError) {
    let end = End()
    let cancellable = Publishers.Replay(try TraceReader(path: path)).sink(
      receiveCompletion: { completion in
        if case .failure(let error) = completion { end.reach(error) } else { end.reach(nil) }
      }, receiveValue: { _ in })
    try end.wait()
    withExtendedLifetime(cancellable) {}
  }

  /// The end of a stream, which may come on another thread.
  private final class End: Sendable {
    private let error = Locked<SluiceError?>(nil)
    private let reached = DispatchSemaphore(value: 0)

    @Sendable func reach(_ error: SluiceError?) {
      self.error.withLock { $0 = error }
      reached.signal()
    }

    func wait() throws(SluiceError) {
      reached.wait()
      if let error = error.withLock({ $0 }) { throw error }
    }
  }
}
