import DequeModule
import SluiceReadings
import SluiceRecording

/// What a sender does: what it sends, what it sends again, and when. It is a value: no server, no file, no clock, no
/// readings, only their sequence numbers.
///
/// Batches are sent in the order of their readings, and at most so many are without an answer. What the server does not take
/// now is sent again after a pause, during which nothing is sent.
///
/// What is sent is on the disk, if the spool is on one. Otherwise a power cut could make the spool forget readings that the
/// server has, and the next run would give their sequence numbers to others.
///
/// While a backlog is sent, readings that come are *fresh*: they do not wait behind it. They are sent first, from memory, and
/// the backlog skips them.
///
/// A batch that is refused is halved until the refused reading is known. A reading is given up only if the server has taken
/// another one since this one, or its batch, was first refused. As long as the server takes nothing, it may be the request
/// that is wrong, and not a reading: then some readings are tried alone, and after that everything waits.
struct SenderMachine {
  private enum Phase {
    case open
    /// No more readings come.
    case ending
    case over
  }

  private var phase = Phase.open
  private let window: Int
  /// The most readings of a batch at the beginning.
  private let largest: Int
  private var sizes: BatchSizes
  /// In the order of their readings. Together they have all numbers from `settled` to `fetched`, and those of `fresh`.
  private var parts: Deque<Part> = []
  /// Readings behind `fetched` that were taken from memory, in their order. Between them are readings of the backlog.
  private(set) var fresh: [Range<UInt64>] = []
  /// Whether the last batch that was sent was fresh: then it is the turn of the backlog.
  private var wasFresh = false
  /// The number behind the last reading of the spool.
  private(set) var available: UInt64
  /// The readings before this number may be sent, because they are synced; nil if none has to be.
  private var synced: UInt64?
  /// The same before the last sync: what was not fetched since then is a backlog.
  private var syncedBefore: UInt64?
  /// The number behind the last reading that was fetched.
  private(set) var fetched: UInt64
  /// All readings before this number are settled: acknowledged, refused, lost or dropped.
  private(set) var settled: UInt64
  /// When something may be sent again.
  private var pausedUntil: Int64?
  /// The last reason for a pause, until something is taken.
  private(set) var reason: SluiceError?
  private var backOff: BackOff
  private var messages: WriteRetries
  private var pace = DrainPace()
  /// How often the server has taken something.
  private var takenCount = 0
  /// The refusals since the last pause.
  private var refusalCount = 0
  /// The readings that were refused alone since the server has last taken something.
  private var aloneCount = 0
  /// Whether readings are tried alone, because the server takes nothing.
  private var isProbing = false
  private var lastRefusal: SluiceError?
  /// When the spool may be read again, after it could not be.
  private var readsAt: Int64?
  private var readPauses: BackOff
  /// How often in a row the spool could not be read.
  private(set) var failedReads = 0
  /// How long it goes on after the end without an answer, and with answers.
  private let patience: (without: Int64, with: Int64)
  private var endedAt: Int64 = 0
  private var answeredAt: Int64 = 0

  static let pauses: ClosedRange<Int64> = 1_000_000_000...60_000_000_000
  /// The ranges of fresh readings between which a backlog waits. An outage adds one, and so do readings that come faster than
  /// the server takes them.
  static let mostFresh = 64
  /// The readings that are refused alone, one after the other, before the request is suspected.
  static let mostAlone = 4
  /// The refusals after which a search for refused readings pauses for a second.
  static let mostRefusals = 128

  /// - Parameters:
  ///   - numbers: What waits in the spool.
  ///   - syncs: Whether readings that come are sent only after ``synced(before:)``. What waits is synced.
  ///   - patience: How long it goes on after the end: without a reading that is taken, and at most.
  init(
    _ numbers: Range<UInt64>, syncs: Bool = false, window: Int, most: Int, patience: (without: Int64, with: Int64),
    seed: UInt64
  ) {
    if syncs { (synced, syncedBefore) = (numbers.upperBound, numbers.upperBound) }
    (settled, fetched, available) = (numbers.lowerBound, numbers.lowerBound, numbers.upperBound)
    (self.window, sizes, self.patience) = (max(1, window), BatchSizes(most: most), patience)
    largest = max(1, most)
    (backOff, messages) = (BackOff(Self.pauses, seed: seed), WriteRetries(Self.pauses))
    readPauses = BackOff(Self.pauses, seed: ~seed)
  }

