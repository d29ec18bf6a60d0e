import DequeModule
import SluiceReadings

/// What an output does with readings, and its queue with batches. It is a value: no lock, no thread, no clock.
///
/// A ``RecordingSink`` changes it under its lock, and does what the answers say.
struct OutputMachine {
  /// What becomes of the readings.
  enum Phase {
    case open
    /// Its disk is full or away. It keeps readings, and its queue tries again.
    case away
    /// Its disk is away, and it keeps as much as it may. It drops readings, so that other outputs get them.
    case full
    /// Its disk is back. It drops readings until half of what it kept is written.
    case catchingUp
    /// It takes no more readings. Its queue still writes what was handed over, and then notices the error.
    case givenUp(SluiceError)
    case failed(SluiceError)
    /// It was not finished in time. Nothing that its queue still writes counts.
    case abandoned(SluiceError)
  }

  /// What the queue of its writes does.
  enum Queue {
    case asleep
    /// A batch waits, and the queue does not know it yet.
    case due
    /// It looks at the batches, or will.
    case awake
    /// It will try the first batch again.
    case waiting
    /// It looks at the batches, or will. After the last it closes the output.
    case ending
    case closing
    case closed
  }

  /// What becomes of the next readings.
  enum Intake {
    case takes
    /// They are dropped, for the sake of other outputs.
    case drops
    /// They count as not written.
    case refuses
  }

  enum Step {
    case write(any RecordBatch)
    case close
    /// Nothing to do. Each call that hands over a batch wakes the queue.
    case rest
  }

  private(set) var phase = Phase.open { didSet { intake = Self.intake(phase) } }
  private(set) var queue = Queue.asleep
  /// Kept beside the phase, because it is looked at for each run of readings.
  private(set) var intake = Intake.takes
  /// The counts of each stream. What was taken counts as written until it is known not to be.
  var counts: [OutputCount]
  /// The number of readings that were not written for other reasons before it was abandoned.
  private(set) var unwrittenBefore = 0
  /// The batch that the queue is writing.
  private(set) var current: (any RecordBatch)?
  private(set) var outgoing: Deque<any RecordBatch> = []
  /// The bytes that were handed over, and not taken by the system yet.
  private(set) var bytesInFlight = 0
  /// The bytes in flight above which nothing more should come.
  let capacity: Int

  init(streams: Int, capacity: Int) {
    counts = Array(repeating: OutputCount(), count: streams)
    self.capacity = capacity
  }

  private static func intake(_ phase: Phase) -> Intake {
    switch phase {
    case .open, .away: .takes
    case .full, .catchingUp: .drops
    case .givenUp, .failed, .abandoned: .refuses
    }
  }

  // MARK: What it is

  var isOver: Bool { intake == .refuses }

  var isAway: Bool {
    switch phase {
    case .away, .full: true
    case .open, .catchingUp, .givenUp, .failed, .abandoned: false
    }
  }

  /// Whether its disk takes bytes, as far as is known.
  var isWritable: Bool { !isOver && !isAway }
  var isOverfull: Bool { bytesInFlight > capacity }
  /// Whether upstream need not wait for it.
  var hasRoom: Bool { intake != .takes || bytesInFlight <= capacity / 2 }

  /// The readings that count as written, and that its disk has not taken; nil while it takes them soon.
  var waiting: Int? {
    switch phase {
    case .away, .full, .catchingUp: break
    // A write that hangs.
    case .open: guard !hasRoom else { return nil }
    case .givenUp, .failed, .abandoned: return nil
    }
    var all: [Int] = []
    // How much of it is taken, nobody knows while it is being written.
    current?.count(into: &all)
    return outgoing.reduce(all.reduce(0, +)) { $0 + $1.unwritten.values.reduce(0, +) }
  }

  /// The error that ended it.
  var failure: SluiceError? {
    switch phase {
    case .open, .away, .full, .catchingUp: nil
    case .givenUp(let error), .failed(let error), .abandoned(let error): error
    }
  }

  var isAbandoned: Bool { if case .abandoned = phase { true } else { false } }
  var isClosed: Bool { queue == .closed }

  // MARK: Readings

  /// Takes a batch. It may have to be woken then.
  /// - Returns: Whether it now has more than it should.
  mutating func handOver(_ batch: any RecordBatch) -> Bool {
    outgoing.append(batch)
    bytesInFlight += batch.byteCount
    if queue == .asleep { queue = .due }
    return isOverfull
  }

  /// - Returns: Whether the queue must be woken.
  mutating func wake() -> Bool {
    guard queue == .due else { return false }
    queue = .awake
    return true
  }

  /// Drops readings from now on, because its disk is away and others can write.
  mutating func drop() { if case .away = phase { phase = .full } }

