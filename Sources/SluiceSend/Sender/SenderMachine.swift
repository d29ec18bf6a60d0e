import DequeModule
import SluiceReadings
import SluiceRecording

/// What a sender does: what it sends, what it sends again, and when. It is a value: no server, no file, no clock, no
/// readings, only their sequence numbers.
///
/// Batches are sent in the order of their readings, and at most so many are without an answer. A batch that is refused is
/// halved until the refused reading is known. What the server does not take now is sent again after a pause, during which
/// nothing is sent.
struct SenderMachine {
  /// A batch, or a half of one, until it is settled.
  private struct Part {
    enum State { case waits, underWay, settled }

    var numbers: Range<UInt64>
    var state = State.waits
    var wasSent = false
  }

  enum Step: Hashable {
    /// Send these readings.
    case send(Range<UInt64>, isRepeated: Bool)
    /// Fetch the next readings from the spool, so many at most, and say which they are: `fetched`, `lost` or `foundEnd`.
    case fetch(most: Int)
    /// Ask again at this time, or after something has happened.
    case sleep(until: Int64)
    /// Ask again after something has happened.
    case rest
    /// All is over. Readings may be left.
    case end
  }

  /// What an answer means.
  enum Outcome: Hashable {
    /// - Parameter leftOut: The numbers of readings that were not sent.
    case acknowledged(Range<UInt64>, leftOut: [UInt64])
    /// One reading will never be taken.
    case refused(UInt64, SluiceError)
    /// The server has taken nothing for so many nanoseconds.
    case away(SluiceError, nanoseconds: Int64)
    case back(nanoseconds: Int64)
  }

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
  /// The most readings of the next batch.
  private var most: Int
  /// In the order of their readings. Together they have all numbers from `settled` to `fetched`.
  private var parts: Deque<Part> = []
  /// The number behind the last reading of the spool.
  private(set) var available: UInt64
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
  /// How long it goes on after the end without an answer, and with answers.
  private let patience: (without: Int64, with: Int64)
  private var endedAt: Int64 = 0
  private var answeredAt: Int64 = 0

  static let pauses: ClosedRange<Int64> = 1_000_000_000...60_000_000_000

  /// - Parameters:
  ///   - numbers: What waits in the spool.
  ///   - patience: How long it goes on after the end: without a reading that is taken, and at most.
  init(
    _ numbers: Range<UInt64>, window: Int, most: Int, patience: (without: Int64, with: Int64), seed: UInt64
  ) {
    (settled, fetched, available) = (numbers.lowerBound, numbers.lowerBound, numbers.upperBound)
    (self.window, self.most, self.patience) = (max(1, window), max(1, most), patience)
    largest = max(1, most)
    (backOff, messages) = (BackOff(Self.pauses, seed: seed), WriteRetries(Self.pauses))
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

  /// Readings were fetched: the first ones that were not.
  mutating func fetched(_ count: Int, at now: Int64) {
    guard count > 0 else { return }
    parts.append(Part(numbers: fetched..<fetched + UInt64(count)))
    fetched += UInt64(count)
    available = max(available, fetched)
    pace.sends(count, at: now)
  }

  /// The spool does not have these readings, which are the next ones: they are damaged, or were dropped.
  mutating func lost(_ count: Int) {
    guard count > 0 else { return }
    parts.append(Part(numbers: fetched..<fetched + UInt64(count), state: .settled))
    fetched += UInt64(count)
    available = max(available, fetched)
    settle()
  }

  /// Gives up what waits before a number, except what is under way.
  /// - Returns: What is given up.
  mutating func giveUp(before number: UInt64) -> [Range<UInt64>] {
    var given: [Range<UInt64>] = []
    for place in parts.indices where parts[place].state == .waits && parts[place].numbers.lowerBound < number {
      parts[place].state = .settled
      given.append(parts[place].numbers)
    }
    settle()
    return given
  }

  /// The spool has nothing more, though more was expected.
  mutating func foundEnd() { available = fetched }

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
    if underWay < window, let place = parts.firstIndex(where: { $0.state == .waits }) {
      let isRepeated = parts[place].wasSent
      (parts[place].state, parts[place].wasSent) = (.underWay, true)
      return .send(parts[place].numbers, isRepeated: isRepeated)
    }
    // What must wait may be the first: then no more is fetched than what a window holds.
    if underWay < window, fetched < available, fetched - settled < UInt64(window) * UInt64(largest) {
      // The pace is for a backlog: more than the next batch.
      let isBacklog = available - fetched > UInt64(most)
      guard isBacklog, now < pace.next else { return .fetch(most: most) }
      return .sleep(until: min(pace.next, deadline ?? .max))
    }
    return deadline.map { .sleep(until: $0) } ?? .rest
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
      return took(at: now) + [.acknowledged(numbers, leftOut: missing)]
    case .refused(let error): return refused(place, error, at: now)
    case .tooLarge(let error):
      most = max(1, min(most, numbers.count / 2))
      return refused(place, error, at: now)
    case .wait(let error, let atLeast):
      parts[place].state = .waits
      // One outage has one pause, though each batch under way is answered.
      if pausedUntil.map({ $0 <= now }) ?? true || atLeast != nil {
        pausedUntil = max(pausedUntil ?? .min, now + backOff.pause(atLeast: atLeast))
      }
      reason = error
      let message = messages.fail(at: now)
      return message.awayFor.map { [.away(error, nanoseconds: $0)] } ?? []
    case .stop(let error):
      (parts[place].state, reason, phase) = (.waits, error, .over)
      return [.away(error, nanoseconds: 0)]
    }
  }

  private mutating func refused(_ place: Int, _ error: SluiceError, at now: Int64) -> [Outcome] {
    let numbers = parts[place].numbers
    guard numbers.count > 1 else {
      parts[place].state = .settled
      settle()
      return took(at: now) + [.refused(numbers.lowerBound, error)]
    }
    let middle = numbers.lowerBound + UInt64(numbers.count / 2)
    parts[place] = Part(numbers: numbers.lowerBound..<middle, wasSent: true)
    parts.insert(Part(numbers: middle..<numbers.upperBound, wasSent: true), at: place + 1)
    return took(at: now)
  }

  /// The server answers.
  private mutating func took(at now: Int64) -> [Outcome] {
    backOff.reset()
    (reason, answeredAt) = (nil, now)
    return messages.succeed(at: now).map { [.back(nanoseconds: $0)] } ?? []
  }

  private mutating func settle() {
    while let part = parts.first, part.state == .settled {
      settled = part.numbers.upperBound
      parts.removeFirst()
    }
  }
}
