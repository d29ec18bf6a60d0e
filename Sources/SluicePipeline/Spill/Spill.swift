import DequeModule
import Dispatch
import Sluice
import SluiceLog
import SluiceReadings
import SluiceRecording
import SluiceSystem

/// Keeps on the disk, in their order, the readings that an output does not take at present.
///
/// It stands in front of the sink of an output. Readings go through its memory; when that is full, into a log. All work on the
/// log and all deliveries are done on its queue, so that a slow disk does not hold up the sources.
///
/// The watermark of the log moves when the output says what is safe. If a run is killed, the next run of the same recording
/// cuts the output back to the length in the watermark, and gives it the rest of the log first.
final class Spill: Subscriber, Subscription, @unchecked Sendable {
  // The lock protects `state`. Only the queue uses the log, the reader and `progress`; `settle` and `happened` are set before
  // the first reading.

  typealias Input = Reading
  typealias Failure = Never

  /// What it reports.
  enum Event: Equatable {
    /// The log takes nothing at present: because of this error, or, if there is none, because it has its largest size.
    case refused(SystemErrno?)
    /// It takes readings again.
    case goesOn
    /// It is damaged: so many readings cannot be read. Only the first damage of a run is reported.
    case damaged(Int)
  }

  private struct State {
    var machine: SpillMachine
    var upstream: (any Subscription)?
    var isScheduled = false
    var isCancelled = false
    var counts: Counts
    var bytes: Int64 = 0
  }

  private let log: SegmentLog
  private let size: Int64
  private let always: Bool
  private let isSynced: Bool
  private let queue: any WorkQueue
  private let state: Locked<State>
  private var reader: LogReader
  private var progress: SpillProgress
  private var told = OutputProgress()
  /// The readings that the output got from memory and has not written. They are the newest that it got.
  private var unwritten: Deque<Reading> = []
  private var isDirty = false
  private var isSyncDue = false
  private var isDueLater = false
  private var isClosed = false
  private var isOutputUnsafe = false
  private var hasLost = false
  /// Whether the output may have the readings of an earlier run already.
  private let mayBeTwice: Bool
  /// The streams whose next reading from the log follows a loss.
  private var isCut: [Bool]
  /// The identity of this run: when it began.
  private let run: UInt64
  private var subscriber: AnySubscriber<Reading, Never>?
  /// The sequence number of the first reading of this run.
  private let own: UInt64
  /// Whether readings of an earlier run were in the log at the start.
  private let wasWaiting: Bool
  /// Whether the log still needs a watermark of its own.
  private var isMarkMissing: Bool
  /// What became of the readings that the output had got when it was settled.
  enum Settled {
    case done
    /// Its disk is full or away.
    case notYet
    /// Everything is written, but a sync has failed: nobody knows what is on the disk.
    case unsafe
  }

  /// Writes and syncs what the output has, and then calls back, on any queue.
  var settle: (_ done: @escaping @Sendable (Settled) -> Void) -> Void = { $0(.done) }
  var happened: @Sendable (Event) -> Void = { _ in }

  /// The time before something that has failed is tried again.
  private static let pause: Int64 = 500_000_000

  /// - Parameters:
  ///   - streams: The number of streams.
  ///   - isSynced: Whether the log is synced.
  init(_ setup: SpillSetup, streams: Int, isSynced: Bool, _ queue: any WorkQueue) {
    let log = setup.folder.log
    (self.log, size, self.isSynced, self.queue) = (log, Int64(setup.size), isSynced, queue)
    always = setup.always
    run = setup.run
    // Readings that the output had in memory when an earlier run was killed are missing before them.
    isCut = Array(repeating: true, count: streams)
    (own, reader, progress) = (log.next, log.reader(), SpillProgress(next: log.watermark.next))
    let earlier = Int(log.next - log.watermark.next)
    wasWaiting = earlier > 0
    mayBeTwice = setup.folder.mayBeTwice > 0
    isMarkMissing = !log.hadWatermark || earlier == 0
    var counts = Counts(streams: streams)
    counts.earlier = earlier
    state = Locked(
      State(
        machine: SpillMachine(capacity: setup.memory, spills: always, holds: setup.holds, logged: earlier),
        counts: counts))
  }

