#if SLUICE_MQTT
  import DequeModule
  import SluiceReadings

  /// What a transport of MQTT does: when it connects, which message it publishes, and what the answers mean for batches. It is a
  /// value: no broker, no clock, no readings.
  ///
  /// A batch has one message for each run of readings of one stream. It is answered when all its messages are, and all at once:
  /// what must wait is sent again, without the messages that the broker has.
  ///
  /// Until the broker has taken the first readings of a connection, one message at a time is under way. mosquitto refuses a
  /// message to a topic that is denied, and then ends the connection: with more messages, its reason would be lost.
  struct MQTTMachine {
    /// A message, by the batch and its place there.
    struct Place: Hashable {
      /// The number of the first reading of the batch.
      var batch: UInt64
      var part: Int
    }

    enum Step: Hashable {
      case connect
      /// Publish this message with the readings of these numbers, and say its number (``published(_:as:at:)``), or that it
      /// cannot be (``failed(_:_:)``).
      case publish(Place, Range<UInt64>)
      /// Publish what stands beside the readings, and say its number (``noticed(_:)``).
      case notice(Notice)
      /// Say what became of a batch. It is forgotten.
      case answer(UInt64, SendAnswer)
      /// End the connection, which has been silent for too long, and say so (``lost(_:at:)``).
      case drop
      /// Wait for the broker, for a batch or for this time.
      case rest(until: Int64)
    }

    /// What is published beside readings, each time the connection is there.
    enum Notice: Equatable { case metadata, state }

    private enum Line: Equatable {
      case away(retryAt: Int64)
      case connecting(until: Int64)
      case open(window: Int)
    }

    private struct Part {
      enum State: Equatable { case waits, underWay(Int, until: Int64), settled }

      var numbers: Range<UInt64>
      var state = State.waits
    }

    private struct Batch {
      var first: UInt64
      var parts: [Part]
      /// Why it must be sent again; nil as long as nothing is wrong.
      var answer: SendAnswer?

      var isUnderWay: Bool { parts.contains { if case .underWay = $0.state { true } else { false } } }
      var isDone: Bool { !isUnderWay && (answer != nil || parts.allSatisfy { $0.state == .settled }) }
    }

    private var line: Line
    /// Whether the broker has taken readings over this connection.
    private var isProven = false
    private var batches: Deque<Batch> = []
    private var notices: [Notice] = []
    private var noticesUnderWay: [Int: Notice] = [:]
    /// What the broker has of batches that are sent again.
    private var known: [Range<UInt64>] = []
    private var backOff: BackOff
    /// Whether it connects also while nothing is to be sent.
    private let stays: Bool
    private let timeout: Int64

    /// The most messages without an answer. Brokers count differently, so one place of theirs is left free.
    static let mostUnderWay = 16
    /// A connection that takes longer is given up, in nanoseconds.
    static let connectLimit: Int64 = 10_000_000_000

    /// - Parameters:
    ///   - stays: Whether it connects again also while nothing is to be sent, so that the state of the board is right.
    ///   - timeout: How long an answer may take.
    init(stays: Bool, timeout: Int64, seed: UInt64) {
      (self.stays, self.timeout) = (stays, timeout)
      line = .away(retryAt: .max)
      backOff = BackOff(SenderMachine.pauses, seed: seed)
    }

    var isOpen: Bool { if case .open = line { true } else { false } }
    var isAway: Bool { if case .away = line { true } else { false } }

    // MARK: Batches

    /// - Parameter parts: The numbers of the readings of each message, in their order.
    mutating func add(_ first: UInt64, _ parts: [Range<UInt64>]) {
      let made = parts.map { Part(numbers: $0, state: known.contains($0) ? .settled : .waits) }
      batches.append(Batch(first: first, parts: made))
    }

    mutating func next(at now: Int64) -> Step {
      if let place = batches.firstIndex(where: \.isDone) { return answer(place) }
      switch line {
      case .away(let retryAt):
        guard !batches.isEmpty || stays && retryAt <= now else { return .rest(until: stays ? retryAt : .max) }
        line = .connecting(until: now + Self.connectLimit)
        return .connect
      case .connecting(let until): return until <= now ? .drop : .rest(until: until)
      case .open(let window): return next(window, at: now)
      }
    }

    private mutating func next(_ window: Int, at now: Int64) -> Step {
      var (count, until) = (noticesUnderWay.count, Int64.max)
      for batch in batches {
        for part in batch.parts {
          guard case .underWay(_, let end) = part.state else { continue }
          (count, until) = (count + 1, min(until, end))
        }
      }
      if until <= now { return .drop }
      guard count < (isProven ? window : 1) else { return .rest(until: until) }
      if let notice = notices.first {
        notices.removeFirst()
        return .notice(notice)
      }
      for batch in batches where batch.answer == nil {
        guard let part = batch.parts.firstIndex(where: { $0.state == .waits }) else { continue }
        return .publish(Place(batch: batch.first, part: part), batch.parts[part].numbers)
      }
      return .rest(until: until)
    }

    private mutating func answer(_ place: Int) -> Step {
      let batch = batches.remove(at: place)
      let settled = batch.parts.filter { $0.state == .settled }.map(\.numbers)
      known.removeAll { numbers in batch.parts.contains { $0.numbers.overlaps(numbers) } }
      if case .wait = batch.answer { known += settled }
      // More can be there only if a full spool has given up what waits.
      if known.count > Self.mostKnown { known.removeFirst(known.count - Self.mostKnown) }
      return .answer(batch.first, batch.answer ?? .acknowledged())
    }

    private static let mostKnown = 1 << 14

    // MARK: The connection

    /// The broker has let this board in.
    mutating func connected(_ limits: MQTTLimits, _ notices: [Notice], at now: Int64) {
      line = .open(window: max(1, min(Self.mostUnderWay, limits.receiveMaximum - 1)))
      (self.notices, noticesUnderWay, isProven) = (notices, [:], false)
      backOff.reset()
    }

    /// The connection is over, or there was none. What was under way must be sent again.
    mutating func lost(_ error: SluiceError, at now: Int64) {
      let pause = backOff.pause(atLeast: nil)
      leave(retryAt: now + pause)
      for place in batches.indices where batches[place].answer == nil && !batches[place].isDone {
        batches[place].answer = .wait(error)
      }
    }

    /// The connection is over, and the reason is known and will not come again: it connects anew at once.
    mutating func again(at now: Int64) { leave(retryAt: now) }

    private mutating func leave(retryAt: Int64) {
      line = .away(retryAt: retryAt)
      (notices, noticesUnderWay) = ([], [:])
      for place in batches.indices {
        for part in batches[place].parts.indices {
          if case .underWay = batches[place].parts[part].state { batches[place].parts[part].state = .waits }
        }
      }
    }

    /// Publish this again, because it has changed.
    mutating func changed(_ notice: Notice) {
      if isOpen, !notices.contains(notice) { notices.append(notice) }
    }

    // MARK: Messages

    mutating func noticed(_ notice: Notice, as number: Int) { noticesUnderWay[number] = notice }

    mutating func published(_ place: Place, as number: Int, at now: Int64) {
      let until = now + timeout
      set(place) { $0.state = .underWay(number, until: until) }
    }

    /// The message was not published.
    mutating func failed(_ place: Place, _ answer: SendAnswer) {
      set(place) { $0.state = .waits }
      refuse(place.batch, answer)
    }

    enum Answered: Equatable {
      case readings(Range<UInt64>)
      case notice(Notice)
    }

    /// A message was answered.
    /// - Parameter meaning: What the answer means for its readings.
    mutating func answered(_ number: Int, _ meaning: SendAnswer) -> Answered? {
      if let notice = noticesUnderWay.removeValue(forKey: number) { return .notice(notice) }
      for place in batches.indices {
        for part in batches[place].parts.indices {
          guard case .underWay(number, _) = batches[place].parts[part].state else { continue }
          let numbers = batches[place].parts[part].numbers
          if case .acknowledged = meaning {
            isProven = true
            batches[place].parts[part].state = .settled
          } else {
            batches[place].parts[part].state = .waits
            refuse(batches[place].first, meaning)
          }
          return .readings(numbers)
        }
      }
      return nil
    }

    /// The place of a message that is under way.
    func place(of number: Int) -> Place? {
      for batch in batches {
        for (part, state) in batch.parts.enumerated() {
          if case .underWay(number, _) = state.state { return Place(batch: batch.first, part: part) }
        }
      }
      return nil
    }

    private mutating func set(_ place: Place, _ change: (inout Part) -> Void) {
      guard let batch = batches.firstIndex(where: { $0.first == place.batch }),
        batches[batch].parts.indices.contains(place.part)
      else { return }
      change(&batches[batch].parts[place.part])
    }

    /// What must be smaller is not sent again as it is, so that counts more than what must wait.
    private mutating func refuse(_ first: UInt64, _ answer: SendAnswer) {
      guard let place = batches.firstIndex(where: { $0.first == first }) else { return }
      switch (batches[place].answer, answer) {
      case (nil, _), (.wait, .tooLarge), (.wait, .refused), (.wait, .stop): batches[place].answer = answer
      default: break
      }
    }
  }
#endif