  /// What was fetched and is not settled.
  var unsettled: [Range<UInt64>] { parts.filter { $0.state != .settled }.map(\.numbers) }

  var isOver: Bool { if case .over = phase { true } else { false } }

  // MARK: Readings

  /// Readings have come into the spool.
  mutating func appended(_ count: Int, at now: Int64) {
    available += UInt64(count)
    pace.came(count, at: now)
  }

  /// Readings have come into the spool, and may be sent before the backlog.
  mutating func appendedFresh(_ count: Int, at now: Int64) -> Freshness {
    let first = available
    appended(count, at: now)
    // A server that is away would fill the memory.
    guard count > 0, reason == nil, takenCount > 0, case .open = phase,
      min(first, syncedBefore ?? .max) > fetched + UInt64(largest)
    else { return .waits }
    let kept = parts.reduce(0) { $0 + ($1.state != .settled && isFresh($1) ? $1.numbers.count : 0) }
    guard kept + count <= (window + 1) * largest else { return .waits }
    if let last = fresh.last, last.upperBound == first {
      fresh[fresh.count - 1] = last.lowerBound..<available
      // While a batch is under way, or waits for a sync, the next one grows.
      if let part = parts.last, part.state == .waits, !part.wasSent, part.doubtedAt == nil,
        part.numbers.upperBound == first, part.numbers.count + count <= sizes.most
      {
        parts[parts.count - 1].numbers = part.numbers.lowerBound..<available
        return .joined
      }
    } else {
      guard fresh.count < Self.mostFresh else { return .waits }
      fresh.append(first..<available)
    }
    var number = first
    while number < available {
      let end = min(available, number + UInt64(min(largest, sizes.most)))
      parts.append(Part(numbers: number..<end, batch: number))
      number = end
    }
    return .fresh
  }

  private func isFresh(_ part: Part) -> Bool { fresh.first.map { part.numbers.lowerBound >= $0.lowerBound } ?? false }

  /// The readings before this number are synced, or cannot be.
  mutating func synced(before number: UInt64) { (syncedBefore, synced) = (synced, number) }

  /// Whether a batch begins with this reading.
  func hasBatch(from number: UInt64) -> Bool {
    parts.contains { $0.batch == number && $0.numbers.lowerBound == number }
  }

  /// Whether something waits for a sync.
  var isUnsynced: Bool { synced.map { $0 < available } ?? false }

  /// Whether a part, or its beginning, may be sent.
  private func maySend(_ part: Part) -> Bool { part.state == .waits && part.numbers.lowerBound < synced ?? .max }

  /// The readings that the spool has still to give.
  private var unfetched: UInt64 { available - fetched - fresh.reduce(0) { $0 + UInt64($1.count) } }

  /// The readings that are not settled.
  var queued: Int { Int(unfetched) + parts.reduce(0) { $0 + ($1.state == .settled ? 0 : $1.numbers.count) } }

  /// Adds a part at its place.
  private mutating func add(_ part: Part) {
    let place = fresh.isEmpty ? nil : parts.firstIndex { $0.numbers.lowerBound >= part.numbers.upperBound }
    parts.insert(part, at: place ?? parts.endIndex)
  }

  /// Readings were fetched: the first ones that were not.
  mutating func fetched(_ count: Int, at now: Int64) {
    guard count > 0 else { return }
    add(Part(numbers: fetched..<fetched + UInt64(count), batch: fetched))
    fetched += UInt64(count)
    available = max(available, fetched)
    pace.sends(count, at: now)
    readAgain()
  }

  /// The spool could not be read. It is read again after a pause.
  mutating func readFailed(at now: Int64) {
    failedReads += 1
    readsAt = now + readPauses.pause(atLeast: nil)
  }

  private mutating func readAgain() {
    guard failedReads > 0 else { return }
    failedReads = 0
    readsAt = nil
    readPauses.reset()
  }

