import SluiceReadings

/// The metadata of parts that are read as one trace. It is summed part by part, so that only the sum is in memory.
///
/// Each part has its own losses, account and gaps, which are summed by stream. So equal entries of two parts do not
/// count as one, even when their sums are joined with those of other traces.
struct PartsMetadata {
  /// The members that are not lists.
  private var merged: TraceMetadata?
  private var streams: Sums<StreamDescription>?
  private var losses: Sums<Loss>?
  private var gapBefore: Sums<FlaggedReadings>?
  private var initialLevel: Sums<FlaggedReadings>?
  private var late: Sums<FlaggedReadings>?
  private var uncertainTime: Sums<FlaggedReadings>?
  private var possibleDuplicate: Sums<FlaggedReadings>?
  private var uncertainLevel: Sums<FlaggedReadings>?
  private var ledger: Sums<StreamAccount>?
  private var pauses: Sums<Pause>?
  private var marks: [Mark]?
  private var errors: [String]?
  private var runs: [TraceMetadata.Run] = []
  private var isWhole = true
  private var restarts: [TraceMetadata.Restart] = []
  private var knownRestarts: Set<TraceMetadata.Restart> = []
  /// Those that the metadata of replays lists, in the order of their times.
  var listedRestarts: [TraceMetadata.Restart] { restarts.filter(listed.contains).sorted { $0.began < $1.began } }
  private var listed: Set<TraceMetadata.Restart> = []
  /// The last run of the part before; nil if it is not known.
  private var run: TraceMetadata.Run?
  private let times: TraceTimes

  /// - Parameter times: Whether the times are corrected.
  init(_ times: TraceTimes) { self.times = times }

  /// - Parameter metadata: The metadata of the next part; nil if it has none.
  /// - Returns: Whether the part begins another run than that of the part before.
  mutating func add(_ metadata: TraceMetadata?) -> Bool {
    guard var next = metadata else {
      isWhole = false
      // Its run may have gone on with it, so the end of that run is not known.
      run?.clocks?.ended = nil
      return false
    }
    let restart = TraceMetadata.restart(from: run, to: next.runs.first, next.streams, times)
    run = next.runs.last
    for more in [restart].compactMap({ $0 }) + next.restarts where knownRestarts.insert(more).inserted {
      restarts.append(more)
    }
    if !next.areRestarts.contains(true) { listed.formUnion(next.restarts) }
    next.losses?.removeAll { $0.reason == TraceMetadata.restartReason }
    next.restarts = []
    streams.add(next.streams)
    losses.add(next.losses)
    gapBefore.add(next.gapBefore)
    initialLevel.add(next.initialLevel)
    late.add(next.late)
    uncertainTime.add(next.uncertainTime)
    possibleDuplicate.add(next.possibleDuplicate)
    uncertainLevel.add(next.uncertainLevel)
    ledger.add(next.ledger)
    pauses.add(next.pauses)
    if let more = next.marks { marks = (marks.take() ?? []) + more }
    if let more = next.errors { errors = (errors.take() ?? []) + more }
    runs += next.runs
    (next.streams, next.losses, next.ledger, next.pauses, next.errors) = (nil, nil, nil, nil, nil)
    (next.gapBefore, next.initialLevel, next.late, next.uncertainTime) = (nil, nil, nil, nil)
    (next.possibleDuplicate, next.uncertainLevel, next.marks, next.runs) = (nil, nil, nil, [])
    // The lists were summed above, so they are removed before the rest is merged.
    guard let before = merged else {
      merged = next
      return restart != nil
    }
    merged = TraceMetadata(merging: [before, next], isOneFile: true)
    // The recording is finished if its last part is. `isCutOff` shows that an earlier part was cut off.
    merged?.state = next.state
    merged?.repaired = next.repaired
    return restart != nil
  }

