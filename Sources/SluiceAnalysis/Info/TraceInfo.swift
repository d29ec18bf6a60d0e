import Sluice
package import SluicePipeline
package import SluiceReadings
package import SluiceRecording

/// The streams, times, values and gaps of a trace, and its metadata. The whole trace is read once.
package struct TraceInfo {
  package let path: String
  package private(set) var streams: [StreamStatistics] = []
  package private(set) var metadata: TraceMetadata?
  /// The process that still writes the recording; nil if there is none.
  package private(set) var running: RunningRecording?
  /// The messages about the trace that a replay would print.
  package private(set) var notes: [String] = []
  /// The error that ended the read. All other members are about the readings before it.
  package private(set) var error: SluiceError?
  private let distributions: DistributionOptions
  /// Whether the window does not fit the trace, so that no reading was looked at.
  private var isWrongWindow = false

  /// - Parameter plan: The trace and the options for reading it. The trace is a file, a folder, the name of a recording
  ///   in parts, or `-` for standard input. A pace and rounds have no effect.
  /// - Throws: If nothing can be read.
  package init(
    _ plan: ReplayPlan, _ distributions: DistributionOptions = DistributionOptions()
  ) throws(SluiceError) {
    self.distributions = distributions
    path = OpenTrace.name(plan.files)
    let writer = RunningRecording.writer(of: plan.files)
    try readAll(plan)
    running = RunningRecording(writer, metadata, plan.files)
  }

  private mutating func readAll(_ plan: ReplayPlan) throws(SluiceError) {
    let said = Locked<[String]>([])
    let trace = try plan.reader(plan.changes, warn: { sentence in said.withLock { $0.append(sentence) } })
    metadata = trace.metadata
    try checkNumber(trace.streams)
    do throws(SluiceError) {
      try read(trace, plan.window.map { ReplayWindow($0, of: trace.path) })
    } catch {
      if isWrongWindow { throw error }
      self.error = error
    }
    notes = said.withLock { $0 }
  }

  private mutating func read(_ trace: TraceReader, _ window: ReplayWindow?) throws(SluiceError) {
    var window = window
    var readings = [Reading](repeating: .empty, count: 512)
    let count = trace.streams.count
    streams = trace.streams.map { StreamStatistics($0, restarts: begins(of: $0), of: count, distributions) }
    while window?.isOver != true, case let count = try trace.next(into: &readings), count > 0 {
      if trace.isGrowing {
        try checkNumber(trace.streams)
        describe(trace.streams)
      }
      let selected: ArraySlice<Reading>
      do throws(SluiceError) {
        selected = try window?.cut(readings[..<count]) ?? readings[..<count]
      } catch {
        isWrongWindow = true
        throw error
      }
      selected.withUnsafeBufferPointer { readings in
        guard let first = readings.baseAddress else { return }
        for index in readings.indices {
          let stream = Int(first[index].stream.index)
          if stream < streams.count { streams[stream].add(first + index) }
        }
      }
    }
    try checkNumber(trace.streams)
    describe(trace.streams)
    // A stage of the recording left out all readings of these streams.
    streams.removeAll { $0.count == 0 && $0.description.channels.isEmpty }
  }

  /// Each distribution of values needs memory.
  private func checkNumber(_ streams: [StreamDescription]) throws(SluiceError) {
    let channels = streams.reduce(0) { $0 + $1.channels.count }
    guard !distributions.isEmpty, channels > StreamDistributions.channels else { return }
    throw SluiceError(
      .usage, "count the values of", OpenTrace.name([path]),
      because: "it has \(grouped(channels)) channels, and \(StreamDistributions.channels) at most are counted",
      remedy: "name some with --select")
  }

  /// The starts of the runs of a stream after the first one.
  private func begins(of stream: StreamDescription) -> [Int64] {
    (metadata?.restarts ?? []).filter { $0.isOf(stream.name) }.map(\.began)
  }

  private mutating func describe(_ descriptions: [StreamDescription]) {
    for (index, description) in descriptions.enumerated() {
      if index == streams.count {
        streams.append(
          StreamStatistics(description, restarts: begins(of: description), of: descriptions.count, distributions))
      } else {
        streams[index].describe(description)
      }
    }
  }

  /// The number of readings in all streams.
  package var readings: Int { streams.reduce(0) { $0 + $1.count } }
  /// The times of the earliest and the latest reading; nil if there is none.
  package var times: ClosedRange<Int64>? {
    // A filter that is not lazy would copy all streams.
    let used = streams.lazy.filter { $0.count > 0 }
    guard let first = used.map(\.first).min(), let last = used.map(\.last).max() else { return nil }
    return first...last
  }
}