  // MARK: Seen from outside

  /// The folder of its log.
  var folder: String { log.folder }
  var counts: Counts { state.withLock { $0.counts } }
  /// The readings of a stream that it has flagged.
  func flagged(_ stream: Int) -> StreamFlags { state.withLock { $0.counts.flagged[stream] } }
  /// The readings in memory, and those in the log.
  var held: Int { state.withLock { $0.machine.held + $0.machine.logged } }

  /// The counts of its output, less the readings that the next run gives to it again, and with the readings that were lost.
  func without(_ share: OutputShare) -> OutputShare {
    let counts = counts
    var share = share
    for stream in share.counts.indices where stream < counts.lost.count {
      // Of a batch that was cut short, rows may be written that count as others here.
      let others = min(counts.undone.others[stream], share.counts[stream].unwritten)
      share.counts[stream].written -= counts.undone.written[stream] + counts.undone.others[stream] - others
      share.counts[stream].dropped += counts.dropped[stream]
      share.counts[stream].unwritten += counts.lost[stream] + counts.untaken[stream] - others
    }
    if let times = counts.droppedTimes {
      let before = share.droppedTimes ?? times
      share.droppedTimes = min(before.lowerBound, times.lowerBound)...max(before.upperBound, times.upperBound)
    }
    return share
  }

  /// The number of readings that are lost at the end: the output got them, or should have got them, and neither the
  /// output nor the log has them.
  /// - Parameters:
  ///   - left: The readings that the output has got and not written.
  ///   - share: The counts of the output.
  func lost(of left: Int, _ share: OutputShare) -> Int {
    let counts = counts
    let kept = zip(counts.undone.others, share.counts).reduce(0) { $0 + min($1.0, $1.1.unwritten) }
    return max(0, left - kept) + counts.untaken.reduce(0, +)
  }

  /// Its account; nil if no reading was in the log.
  var account: SpillAccount? {
    let (counts, bytes) = state.withLock { ($0.counts, $0.bytes) }
    func sum(_ counts: [Int]) -> Int { counts.reduce(0, +) }
    let account = SpillAccount(
      spilled: sum(counts.spilled), drained: sum(counts.drained), resumed: sum(counts.resumed),
      held: sum(counts.held) + counts.earlier, lost: sum(counts.lost) + counts.earlierLost,
      lostOfEarlierRun: counts.earlierLost > 0 ? counts.earlierLost : nil, bytes: bytes,
      first: counts.times?.lowerBound, last: counts.times?.upperBound)
    return account.spilled + account.drained + account.held + account.lost > 0 ? account : nil
  }

  /// Sets whether readings go to the log because of a pause.
  func spills(_ spills: Bool) {
    state.withLock { ($0.machine.spills, $0.machine.isPaused) = (spills || always, spills) }
    wake()
  }

  /// A pause has ended.
  func pauseEnds() { spills(false) }

  /// The output takes nothing more in this run. All further readings go to the log.
  func keep() {
    state.withLock { $0.machine.keep() }
    wake()
  }

  /// Takes what the output has written and synced. Any queue may call it.
  func progressed(_ progress: OutputProgress) {
    queue.perform { [weak self] in self?.note(progress) }
  }

  /// The publisher for the output: these readings, by way of the spill.
  func behind(_ readings: AnyPublisher<Reading, Never>) -> AnyPublisher<Reading, Never> {
    AnyPublisher(SpilledPublisher(spill: self, upstream: readings))
  }

  private struct SpilledPublisher: Publisher {
    typealias Output = Reading
    typealias Failure = Never

    let spill: Spill
    let upstream: AnyPublisher<Reading, Never>

    func receive<S: Subscriber>(subscriber: S) where S.Input == Reading, S.Failure == Never {
      spill.subscriber = AnySubscriber(subscriber)
      subscriber.receive(subscription: spill)
      upstream.subscribe(spill)
    }
  }

  // MARK: Subscriber

  func receive(subscription: any Subscription) {
    let isFirst = state.withLock { state in
      guard state.upstream == nil, !state.isCancelled else { return false }
      state.upstream = subscription
      return true
    }
    guard isFirst else { return subscription.cancel() }
    wake()
  }