  /// The spool has given up the readings before this number. Those that were fresh were counted when they came.
  mutating func lostAll(before number: UInt64) {
    while fetched < number {
      let end = min(number, fresh.first?.lowerBound ?? number)
      lost(Int(end - fetched))
      guard let next = fresh.first, next.lowerBound == fetched, fetched < number else { continue }
      fresh.removeFirst()
      fetched = next.upperBound
    }
  }

  /// The spool does not have these readings, which are the next ones: they are damaged, or were dropped.
  mutating func lost(_ count: Int) {
    guard count > 0 else { return }
    add(Part(numbers: fetched..<fetched + UInt64(count), batch: fetched, state: .settled))
    fetched += UInt64(count)
    available = max(available, fetched)
    readAgain()
    settle()
  }

  /// Whether the answer for some of these readings is still to come.
  func isUnderWay(_ numbers: Range<UInt64>) -> Bool {
    parts.contains { $0.state == .underWay && $0.numbers.overlaps(numbers) }
  }

  /// Gives up the readings with these numbers that were fetched and wait. None of them is under way.
  /// - Returns: What is given up.
  mutating func giveUp(_ numbers: Range<UInt64>) -> [Range<UInt64>] {
    var given: [Range<UInt64>] = []
    for place in parts.indices.reversed() where parts[place].state == .waits && parts[place].numbers.overlaps(numbers) {
      let own = cut(place, to: parts[place].numbers.clamped(to: numbers))
      parts[own].state = .settled
      given.append(parts[own].numbers)
    }
    settle()
    return given.reversed()
  }

  /// The spool has nothing more, though more was expected.
  mutating func foundEnd() {
    if let next = fresh.first {
      lost(Int(next.lowerBound - fetched))
    } else {
      available = fetched
    }
    readAgain()
  }

  /// No more readings come.
  mutating func end(at now: Int64) {
    guard case .open = phase else { return }
    (phase, endedAt) = (.ending, now)
  }

  /// It ends now, whatever waits.
  mutating func stop() { phase = .over }

  // MARK: What is to be done

  mutating func next(at now: Int64) -> Step {
    var deadline: Int64?
    switch phase {
    case .over: return .end
    case .open: break
    case .ending:
      let last = min(max(endedAt, answeredAt) + patience.without, endedAt + patience.with)
      guard now < last, !parts.isEmpty || fetched < available else {
        phase = .over
        return .end
      }
      deadline = last
    }
    if let pausedUntil, now < pausedUntil { return .sleep(until: min(pausedUntil, deadline ?? .max)) }
    pausedUntil = nil
    let underWay = parts.count { $0.state == .underWay }
    // What must wait may be the first: then no more is fetched than what a window holds, and one batch that may show whether
    // the server takes anything.
    let held = parts.reduce(0) { $0 + ($1.state == .settled || isFresh($1) ? 0 : $1.numbers.count) }
    let end = min(fresh.first?.lowerBound ?? available, synced ?? .max)
    let mayFetch = underWay < window && fetched < end && held < (window + 1) * largest
    // The pace is for a backlog: more than the next batch.
    let fetchesAt = max(unfetched > UInt64(sizes.most) ? pace.next : .min, readsAt ?? .min)
    // Otherwise fresh readings that come faster than answers would keep the backlog waiting.
    let isTurnOfBacklog =
      wasFresh && mayFetch && now >= fetchesAt && !parts.contains { maySend($0) && !isFresh($0) }
    if underWay < window, !isTurnOfBacklog || isProbing, let place = nextPart() {
      // What is not synced is another batch, which may grow.
      if let synced, cut(place, at: synced) { parts[place + 1].batch = synced }
      let isRepeated = parts[place].wasSent
      wasFresh = isFresh(parts[place])
      (parts[place].state, parts[place].wasSent, parts[place].isSuspect) = (.underWay, true, false)
      return .send(parts[place].numbers, isRepeated: isRepeated)
    }
    if let next = fresh.first, next.lowerBound == fetched {
      fresh.removeFirst()
      fetched = next.upperBound
      return .skip(to: fetched)
    }
    if mayFetch {
      guard now < fetchesAt else { return .fetch(most: sizes.most, before: end) }
      return .sleep(until: min(fetchesAt, deadline ?? .max))
    }
    if underWay == 0, let lastRefusal, parts.contains(where: isHeld) {
      // What could have shown that the server takes readings could not be read.
      _ = waitForAll(lastRefusal, at: now)
      return .sleep(until: min(pausedUntil ?? now, deadline ?? .max))
    }
    return deadline.map { .sleep(until: $0) } ?? .rest
  }

