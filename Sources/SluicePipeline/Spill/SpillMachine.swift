import DequeModule
import Sluice
import SluiceLog
import SluiceReadings

/// What a ``Spill`` does with readings. It is a value: no lock, no thread, no file.
///
/// The newest readings are in memory. When it is full, they go to the log. The output gets what is in the log first, so that
/// the order is kept. Before the output gets the first of them, everything that it has must be on its disk, because the
/// watermark of the log then says how long the file is. After the last of them, the same must be done: otherwise a file that
/// is cut back to this length would lose later readings, which were never in the log.
struct SpillMachine {
  enum Step {
    /// Append these to the log: ``appended(_:)`` or ``refused(_:)`` follows.
    case append([Reading])
    /// Write and sync what the output has: ``settled(_:)`` follows, perhaps later.
    case settle
    /// Read on in the log: ``read(_:)`` or ``foundEnd()`` follows.
    case read
    /// Give these to the output: ``gave(_:demand:)`` follows.
    case give(ArraySlice<Reading>, isLogged: Bool)
    /// Nothing more comes, and nothing is left to give.
    case finish
    case rest
  }

  /// What becomes of the readings in the log.
  private enum Drain {
    /// The output has got none of them.
    case waits
    case settling
    /// It could not be settled. ``tryAgain()`` follows.
    case settlesLater
    case runs
    /// The log could not be read. ``tryAgain()`` follows.
    case runsLater
    /// The output has got all of them, and is being settled.
    case ending
    /// It could not be settled. ``tryAgain()`` follows.
    case endsLater
    /// It must be settled before it gets anything. The watermark may be on the disk although it could not be written, and then
    /// says that the output has none of the readings that are in the log now.
    case unsettled
  }

  /// The most readings of a record, and the most that are given at once.
  static let run = SegmentLog.longestRun

  /// The readings that memory has room for.
  let capacity: Int
  /// Whether readings go to the log when memory is full.
  var spills: Bool
  /// Whether the output takes nothing because of a pause: it would only keep in memory what it has asked for before. Then
  /// readings go to the log also if memory is not full: ``due()``.
  var isPaused = false
  /// Whether upstream may wait for it. If other outputs get the same readings, upstream may not wait: then the oldest readings
  /// are dropped if there is no room.
  let holds: Bool
  /// Whether all further readings go to the log, and none to the output, because the output takes nothing more.
  private(set) var keeps = false
  private var memory: Deque<Reading> = []
  /// The readings at the front of memory that the last step gives or appends. They are still there until it is done.
  private var inStep = 0
  /// The streams whose next reading follows a drop.
  private var cut: Set<UInt16> = []
  private var outgoing: ArraySlice<Reading> = []
  /// The readings in the log that were not read.
  private(set) var logged: Int
  private var drain = Drain.waits
  private var demand = Subscribers.Demand.none
  /// The readings that upstream was asked for and has not sent.
  private var coming = 0
  private var hasEnded = false
  private var isFinished = false
  /// Whether the log takes nothing at present, and whether it refused the last append.
  private var (isRefused, wasRefused) = (false, false)
  /// Whether what is in memory goes to the log now, because it has waited for long enough.
  private var isDue = false

  /// - Parameter logged: The readings that an earlier run has left in the log.
  init(capacity: Int, spills: Bool, holds: Bool = true, logged: Int = 0) {
    (self.capacity, self.spills, self.holds, self.logged) = (max(1, capacity), spills, holds, logged)
  }

  /// The readings that are in memory.
  var held: Int { memory.count + outgoing.count }
  /// The readings that were read in the log and not given yet.
  var outgoingCount: Int { outgoing.count }
  /// Whether the output is getting what is in the log.
  var isDraining: Bool { drain != .waits && drain != .settling && drain != .settlesLater }

  // MARK: Upstream

  /// The number of readings to ask upstream for, so that memory does not overflow.
  mutating func ask() -> Int {
    guard !hasEnded, !isFinished else { return 0 }
    let room = capacity - coming - (holds || canAppend ? memory.count : 0)
    // Half of it at once, because each request costs upstream a lock.
    guard room > 0, room >= capacity / 2 || coming == 0 else { return 0 }
    coming += room
    return room
  }

  /// - Returns: The readings that it drops: the oldest in memory.
  mutating func receive(_ readings: ArraySlice<Reading>) -> [Reading] {
    coming = max(0, coming - readings.count)
    // Readings of no stream only show a time to stages, and an output does not count them.
    let start = memory.count
    memory.append(contentsOf: readings.lazy.filter { $0.stream != .none })
    flagGaps(from: start)
    let surplus = memory.count - inStep - capacity
    guard !holds, surplus > 0, !canAppend else { return [] }
    let dropped = Array(memory[inStep..<inStep + surplus])
    memory.removeSubrange(inStep..<inStep + surplus)
    for reading in dropped { cut.insert(reading.stream.index) }
    flagGaps(from: inStep)
    return dropped
  }

