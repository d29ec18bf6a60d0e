import Dispatch
import Sluice
import SluiceReadings
import SluiceRecording
import SluiceSystem

/// Sends the readings of a spool to a server.
///
/// Any thread appends. Everything else is done on its queue: what the machine says, one step after the other. The transport
/// has threads of its own, so that neither an append nor a sync waits for the server.
final class Sender: @unchecked Sendable {
  // The mutex protects `state`.

  struct State {
    var machine: SenderMachine
    let spool: any SendSpool
    var equalTimes: EqualTimes
    /// What was fetched and is not settled.
    var held: [SendBatch] = []
    var counts = SendingCounts()
    var isScheduled = false
    var wakesAt: Int64?
    var isSaveDue = false
    var isFull = false
    var isClosed = false
    /// By stream, the readings of this run that are in the spool and were not read.
    var unread: [Int] = []
    /// Readings of this run that could not be read, and whose streams are not known yet.
    var lostCount = 0
    /// The time of the last reading that was read.
    var lastTime: Int64 = 0
    /// When each fault was told.
    var toldAt: [Fault: Int64] = [:]
    var refusals: RefusedReadings?
    var handlers = Handlers()
  }

  struct Handlers {
    var acknowledged: @Sendable (_ counts: [Int]) -> Void = { _ in }
    var lost: @Sendable (LostReadings) -> Void = { _ in }
    var happened: @Sendable (OutputEvent) -> Void = { _ in }
  }

  enum Fault { case refused, damaged, read, sync, refusals }

  /// What is told outside of the mutex.
  struct News {
    var acknowledged: [Int] = []
    var lost: [LostReadings] = []
    var events: [OutputEvent] = []
  }