  /// The place of the part that is sent next.
  private mutating func nextPart() -> Int? {
    guard isProbing else {
      // Those that were made last, because earlier ones are late already.
      if !wasFresh, let last = fresh.last,
        let place = parts.firstIndex(where: {
          maySend($0) && $0.numbers.lowerBound >= last.lowerBound && !isHeld($0)
        })
      {
        return place
      }
      return parts.firstIndex { maySend($0) && !isHeld($0) }
    }
    // From the end, because the first ones were refused. If there is none, the next batch may show it.
    if let place = parts.lastIndex(where: { $0.state == .waits && !$0.isSuspect && $0.doubtedAt != nil }) {
      return alone(place)
    }
    return parts.firstIndex { maySend($0) && $0.doubtedAt == nil }
  }

  /// Whether a reading was refused alone, and the server has taken nothing since.
  private func isHeld(_ part: Part) -> Bool { part.isSuspect && part.doubtedAt == takenCount }

  /// Makes a part of its own of one reading of a part.
  private mutating func alone(_ place: Int) -> Int {
    let numbers = parts[place].numbers
    guard numbers.count > 1 else { return place }
    let number = numbers.lowerBound + backOff.random(below: UInt64(numbers.count))
    return cut(place, to: number..<number + 1)
  }

  /// Makes a part of its own of some readings of a part.
  /// - Returns: Its place.
  private mutating func cut(_ place: Int, to numbers: Range<UInt64>) -> Int {
    cut(place, at: numbers.upperBound)
    return cut(place, at: numbers.lowerBound) ? place + 1 : place
  }

  /// Makes two parts of one, unless one of them would be empty.
  @discardableResult private mutating func cut(_ place: Int, at number: UInt64) -> Bool {
    let numbers = parts[place].numbers
    guard numbers.contains(number), number > numbers.lowerBound else { return false }
    var behind = parts[place]
    behind.numbers = number..<numbers.upperBound
    parts[place].numbers = numbers.lowerBound..<number
    parts.insert(behind, at: place + 1)
    return true
  }

  /// A batch was answered.
  /// - Parameter first: The number of its first reading.
  mutating func answered(_ first: UInt64, _ answer: SendAnswer, at now: Int64) -> [Outcome] {
    guard let place = parts.firstIndex(where: { $0.numbers.lowerBound == first && $0.state == .underWay }) else {
      return []
    }
    let numbers = parts[place].numbers
    switch answer {
    case .acknowledged(let leftOut):
      parts[place].state = .settled
      settle()
      let missing = leftOut.filter { $0 >= 0 && $0 < numbers.count }.map { numbers.lowerBound + UInt64($0) }
      // A batch with no line was not sent.
      guard missing.count < numbers.count else { return [.acknowledged(numbers, leftOut: missing)] }
      sizes.taken(numbers.count)
      takenCount += 1
      (aloneCount, isProbing) = (0, false)
      return took(at: now) + [.acknowledged(numbers, leftOut: missing)]
    case .refused(let error): return refused(place, error, at: now)
    case .tooLarge(let error):
      sizes.tooLarge(numbers.count)
      guard numbers.count > 1 else { return refused(place, error, at: now) }
      halve(place)
      return took(at: now)
    case .wait(let error, let atLeast):
      parts[place].state = .waits
      return pause(error, atLeast: atLeast, at: now)
    case .stop(let error):
      (parts[place].state, reason, phase) = (.waits, error, .over)
      return [.away(error, nanoseconds: 0)]
    }
  }

  private mutating func pause(_ error: SluiceError, atLeast: Int64?, at now: Int64) -> [Outcome] {
    // One outage has one pause, though each batch under way is answered.
    if pausedUntil.map({ $0 <= now }) ?? true || atLeast != nil {
      pausedUntil = max(pausedUntil ?? .min, now + backOff.pause(atLeast: atLeast))
    }
    reason = error
    refusalCount = 0
    let message = messages.fail(at: now)
    return message.awayFor.map { [.away(error, nanoseconds: $0)] } ?? []
  }

