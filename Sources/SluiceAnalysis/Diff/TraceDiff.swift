package import SluicePipeline
package import SluiceReadings
package import SluiceRecording

/// The differences of two traces, stream by stream. It reads both once, at the same time, and keeps only the readings
/// that the other trace has not reached yet.
package struct TraceDiff {
  /// The streams and times to compare, and the tolerances.
  package struct Options: Sendable {
    package var values = ValueTolerance()
    /// The greatest difference of two times that count as the same, in nanoseconds.
    package var timeTolerance: Int64 = 0
    /// The part to compare; its times count from the earliest reading of both traces.
    package var window: TraceWindow?
    /// Whether streams have the names of their files. Then the only stream of A is compared with the only stream of B.
    var areNamedByFile = false
    /// Whether the comparison stops at the first difference.
    package var stopsAtFirst = false
    /// The number of bytes for readings that wait for the other trace, in all streams together.
    package var memory = 64 << 20

    package init() {}
  }

  package let paths: (a: String, b: String)
  /// The differences, in the order of the streams of A. Streams that only B has come last.
  package private(set) var streams: [StreamDifferences] = []

  /// - Parameters:
  ///   - input: The options for reading both traces, and the part to compare. Its files are not used.
  ///   - warn: Called with the messages about the traces that a replay would print.
  /// - Throws: If a trace cannot be read to its end, or if the traces cannot be compared.
  package init(
    _ a: String, _ b: String, _ input: ReplayPlan, _ options: Options = Options(),
    warn: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(SluiceError) {
    func open(_ path: String) throws(SluiceError) -> TraceReader {
      var plan = input
      plan.files = [path]
      return try plan.reader(plan.changes, warn: warn)
    }
    var options = options
    options.window = input.window
    options.areNamedByFile = input.scans != nil
    try self.init(open(a), open(b), options)
  }

  package init(_ a: TraceReader, _ b: TraceReader, _ options: Options = Options()) throws(SluiceError) {
    paths = (a.path, b.path)
    var run = DiffRun(a, b, options)
    try run.compare()
    streams = run.streams
  }

  /// The number of differences in all streams.
  package var count: Int { streams.reduce(0) { $0 + $1.count } }
  package var isSame: Bool { count == 0 }
}

/// One run of the comparison through two traces.
private struct DiffRun {
  /// One of the traces.
  private struct End {
    let reader: TraceReader
    var block = [Reading](repeating: .empty, count: 512)
    /// The number of readings in the block; 0 at the end.
    var count = 0
    var next = 0
    /// For each stream, the number of its comparison.
    var numbers: [Int] = []
    /// Whether it may still get streams and channels, like a trace from a pipe.
    var isGrowing = true

    var nextTime: Int64? { next < count ? block[next].time : nil }
  }

  private var ends: [End]
  private let options: TraceDiff.Options
  private var window: Range<Int64>?
  private var comparisons: [StreamComparison] = []
  private var names: [ExactName: Int] = [:]
  /// For each comparison: the traces that have the stream, and the number of its readings that may wait.
  private var known: [(isInA: Bool, isInB: Bool)] = []
  private var limits: [Int] = []

  init(_ a: TraceReader, _ b: TraceReader, _ options: TraceDiff.Options) {
    ends = [End(reader: a), End(reader: b)]
    self.options = options
  }

  var streams: [StreamDifferences] { comparisons.map(\.differences) }

  mutating func compare() throws(SluiceError) {
    for side in ends.indices { try read(side) }
    try compareOrigins()
    try setWindow()
    for side in ends.indices { describe(side) }
    while let side = earlier {
      try addNext(of: side)
      guard ends[side].next == ends[side].count else { continue }
      // A stream that a growing trace does not have yet is no difference.
      if options.stopsAtFirst, !ends.contains(where: \.isGrowing),
        comparisons.contains(where: { $0.differences.count > 0 })
      {
        return
      }
      try read(side)
      if ends[side].isGrowing { describe(side) }
    }
    for index in comparisons.indices { comparisons[index].finish() }
  }

  /// The trace whose next reading is earlier, so that few readings have to wait; nil at the end of both.
  private var earlier: Int? {
    let next = (ends[0].nextTime, ends[1].nextTime)
    guard let a = next.0 else { return next.1 == nil ? nil : 1 }
    return next.1.map { $0 < a } ?? false ? 1 : 0
  }

  private mutating func read(_ side: Int) throws(SluiceError) {
    ends[side].next = 0
    ends[side].count = try ends[side].reader.next(into: &ends[side].block)
  }

  /// Throws if one trace has times since 1970 and the other has not, because no reading could match.
  private func compareOrigins() throws(SluiceError) {
    guard let a = ends[0].nextTime, let b = ends[1].nextTime, TraceTimes.isDate(a) != TraceTimes.isDate(b) else {
      return
    }
    let dated = TraceTimes.isDate(a) ? 0 : 1
    throw .differentOrigins(
      "compare", ends[dated].reader.path, ends[1 - dated].reader.path,
      remedy: "write both with the same kind of times, such as without --time relative")
  }

  private mutating func setWindow() throws(SluiceError) {
    guard let part = options.window,
      let first = ends.filter({ $0.count > 0 }).min(by: { $0.block[0].time < $1.block[0].time })
    else { return }
    let (lower, upper) = try part.times(first: first.block[0].time, of: first.reader.path)
    window = lower..<max(lower, upper ?? .max)
  }

  // MARK: Streams

  private mutating func describe(_ side: Int) {
    let streams = ends[side].reader.streams
    let count = max(streams.count, ends[1 - side].reader.streams.count)
    ends[side].isGrowing = ends[side].reader.isGrowing
    for (index, stream) in streams.enumerated() {
      if index == ends[side].numbers.count { ends[side].numbers.append(comparison(of: stream, side)) }
      let number = ends[side].numbers[index]
      comparisons[number].describe(stream, in: side == 0 ? .a : .b)
      if side == 0 { known[number].isInA = true } else { known[number].isInB = true }
      limits[number] = max(16, options.memory / count / Reading.bytes(channels: stream.channels.count))
    }
  }

  private mutating func comparison(of stream: StreamDescription, _ side: Int) -> Int {
    if side == 1, let only = soleStream(with: stream) { return only }
    let name = ExactName(stream.name)
    if let number = names[name] { return number }
    names[name] = comparisons.count
    comparisons.append(
      StreamComparison(stream.name, options.values, timeTolerance: options.timeTolerance, window: window))
    known.append((false, false))
    limits.append(0)
    return comparisons.count - 1
  }

  /// A stream of another program's file has the name of the file. If each trace has only one stream, both are the same one.
  private func soleStream(with stream: StreamDescription) -> Int? {
    let streams = ends.map(\.reader.streams)
    guard streams.allSatisfy({ $0.count == 1 }), !ends.contains(where: \.reader.isGrowing),
      options.areNamedByFile || streams[0][0].hasForeignColumns || stream.hasForeignColumns
    else { return nil }
    return ends[0].numbers.first
  }

  private mutating func addNext(of side: Int) throws(SluiceError) {
    let (index, other) = (ends[side].next, 1 - side)
    ends[side].next += 1
    let stream = Int(ends[side].block[index].stream.index)
    guard stream < ends[side].numbers.count else { return }
    let number = ends[side].numbers[stream]
    let waits = ends[other].isGrowing || (other == 0 ? known[number].isInA : known[number].isInB)
    try comparisons[number].add(
      ends[side].block[index], from: side == 0 ? .a : .b, limit: limits[number], waits: waits)
  }
}