  /// Keeps readings again, because no other output can write.
  /// - Returns: Whether it has more than it should.
  mutating func keep() -> Bool {
    guard case .full = phase else { return false }
    phase = .away
    return isOverfull
  }

  /// No more readings come.
  /// - Returns: Whether the queue must be woken.
  mutating func end() -> Bool {
    switch queue {
    case .ending, .closing, .closed: return false
    case .asleep, .due, .awake, .waiting: break
    }
    defer { queue = .ending }
    // What an abandoned output keeps is not tried again.
    return queue == .waiting ? !isAway : queue != .awake
  }

  // MARK: On the queue

  mutating func next() -> Step {
    if queue == .closing || queue == .closed { return .rest }
    current = outgoing.popFirst()
    if let current {
      if queue != .ending { queue = .awake }
      return .write(current)
    }
    guard queue == .ending else {
      queue = .asleep
      return .rest
    }
    queue = .closing
    return .close
  }

  /// The current batch is written.
  mutating func wrote() {
    defer { current = nil }
    guard let batch = current, !isAbandoned else { return }
    takeBack(batch.leftOut)
    bytesInFlight -= batch.byteCount
    switch phase {
    case .away: phase = .open
    case .full, .catchingUp: phase = bytesInFlight <= capacity / 2 ? .open : .catchingUp
    case .open, .givenUp, .failed, .abandoned: break
    }
  }

  /// The current batch will be tried again.
  /// - Returns: False if it was abandoned.
  mutating func tryAgain() -> Bool {
    defer { current = nil }
    if queue == .awake { queue = .waiting }
    guard let batch = current, !isAbandoned else { return false }
    outgoing.prepend(batch)
    switch phase {
    case .open: phase = .away
    case .catchingUp: phase = .full
    case .away, .full, .givenUp, .failed, .abandoned: break
    }
    return true
  }

  /// It takes no more readings, and fails later.
  mutating func giveUp(_ error: SluiceError) { if !isOver { phase = .givenUp(error) } }

  /// It ends. What is not written counts as such.
  /// - Parameter rest: The batches that were not handed over.
  /// - Returns: The error that ended it; nil if it was over before.
  mutating func fail(_ error: SluiceError, _ rest: [any RecordBatch] = []) -> SluiceError? {
    switch phase {
    case .failed, .abandoned: return nil
    case .open, .away, .full, .catchingUp, .givenUp: break
    }
    takeBackAll([current].compactMap { $0 } + rest)
    current = nil
    let error = failure ?? error
    phase = .failed(error)
    return error
  }

  /// It ends, whatever its queue does. The current batch counts as not written, because nobody knows how much of it the
  /// system has taken.
  /// - Parameters:
  ///   - rest: The batches that were not handed over.
  ///   - losesUnsafe: Whether readings that its store has, and that are not safe, end with this process.
  mutating func abandon(_ error: SluiceError, _ rest: [any RecordBatch], losesUnsafe: Bool = false) {
    unwrittenBefore = counts.reduce(0) { $0 + $1.unwritten }
    if let current {
      var all: [Int] = []
      current.count(into: &all)
      for (stream, count) in all.enumerated() { takeBack([stream: count]) }
      takeBack(current.leftOut)
    }
    takeBackAll(rest)
    if losesUnsafe {
      for stream in counts.indices { takeBack([stream: counts[stream].written - counts[stream].synced]) }
    }
    phase = .abandoned(error)
  }

  mutating func close() { queue = .closed }

  /// Written readings have become safe.
  /// - Parameter safe: Their number in each stream.
  mutating func addSafe(_ safe: [Int]) {
    guard !isAbandoned else { return }
    for (stream, count) in safe.enumerated() where count > 0 {
      counts[stream].synced = min(counts[stream].synced + count, counts[stream].written)
    }
  }

  /// Written readings are not in the store after all.
  mutating func lose(_ lost: [Int], isDropped: Bool) {
    guard !isAbandoned else { return }
    for (stream, count) in lost.enumerated() where count > 0 && stream < counts.count {
      let count = min(count, counts[stream].written)
      counts[stream].written -= count
      if isDropped { counts[stream].dropped += count } else { counts[stream].unwritten += count }
    }
  }

  /// Counts what is not written of these batches. One that is tried again may be partly written.
  private mutating func takeBackAll(_ rest: [any RecordBatch]) {
    for batch in outgoing + rest {
      takeBack(batch.unwritten)
      takeBack(batch.leftOut)
    }
    outgoing.removeAll()
    bytesInFlight = 0
  }

  private mutating func takeBack(_ readings: [Int: Int]) {
    for (stream, count) in readings {
      counts[stream].written -= count
      counts[stream].unwritten += count
    }
  }
}