  private mutating func refused(_ place: Int, _ error: SluiceError, at now: Int64) -> [Outcome] {
    let part = parts[place]
    let isTakingOthers = part.doubtedAt.map { $0 != takenCount } ?? false
    if part.doubtedAt == nil { parts[place].doubtedAt = takenCount }
    lastRefusal = error
    refusalCount += 1
    if refusalCount >= Self.mostRefusals {
      refusalCount = 0
      pausedUntil = max(pausedUntil ?? .min, now + Self.pauses.lowerBound)
    }
    guard part.numbers.count == 1 else {
      // Without a sign that the server takes anything, halves say no more than a reading alone.
      if !isTakingOthers, part.hasWaited { isProbing = true }
      if isProbing { parts[place].state = .waits } else { halve(place) }
      return []
    }
    aloneCount += 1
    // What else could show that the server takes readings?
    let isAnyLeft =
      fetched < min(fresh.first?.lowerBound ?? available, synced ?? .max)
      || parts.indices.contains {
        $0 != place && (parts[$0].state == .underWay || maySend(parts[$0])) && !parts[$0].isSuspect
      }
    // If it is the last reading of all, the one before it shows that.
    let isLast = !isAnyLeft && aloneCount == 1 && takenCount > 0
    if isTakingOthers || isLast {
      parts[place].state = .settled
      settle()
      if aloneCount >= Self.mostAlone { doubtAll() }
      return took(at: now) + [.refused(part.numbers.lowerBound, error)]
    }
    (parts[place].state, parts[place].isSuspect, isProbing) = (.waits, true, true)
    return aloneCount < Self.mostAlone && isAnyLeft ? [] : waitForAll(error, at: now)
  }

  private mutating func halve(_ place: Int) {
    parts[place].state = .waits
    let numbers = parts[place].numbers
    cut(place, at: numbers.lowerBound + UInt64(numbers.count / 2))
  }

  /// Several readings in a row were refused: the server has to take another one before more are given up.
  private mutating func doubtAll() {
    aloneCount = 0
    for place in parts.indices where parts[place].doubtedAt != nil { parts[place].doubtedAt = takenCount }
  }

  /// The server takes nothing, so no reading is refused: all wait, in the batches that they were in.
  private mutating func waitForAll(_ error: SluiceError, at now: Int64) -> [Outcome] {
    (aloneCount, isProbing) = (0, false)
    var whole: Deque<Part> = []
    for part in parts {
      var part = part
      part.isSuspect = false
      part.hasWaited = part.doubtedAt == takenCount
      if let last = whole.last, last.state == .waits, part.state == .waits, last.batch == part.batch,
        last.hasWaited, part.hasWaited
      {
        whole[whole.count - 1].numbers = last.numbers.lowerBound..<part.numbers.upperBound
      } else {
        whole.append(part)
      }
    }
    parts = whole
    return pause(error, atLeast: nil, at: now)
  }

  /// The server answers.
  private mutating func took(at now: Int64) -> [Outcome] {
    backOff.reset()
    (reason, answeredAt) = (nil, now)
    return messages.succeed(at: now).map { [.back(nanoseconds: $0)] } ?? []
  }

  private mutating func settle() {
    // Fresh readings may be settled before the backlog in front of them.
    while let part = parts.first, part.state == .settled, part.numbers.lowerBound == settled {
      settled = part.numbers.upperBound
      parts.removeFirst()
    }
    if parts.count > Self.mostFresh { joinSettled() }
  }

  /// Makes one part of settled neighbours.
  private mutating func joinSettled() {
    var joined: Deque<Part> = []
    for part in parts {
      if let last = joined.last, last.state == .settled, part.state == .settled,
        last.numbers.upperBound == part.numbers.lowerBound
      {
        joined[joined.count - 1].numbers = last.numbers.lowerBound..<part.numbers.upperBound
      } else {
        joined.append(part)
      }
    }
    parts = joined
  }
}