  /// - Parameter missing: The number of missing parts.
  func whole(missing: Int) -> TraceMetadata? {
    guard var whole = merged else { return nil }
    whole.streams = streams?.values
    whole.losses = losses?.values
    whole.gapBefore = gapBefore?.values
    whole.initialLevel = initialLevel?.values
    whole.late = late?.values
    whole.uncertainTime = uncertainTime?.values
    whole.possibleDuplicate = possibleDuplicate?.values
    whole.uncertainLevel = uncertainLevel?.values
    whole.ledger = ledger?.values
    whole.pauses = pauses?.values
    whole.marks = marks
    whole.errors = errors
    whole.runs = runs
    whole.add(restarts)
    if !isWhole {
      // As if rows had been in the file before.
      whole.hasUndescribedRows = true
      (whole.values, whole.lossesShown) = (nil, nil)
    }
    if missing > 0 {
      whole.losses =
        (whole.losses ?? []) + [
          Loss(
            streams: whole.streams?.map(\.name) ?? [], reason: TraceMetadata.missingParts, count: missing,
            countsReadings: false, isUncounted: true)
        ]
      whole.lossesShown = nil
    }
    return whole
  }
}

extension TraceMetadata {
  /// The reason of a loss of parts: earlier and later parts exist.
  package static let missingParts = "missing parts"
}

// MARK: Sums

/// An entry of a list that can be added to that of another part.
private protocol Summand {
  associatedtype Key: Hashable
  var key: Key { get }
  mutating func add(_ other: Self)
}

/// One entry per key, in the order of the keys' first appearance.
private struct Sums<Element: Summand> {
  private(set) var values: [Element] = []
  private var numbers: [Element.Key: Int] = [:]

  mutating func add(_ element: Element) {
    if let number = numbers[element.key] {
      values[number].add(element)
    } else {
      numbers[element.key] = values.count
      values.append(element)
    }
  }
}

extension Optional {
  /// Adds a list. The sum stays nil if no part has the list.
  fileprivate mutating func add<Element: Summand>(_ list: [Element]?) where Wrapped == Sums<Element> {
    guard let list else { return }
    // Taken out, so that the array is not copied.
    var sums = self ?? Sums()
    self = nil
    for element in list { sums.add(element) }
    self = sums
  }
}

/// Adds a count without a trap, because counts come from files, and the sum may overflow.
private func add(_ count: inout Int, _ other: Int) {
  let (sum, isOverflow) = count.addingReportingOverflow(other)
  count = isOverflow ? .max : sum
}

extension StreamDescription: Summand {
  fileprivate var key: ExactName { ExactName(name) }
  /// Adds a stream; the first part that has it describes it.
  fileprivate mutating func add(_ other: StreamDescription) {
    let known = Set(channels.map { ExactName($0.name) })
    channels += other.channels.filter { !known.contains(ExactName($0.name)) }
  }
}

extension Loss: Summand {
  fileprivate struct Key: Hashable {
    let streams: [ExactName]
    let reason: String
    let countsReadings: Bool
    let isUncounted: Bool
  }

  fileprivate var key: Key {
    Key(streams: streams.map(ExactName.init), reason: reason, countsReadings: countsReadings, isUncounted: isUncounted)
  }
  fileprivate mutating func add(_ other: Self) {
    SluiceRecording.add(&count, other.count)
    first = [first, other.first].compactMap { $0 }.min()
    last = [last, other.last].compactMap { $0 }.max()
  }
}

extension FlaggedReadings: Summand {
  fileprivate var key: ExactName { ExactName(stream) }
  fileprivate mutating func add(_ other: Self) {
    SluiceRecording.add(&count, other.count)
    times += other.times
  }
}

extension StreamAccount: Summand {
  fileprivate var key: ExactName { ExactName(stream) }
  fileprivate mutating func add(_ other: Self) {
    for count in [
      \Self.received, \.late, \.dropped, \.suppressed, \.used, \.made, \.discarded, \.written, \.unwritten,
      \.unaccounted, \.resumed, \.held,
    ] {
      SluiceRecording.add(&self[keyPath: count], other[keyPath: count])
    }
    firstDropped = [firstDropped, other.firstDropped].compactMap { $0 }.min()
    lastDropped = [lastDropped, other.lastDropped].compactMap { $0 }.max()
  }
}

extension Pause: Summand {
  fileprivate var key: Int64 { from }
  /// Joins a pause that continued into the next part.
  fileprivate mutating func add(_ other: Self) { to = to ?? other.to }
}
