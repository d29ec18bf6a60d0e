import SluicePipeline
import SluiceReadings

/// Measures how fast the disk takes a recording in sequence, and how long it takes until a row is on the disk.
struct DiskBenchmark {
  let duration: TimeSpan
  let size: ByteSize
  let directory: String
  let interruption: Interruption

  /// Each block is synchronised. Otherwise the speed of the page cache would be measured, and the end could take
  /// minutes on a slow card.
  private static let block = 8 << 20
  /// The size of one write of the sink, if the file is not smaller.
  private var batch: Int { min(64 << 10, size.bytes) }

  func run() throws(SluiceError) -> BenchSection {
    let file = try ScratchFile(in: directory)
    let bytes = Self.noise(min(Self.block, size.bytes))
    let watch = Stopwatch()
    var written = 0
    repeat {
      try interruption.check()
      let count = min(bytes.count, size.bytes - written)
      try append(bytes, count, to: file)
      written += count
    } while written < size.bytes && watch.wall < duration.nanoseconds / 2
    let rate = Double(written) * 1e3 / Double(max(1, watch.wall))
    let latencies = try self.latencies(file, bytes)
    return BenchSection(
      key: "disk", title: "disk \(directory):", layout: .columns,
      measurements: [
        Measurement(
          name: "in sequence",
          figures: [
            Figure("mb_per_second", "MB/s", rate),
            Figure("mb_written", "MB written", Double(written) / 1e6),
          ]),
        Measurement(
          name: (batch % 1_024 == 0 ? "\(batch / 1_024) KiB" : "\(batch) bytes") + " and fdatasync",
          figures: [Figure("writes", "writes", latencies.count)] + Percentiles.microseconds(latencies)),
      ])
  }

  /// The time that each batch took until it was on the disk.
  private func latencies(_ file: ScratchFile, _ bytes: [UInt8]) throws(SluiceError) -> [Int64] {
    var latencies: [Int64] = []
    let total = Stopwatch()
    repeat {
      try interruption.check()
      if file.size >= size.bytes { try file.removeAll() }
      let watch = Stopwatch()
      try append(bytes, batch, to: file)
      latencies.append(watch.wall)
    } while total.wall < duration.nanoseconds / 2
    return latencies
  }

  private func append(_ bytes: [UInt8], _ count: Int, to file: ScratchFile) throws(SluiceError) {
    try file.append(bytes, count: count)
    try file.synchronize()
  }

  /// Bytes that no disk or file system can compress.
  private static func noise(_ count: Int) -> [UInt8] {
    var state: UInt64 = 88_172_645_463_325_252
    return (0..<count).map { _ in
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return UInt8(truncatingIfNeeded: state >> 32)
    }
  }
}