  func receive(_ reading: Reading) -> Subscribers.Demand { _receive(run: [reading]).demand }

  var _takesRuns: Bool { true }

  func _receive(run: ArraySlice<Reading>) -> Operators.Taken {
    state.withLock { state in
      let dropped = state.machine.receive(run)
      if !dropped.isEmpty { state.counts.drop(dropped) }
    }
    wake()
    return Operators.Taken(count: run.count, demand: .none, isOver: false)
  }

  func receive(completion: Subscribers.Completion<Never>) {
    state.withLock { $0.machine.end() }
    wake()
  }

  // MARK: Subscription

  func request(_ demand: Subscribers.Demand) {
    state.withLock { $0.machine.request(demand) }
    wake()
  }

  /// The output has ended. What is in memory goes to the log.
  func cancel() {
    let upstream = state.withLock { state in
      state.machine.keep()
      state.machine.end()
      state.isCancelled = true
      defer { state.upstream = nil }
      return state.upstream
    }
    upstream?.cancel()
    wake()
  }

  // MARK: On the queue

  private func wake() {
    let isNew = state.withLock { state in
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if isNew { queue.perform { [self] in turn() } }
  }

  /// The steps of a turn. Other work on the queue must not wait until the whole log is read.
  private static let steps = 16

  private func turn() {
    for _ in 0..<Self.steps {
      let (step, more, upstream) = state.withLock { state in
        let step = state.machine.next()
        if case .rest = step { state.isScheduled = false }
        return (step, state.upstream == nil ? 0 : state.machine.ask(), state.upstream)
      }
      if more > 0 { upstream?.request(.max(more)) }
      if case .rest = step { waitUntilDue() }
      switch step {
      case .append(let readings): append(readings)
      case .settle: settleOutput()
      case .read: read()
      case .give(let run, let isLogged): give(run, isLogged)
      case .finish: finish()
      case .rest: return
      }
    }
    queue.perform { [self] in turn() }
  }

  /// In a pause, what is in memory goes to the log after a second.
  private func waitUntilDue() {
    guard !isDueLater, state.withLock({ $0.machine.willBeDue }) else { return }
    isDueLater = true
    queue.perform(after: 1_000_000_000) { [weak self] in
      self?.isDueLater = false
      self?.state.withLock { $0.machine.due() }
      self?.wake()
    }
  }

  private func tryAgainLater() {
    queue.perform(after: Self.pause) { [weak self] in
      self?.state.withLock { $0.machine.tryAgain() }
      self?.wake()
    }
  }

  private func append(_ readings: [Reading]) {
    do throws(SystemErrno) {
      guard log.byteCount < size else { throw SystemErrno(0) }
      // The next run must know that the output has none of these readings. A watermark that was found may
      // belong to an earlier log: after a power cut, a removed file can be there again.
      if isMarkMissing, let error = mark(isDraining: wasWaiting) { throw error }
      try log.append(readings)
    } catch {
      let isFirst = state.withLock { $0.machine.refused() }
      if isFirst { happened(.refused(error.code == 0 ? nil : error)) }
      return tryAgainLater()
    }
    let isBack = state.withLock { state -> Bool in
      for reading in readings { state.counts.spilled[Int(reading.stream.index)] += 1 }
      let (first, last) = (readings[0].time, readings[readings.count - 1].time)
      let before = state.counts.times ?? first...first
      state.counts.times = min(before.lowerBound, first)...max(before.upperBound, last)
      state.bytes = log.byteCount
      return state.machine.appended(readings.count)
    }
    if isBack { happened(.goesOn) }
    isDirty = true
    guard isSynced, !isSyncDue else { return }
    isSyncDue = true
    queue.perform(after: 1_000_000_000) { [weak self] in
      self?.isSyncDue = false
      self?.sync()
    }
  }

  private func sync() {
    guard isDirty, isSynced, !isClosed else { return }
    if (try? log.sync()) != nil { isDirty = false }
  }

  private func settleOutput() {
    settle { [weak self] settled in self?.queue.perform { [weak self] in self?.settled(settled) } }
  }

  private func settled(_ settled: Settled) {
    guard !isClosed else { return }
    // Then the next run does not know which readings the output has, and says so.
    if settled == .unsafe { isOutputUnsafe = true }
    let (isEnding, logged) = state.withLock { ($0.machine.isDraining, $0.machine.logged) }
    let isDone = settled != .notYet && mark(isDraining: !isEnding || progress.hasUnsafe || logged > 0) == nil
    state.withLock { $0.machine.settled(isDone) }
    if isDone { wake() } else { tryAgainLater() }
  }

  /// Writes the watermark.
  /// - Returns: Why it could not be written; nil if it was.
  private func mark(isDraining: Bool) -> SystemErrno? { mark(progress.next, isDraining: isDraining, told.file) }

  /// - Parameter file: The output with all readings before `next`.
  private func mark(_ next: UInt64, isDraining: Bool, _ file: FileExtent?) -> SystemErrno? {
    var mark = LogWatermark(next: next)
    mark.isDraining = isDraining
    mark.run = run
    // Readings behind the watermark may already be in the output, within this length. Then the length is left out: the
    // next run would take the output of this length for one without these readings.
    if let file, !isOutputUnsafe, !mayBeTwice || progress.next >= own {
      (mark.device, mark.inode) = (file.identity.device, file.identity.inode)
      mark.length = UInt64(clamping: file.length)
      mark.part = UInt16(truncatingIfNeeded: file.part & 0x7fff)
    }
    do throws(SystemErrno) {
      // The next run may cut the file back to this length. So the log must first have the readings behind the watermark on
      // the disk.
      if isDirty, isSynced { try log.sync() }
      isDirty = false
      try log.advance(mark)
    } catch {
      return error
    }
    isMarkMissing = false
    state.withLock { $0.bytes = log.byteCount }
    return nil
  }

  private func note(_ new: OutputProgress) {
    guard !isClosed else { return }
    told = new
    unwritten.removeFirst(max(0, unwritten.count - max(0, progress.given - new.written)))
    guard progress.settle(new.safe) else { return }
    // If the watermark cannot be written, the last one still holds, and nothing is lost. The next watermark replaces it.
    _ = mark(isDraining: progress.hasUnsafe || state.withLock { $0.machine.isDraining })
  }

  private func read() {
    do throws(SystemErrno) {
      switch try reader.next() {
      case .readings(let first, var readings):
        guard readings.allSatisfy({ Int($0.stream.index) < isCut.count }) else {
          // The record is of another log.
          return lost(first..<reader.position)
        }
        flag(&readings, isEarlier: first < own)
        state.withLock { $0.machine.read(readings) }
      case .lost(let numbers): lost(numbers)
      case .end: state.withLock { $0.machine.foundEnd() }
      }
    } catch {
      // The disk may come back. The record is not read yet.
      state.withLock { $0.machine.readFailed() }
      tryAgainLater()
    }
  }

  /// Readings of the log cannot be read.
  private func lost(_ numbers: Range<UInt64>) {
    progress.skip(to: numbers.upperBound)
    for stream in isCut.indices { isCut[stream] = true }
    if !hasLost { happened(.damaged(numbers.count)) }
    hasLost = true
    state.withLock { state in
      let earlier = numbers.lowerBound < own ? Int(min(own, numbers.upperBound) - numbers.lowerBound) : 0
      state.counts.earlierLost += earlier
      state.counts.earlier -= earlier
      state.machine.lost(numbers.count)
    }
  }

  /// Flags the first reading of each stream after a loss, and the readings that the output may have already.
  private func flag(_ readings: inout [Reading], isEarlier: Bool) {
    let mayBeTwice = isEarlier && mayBeTwice
    guard mayBeTwice || isCut.contains(true) else { return }
    var flagged: [Int: StreamFlags] = [:]
    for index in readings.indices {
      let stream = Int(readings[index].stream.index)
      var flags: Reading.Flags = mayBeTwice ? .possibleDuplicate : []
      // The readings of this run follow readings that the output got, unless some were lost.
      if isCut[stream], isEarlier || hasLost { flags.insert(.gapBefore) }
      isCut[stream] = false
      guard !flags.isEmpty else { continue }
      let new = flags.subtracting(readings[index].flags)
      flagged[stream, default: StreamFlags()].add(new, at: readings[index].time)
      readings[index].flags.formUnion(new)
    }
    state.withLock { state in
      for (stream, flags) in flagged { state.counts.flagged[stream] = state.counts.flagged[stream].adding(flags) }
    }
  }

  private func give(_ run: ArraySlice<Reading>, _ isLogged: Bool) {
    let (isCancelled, rest) = state.withLock { ($0.isCancelled, $0.machine.outgoingCount - run.count) }
    guard !isCancelled, let subscriber else { return }
    let end = isLogged ? reader.position - UInt64(rest) : nil
    let count = run.count
    let taken = subscriber._receive(run: run) { !self.state.withLock { $0.isCancelled } }
    let run = run.prefix(taken.count)
    guard !run.isEmpty else { return }
    progress.gave(run, endingAt: end.map { $0 - UInt64(count - run.count) })
    // Before the output gets readings of the log, it has written all others.
    if isLogged { unwritten.removeAll() } else { unwritten += run }
    let isEarlier = end.map { $0 <= own } ?? false
    state.withLock { state in
      state.machine.gave(run.count, isLogged: isLogged, demand: taken.demand)
      guard isLogged else { return }
      for reading in run where Int(reading.stream.index) < state.counts.drained.count {
        state.counts.drained[Int(reading.stream.index)] += 1
        if isEarlier { state.counts.resumed[Int(reading.stream.index)] += 1 }
      }
      if isEarlier { state.counts.earlier -= run.count }
    }
  }

  private func finish() {
    sync()
    state.withLock { state in
      for reading in state.machine.takeRest() where Int(reading.stream.index) < state.counts.untaken.count {
        state.counts.untaken[Int(reading.stream.index)] += 1
      }
    }
    subscriber?.receive(completion: .finished)
    subscriber = nil
  }

  // MARK: The end

  /// Closes the log after the end of the output, and removes it if nothing is left in it. It must not be called on the queue.
  /// - Returns: False if it is not closed within 10 seconds, because its disk hangs.
  func close() -> Bool {
    let isClosed = DispatchSemaphore(value: 0)
    close { isClosed.signal() }
    return isClosed.wait(timeout: .now() + .seconds(10)) == .success
  }

  func close(_ done: @escaping @Sendable () -> Void) {
    queue.perform { [self] in
      closeLog()
      done()
    }
  }

  /// Puts the readings that the output got from memory and has not written into the log, before all readings that wait
  /// there. The next run cuts the output back to what was written, and gives it these readings again.
  /// - Returns: The readings that are in the log now.
  private func keepUnwritten() -> [Reading] {
    // If readings of the log are among them, nobody knows where in the log they belong.
    guard !unwritten.isEmpty, !progress.hasUnsafe else { return [] }
    do throws(SystemErrno) {
      guard log.byteCount < size else { throw SystemErrno(0) }
      guard let first = try log.prepend(Array(unwritten)) else { return [] }
      if let error = mark(first, isDraining: true, told.whole) { throw error }
      return Array(unwritten)
    } catch {
      let isFirst = state.withLock { $0.machine.refused() }
      if isFirst { happened(.refused(error.code == 0 ? nil : error)) }
      return []
    }
  }

  private func closeLog() {
    guard !isClosed else { return }
    isClosed = true
    _ = progress.settle(told.safe)
    let kept = keepUnwritten()
    let isEmpty = kept.isEmpty && progress.next >= log.next
    state.withLock { state in
      for reading in kept where Int(reading.stream.index) < state.counts.undone.others.count {
        state.counts.undone.others[Int(reading.stream.index)] += 1
      }
      for reading in progress.unsafe(written: told.written) where reading.stream < state.counts.lost.count {
        if reading.isWritten {
          state.counts.undone.written[reading.stream] += 1
        } else {
          state.counts.undone.others[reading.stream] += 1
        }
      }
      guard isEmpty else { return }
      // The readings of this run that are missing were damaged.
      for stream in state.counts.lost.indices {
        let own = state.counts.drained[stream] - state.counts.resumed[stream]
        state.counts.lost[stream] += max(0, state.counts.spilled[stream] - own)
      }
    }
    reader.close()
    if isEmpty { log.remove() } else { log.close() }
  }
}