  /// Flags, among the readings of memory from a place on, the first of each stream after a drop.
  private mutating func flagGaps(from start: Int) {
    for index in memory.indices.dropFirst(start) where !cut.isEmpty {
      if cut.remove(memory[index].stream.index) != nil { memory[index].flags.insert(.gapBefore) }
    }
  }

  /// Whether the output must get readings of the log before those in memory.
  private var isBehind: Bool { logged > 0 || !outgoing.isEmpty || drain != .waits }
  /// Whether readings can go to the log if memory is full.
  private var canAppend: Bool { !isRefused && (keeps || spills || isBehind) }

  /// Nothing more comes.
  mutating func end() { hasEnded = true }

  // MARK: Downstream

  mutating func request(_ more: Subscribers.Demand) { demand += more }

  /// The output takes nothing more in this run: what is there stays in the log for the next one.
  mutating func keep() { keeps = true }

  // MARK: On the queue

  mutating func next() -> Step {
    inStep = 0
    guard !isFinished else { return .rest }
    if mustAppend {
      inStep = min(Self.run, memory.count)
      return .append(Array(memory.prefix(inStep)))
    }
    if keeps { return hasEnded && (memory.isEmpty || isRefused) ? finish() : .rest }
    if !outgoing.isEmpty { return takes ? .give(outgoing.prefix(limit), isLogged: true) : .rest }
    if logged > 0 {
      guard takes else { return .rest }
      switch drain {
      case .waits, .unsettled:
        drain = .settling
        return .settle
      case .settling, .settlesLater, .ending, .endsLater, .runsLater: return .rest
      case .runs: return .read
      }
    }
    switch drain {
    case .waits: break
    case .runs, .unsettled:
      drain = .ending
      return .settle
    case .settling, .settlesLater, .ending, .endsLater, .runsLater: return .rest
    }
    if !memory.isEmpty {
      guard takes else { return .rest }
      inStep = min(limit, memory.count)
      return .give(ArraySlice(memory.prefix(inStep)), isLogged: false)
    }
    return hasEnded ? finish() : .rest
  }

  private var limit: Int { min(demand.max ?? .max, Self.run) }

  private var mustAppend: Bool {
    guard !isRefused, !memory.isEmpty else { return false }
    if keeps || isDue && isHeldByPause { return true }
    // The output must get the readings of the log before those in memory, also after a pause. Until then, a full memory goes
    // to the log.
    return memory.count >= capacity && (isBehind || spills && !takes)
  }

  /// Whether ``due()`` should follow after some time: a pause may be long, and a kill costs what is in memory.
  var willBeDue: Bool { isHeldByPause && !isDue && !memory.isEmpty && !isRefused }

  /// At the end, the output gets what is there.
  private var isHeldByPause: Bool { isPaused && spills && !hasEnded }
  private var takes: Bool { demand > .none && !isHeldByPause }

  /// What is in memory has waited for long enough.
  mutating func due() { isDue = true }

  private mutating func finish() -> Step {
    isFinished = true
    return .finish
  }

  /// The readings that neither the log nor the output has taken, at the end.
  mutating func takeRest() -> [Reading] {
    defer { memory = [] }
    return Array(memory)
  }

  /// The first readings of memory are in the log.
  /// - Returns: Whether it takes readings again after a refusal.
  mutating func appended(_ count: Int) -> Bool {
    memory.removeFirst(count)
    inStep = 0
    if memory.isEmpty { isDue = false }
    logged += count
    defer { wasRefused = false }
    return wasRefused
  }

  /// The log takes nothing.
  /// - Returns: Whether this is new.
  mutating func refused() -> Bool {
    inStep = 0
    defer { (isRefused, wasRefused) = (true, true) }
    return !wasRefused
  }

  /// What has failed may be tried again.
  mutating func tryAgain() {
    isRefused = false
    if drain == .settlesLater { drain = .waits }
    if drain == .runsLater { drain = .runs }
    if drain == .endsLater { drain = .unsettled }
  }

  /// - Parameter isDone: Whether everything that the output had is on its disk.
  mutating func settled(_ isDone: Bool) {
    switch drain {
    case .settling: drain = isDone ? .runs : .settlesLater
    // With more in the log, the watermark that was written says that the output has all before them.
    case .ending: drain = !isDone ? .endsLater : logged > 0 ? .runs : .waits
    case .waits, .settlesLater, .runs, .runsLater, .endsLater, .unsettled: break
    }
  }

  /// The log cannot be read at present.
  mutating func readFailed() { drain = .runsLater }

  mutating func read(_ readings: [Reading]) {
    logged -= readings.count
    outgoing = readings[...]
  }

  /// Readings that were in the log are lost.
  mutating func lost(_ count: Int) { logged = max(0, logged - count) }

  /// The log has no more readings.
  mutating func foundEnd() { logged = 0 }

  mutating func gave(_ count: Int, isLogged: Bool, demand more: Subscribers.Demand) {
    if isLogged {
      outgoing.removeFirst(count)
    } else {
      memory.removeFirst(count)
      inStep = 0
    }
    if demand != .unlimited { demand -= count }
    demand += more
  }
}