  let address: String
  private let settings: ServerSettings
  private let transport: any BatchTransport
  let queue: any WorkQueue
  private let sync: SyncPolicy
  /// Whether readings that come do not wait behind a backlog. Those of a replay come as fast as they are taken.
  private let sendsFresh: Bool
  private let state: PriorityInheritanceMutex<State>
  /// The number of the first reading of this run.
  let own: UInt64
  private let progressed = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)

  // They may be set while it sends: what an earlier run has left is sent before the first reading of this run.

  var acknowledged: @Sendable (_ counts: [Int]) -> Void {
    get { state.withLock { $0.handlers.acknowledged } }
    set { state.withLock { $0.handlers.acknowledged = newValue } }
  }
  var lost: @Sendable (LostReadings) -> Void {
    get { state.withLock { $0.handlers.lost } }
    set { state.withLock { $0.handlers.lost = newValue } }
  }
  var happened: @Sendable (OutputEvent) -> Void {
    get { state.withLock { $0.handlers.happened } }
    set { state.withLock { $0.handlers.happened = newValue } }
  }

  /// - Parameters:
  ///   - refusals: Where readings go that the server refuses; nil if they are only counted.
  ///   - patience: How long it goes on after the end: without a reading that is taken, and at most.
  init(
    to address: String, _ settings: ServerSettings, _ spool: any SendSpool, _ transport: any BatchTransport,
    _ queue: any WorkQueue, sync: SyncPolicy, refusals: RefusedReadings?, patience: (without: Int64, with: Int64),
    seed: UInt64, equalTimes: EqualTimes = EqualTimes(), sendsFresh: Bool = true
  ) {
    (self.address, self.settings, self.transport, self.queue) = (address, settings, transport, queue)
    (self.sync, self.sendsFresh, own) = (sync, sendsFresh, spool.next)
    let machine = SenderMachine(
      spool.settled..<max(spool.settled, spool.next), syncs: spool.isLasting, window: transport.window,
      most: transport.most, patience: patience, seed: seed)
    var state = State(machine: machine, spool: spool, equalTimes: equalTimes)
    state.refusals = refusals
    self.state = PriorityInheritanceMutex(state)
  }

  /// The readings from the first one on that is not settled: what the next run sends.
  var waiting: Int { state.withLock { Int($0.machine.available - $0.machine.settled) } }
  /// Why the server takes nothing; nil if it does.
  var reason: SluiceError? { state.withLock { $0.machine.reason } }

  var counts: SendingCounts {
    state.withLock { state in
      var counts = state.counts
      counts.queued = state.machine.queued
      counts.bytes = state.spool.byteCount
      transport.complete(&counts)
      return counts
    }
  }

  /// Begins with what an earlier run has left.
  func start() { wake() }

  func describe(_ streams: [StreamDescription]) {
    transport.describe(streams)
    state.withLock { state in
      state.spool.describe(streams)
      state.refusals?.describe(streams)
    }
  }

  // MARK: Any thread

  /// Puts readings into the spool.
  /// - Throws: If it has no room for them, or if its disk fails. Nothing was taken then.
  func append(_ readings: [Reading]) throws(SluiceError) {
    var news = News()
    let error = state.withLock { append(readings, &$0, &news) }
    tell(news)
    if let error { throw error }
    wake()
  }

  /// The same, but waits for room, as long as the server takes readings.
  func appendWaiting(_ readings: [Reading]) throws(SluiceError) {
    var (taken, since) = (state.withLock { $0.machine.settled }, queue.now)
    while true {
      do throws(SluiceError) { return try append(readings) } catch {
        guard let code = error.errno, SystemErrno.ofFullDisk.contains(code) else { throw error }
        // What is not synced is not sent, and gives no room.
        saveNow()
        _ = progressed.wait(timeout: .now() + .seconds(1))
        let now = state.withLock { $0.machine.settled }
        if now != taken { (taken, since) = (now, queue.now) }
        guard queue.now - since < Self.patience else { throw reason ?? error }
      }
    }
  }

  /// How long a replay waits for a server that takes nothing.
  private static let patience: Int64 = 60_000_000_000

  private func append(_ readings: [Reading], _ state: inout State, _ news: inout News) -> SluiceError? {
    guard !state.machine.isOver else {
      return SluiceError(.failed, "send to", address, because: "it has ended")
    }
    // Taken over only with the readings, because they may be appended again.
    var equalTimes = state.equalTimes
    let ordinals = equalTimes.ordinals(of: readings, first: state.spool.next)
    var error: SluiceError?
    while true {
      do {
        try state.spool.append(readings, ordinals)
        error = nil
      } catch is SpoolFull {
        let full = fullError(state.spool)
        if settings.whenFull == .dropOldest, giveUp(full, &state, &news) { continue }
        error = full
      } catch let failure as SystemErrno {
        let isOfFullDisk = SystemErrno.ofFullDisk.contains(failure.code)
        let failed = SluiceError(
          "write the spool", state.spool.folder ?? address, errno: failure.code,
          remedy: isOfFullDisk ? "free some space on its disk" : "see dmesg, or give --wait-on-disk another folder")
        if isOfFullDisk, settings.whenFull == .dropOldest, giveUp(failed, &state, &news) { continue }
        error = failed
      } catch {
        return SluiceError(.failed, "write the spool", state.spool.folder ?? address, because: "\(error)")
      }
      break
    }
    if let error {
      guard settings.whenFull != .block, let code = error.errno, SystemErrno.ofFullDisk.contains(code) else {
        return error
      }
      drop(SendBatch(first: own, readings: readings), &state, &news)
      if !state.isFull { news.events.append(.spoolDrops(error)) }
      state.isFull = true
      return nil
    }
    state.equalTimes = equalTimes
    state.isFull = false
    for reading in readings {
      let stream = Int(reading.stream.index)
      while state.unread.count <= stream { state.unread.append(0) }
      state.unread[stream] += 1
    }
    if sendsFresh, state.spool.isLasting {
      let batch = SendBatch(
        first: state.machine.available, readings: readings, ordinals: ordinals, run: state.spool.run)
      switch state.machine.appendedFresh(readings.count, at: queue.now) {
      case .waits: break
      case .fresh:
        state.held.append(batch)
        read(batch, &state, &news)
      case .joined:
        if let place = state.held.lastIndex(where: { $0.numbers.upperBound == batch.first }) {
          state.held[place].append(batch)
        }
        read(batch, &state, &news)
      }
    } else {
      state.machine.appended(readings.count, at: queue.now)
    }
    switch sync {
    case .batch: save(&state, &news)
    case .every, .never: scheduleSave(&state)
    }
    return nil
  }

  /// Gives up the oldest readings of the spool that are not on their way.
  /// - Returns: Whether there is room now.
  private func giveUp(_ error: SluiceError, _ state: inout State, _ news: inout News) -> Bool {
    let part = state.spool.giveUp({ state.machine.isUnderWay($0) }, counted: state.machine.fresh) { item, first in
      switch item {
      case .batch(let batch):
        read(batch, &state, &news)
        drop(batch, &state, &news)
      case .lost(let count): lose(count, from: first, &state, &news)
      case .gone, .end: break
      }
    }
    guard let part else { return false }
    if part.contains(state.machine.fetched) { state.machine.lostAll(before: part.upperBound) }
    for numbers in state.machine.giveUp(part) {
      if let batch = state.held.first(where: { $0.numbers.contains(numbers.lowerBound) }) {
        drop(batch[numbers], &state, &news)
      }
    }
    settled(&state)
    if !state.isFull {
      news.events.append(.spoolDrops(error))
      state.isFull = true
    }
    return true
  }

  private func settled(_ state: inout State) {
    let unsettled = state.machine.unsettled
    state.held.removeAll { batch in !unsettled.contains { $0.overlaps(batch.numbers) } }
    state.spool.settle(state.machine.settled)
  }

  /// No more readings come. It goes on until everything is settled, or until nothing more is to be expected.
  func end() {
    // First, because a slow disk must not use up the time for the server.
    saveNow()
    state.withLock { $0.machine.end(at: queue.now) }
    wake()
  }

  /// The same, and waits for it.
  func finish() {
    end()
    ended.wait()
  }

  /// Ends without waiting for the server. What waits stays in a spool on the disk.
  func stop() {
    state.withLock { $0.machine.stop() }
    queue.perform { [self] in close() }
  }

  // MARK: On the queue

  private func wake() {
    let isNew = state.withLock { state in
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if isNew { queue.perform { [self] in turn() } }
  }

  private func turn() {
    while true {
      var news = News()
      let goesOn = state.withLock { turn(&$0, &news) }
      tell(news)
      guard goesOn else { return }
    }
  }

  /// - Returns: Whether there may be more to do.
  private func turn(_ state: inout State, _ news: inout News) -> Bool {
    let now = queue.now
    switch state.machine.next(at: now) {
    case .fetch(let most, let before):
      fetch(most, before, &state, &news)
      return true
    case .skip(let number):
      state.spool.skip(to: number)
      return true
    case .send(let numbers, let isRepeated):
      guard let batch = take(numbers, &state), let times = batch.times else {
        state.machine.stop()
        return true
      }
      if isRepeated {
        state.counts.repeated.add(batch.readings.count, times)
      } else {
        state.counts.sent.add(batch.readings.count, times)
      }
      transport.send(batch) { [weak self] answer in
        self?.queue.perform { [weak self] in self?.answered(numbers.lowerBound, answer) }
      }
      return true
    case .sleep(let time):
      state.isScheduled = false
      guard state.wakesAt.map({ time < $0 || $0 <= now }) ?? true else { return false }
      state.wakesAt = time
      queue.perform(after: max(0, time - now)) { [weak self] in self?.wake() }
      return false
    case .rest:
      state.isScheduled = false
      return false
    case .end:
      queue.perform { [self] in close() }
      return false
    }
  }

  private func fetch(_ most: Int, _ before: UInt64, _ state: inout State, _ news: inout News) {
    do {
      switch try state.spool.read(most: most, before: before) {
      case .batch(let batch):
        state.held.append(batch)
        state.machine.fetched(batch.readings.count, at: queue.now)
        read(batch, &state, &news)
      case .lost(let count):
        lose(count, from: state.machine.fetched, &state, &news)
        state.machine.lost(count)
        countLost(&state, &news)
        settled(&state)
      case .gone(let count):
        state.machine.lost(count)
        settled(&state)
      case .end: state.machine.foundEnd()
      }
    } catch {
      // A disk that was removed comes back, but a sector that cannot be read stays so.
      if state.machine.failedReads >= Self.mostFailedReads, state.spool.leaveOut() { return }
      state.machine.readFailed(at: queue.now)
      report(
        .read,
        SluiceError(
          "read the spool", state.spool.folder ?? address, errno: error.code,
          remedy: "see dmesg; it is tried again, and readings are still taken"), &state, &news)
    }
  }

  /// How often the same place of the spool is tried before it is left out: for about a minute.
  static let mostFailedReads = 6

  private func answered(_ first: UInt64, _ answer: SendAnswer) {
    var news = News()
    state.withLock { state in
      // An answer may come after the end, for a spool that is closed.
      guard !state.isClosed else { return }
      for outcome in state.machine.answered(first, answer, at: queue.now) { note(outcome, &state, &news) }
      settled(&state)
      scheduleSave(&state)
    }
    tell(news)
    progressed.signal()
    wake()
  }

  private func note(_ outcome: SenderMachine.Outcome, _ state: inout State, _ news: inout News) {
    func batch(_ numbers: Range<UInt64>) -> SendBatch? {
      state.held.first { $0.numbers.contains(numbers.lowerBound) }?[numbers]
    }
    switch outcome {
    case .acknowledged(let numbers, let leftOut):
      guard let batch = batch(numbers), let times = batch.times else { return }
      var counts = batch.counts(from: own)
      var left: [Int] = []
      for number in leftOut where number >= own {
        let stream = Int(batch.readings[Int(number - numbers.lowerBound)].stream.index)
        while left.count <= stream { left.append(0) }
        left[stream] += 1
        if stream < counts.count { counts[stream] -= 1 }
      }
      state.counts.acknowledged.add(numbers.count - leftOut.count, times)
      if numbers.lowerBound < own { state.counts.resumed += Int(min(own, numbers.upperBound) - numbers.lowerBound) }
      while news.acknowledged.count < counts.count { news.acknowledged.append(0) }
      for (stream, count) in counts.enumerated() { news.acknowledged[stream] += count }
      if !left.isEmpty { news.lost.append(LostReadings(counts: left, times: times, isDropped: false)) }
    case .refused(let number, let error):
      guard let batch = batch(number..<number + 1), let times = batch.times else { return }
      state.counts.refused.add(1, times)
      news.lost.append(LostReadings(counts: batch.counts(from: own), times: times, isDropped: false))
      var file: String?
      do throws(SluiceError) { file = try state.refusals?.add(batch.readings) } catch {
        report(.refusals, error, &state, &news)
      }
      if isToTell(.refused, &state) {
        news.events.append(.refused(error, readings: state.counts.refused.readings, file: file))
      }
    case .away(let error, let time): news.events.append(.away(error, nanoseconds: time))
    case .back(let time): news.events.append(.back(nanoseconds: time))
    }
  }

  private func tell(_ news: News) {
    let handlers = state.withLock { $0.handlers }
    if !news.acknowledged.isEmpty { handlers.acknowledged(news.acknowledged) }
    for lost in news.lost { handlers.lost(lost) }
    for event in news.events { handlers.happened(event) }
  }

  private func scheduleSave(_ state: inout State) {
    guard !state.isSaveDue, state.spool.isLasting else { return }
    state.isSaveDue = true
    let time: Int64 = if case .every(let time) = sync { time.nanoseconds } else { 1_000_000_000 }
    queue.perform(after: time) { [weak self] in
      guard let self else { return }
      var news = News()
      self.state.withLock { state in
        state.isSaveDue = false
        guard !state.isClosed else { return }
        self.save(&state, &news)
      }
      self.tell(news)
      self.wake()
    }
  }

  /// Syncs the spool, so that what is in it is sent.
  private func saveNow() {
    var news = News()
    state.withLock { state in
      guard state.machine.isUnsynced, !state.isClosed else { return }
      save(&state, &news)
    }
    tell(news)
    wake()
  }

  /// Syncs the spool. What could not be synced is tried again, and is sent nevertheless.
  private func save(_ state: inout State, _ news: inout News) {
    defer { state.machine.synced(before: state.spool.next) }
    do throws(SystemErrno) { try state.spool.save() } catch {
      report(
        .sync,
        SluiceError(
          "sync the spool", state.spool.folder ?? address, errno: error.code,
          remedy: "see dmesg; a power cut may cost what was written since the last sync"), &state, &news)
      scheduleSave(&state)
    }
  }

  private func close() {
    let isFirst = state.withLock { state in
      defer { state.isClosed = true }
      if !state.isClosed { state.spool.close() }
      return !state.isClosed
    }
    guard isFirst else { return }
    transport.close()
    ended.signal()
  }

  /// What waits, and no server will get, because it is in memory only.
  func abandon() -> Int {
    let (batches, count) = state.withLock { state -> ([SendBatch], Int) in
      guard !state.spool.isLasting else { return ([], 0) }
      var batches = state.machine.unsettled.compactMap { numbers in
        state.held.first { $0.numbers.contains(numbers.lowerBound) }?[numbers]
      }
      while case .batch(let batch)? = try? state.spool.read(most: ServerStore.most, before: .max) {
        batches.append(batch)
      }
      return (batches, Int(state.machine.available - state.machine.settled))
    }
    for batch in batches {
      guard let times = batch.times else { continue }
      lost(LostReadings(counts: batch.counts(), times: times, isDropped: false))
    }
    return count
  }
}
