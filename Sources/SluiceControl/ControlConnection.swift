import SluiceReadings

/// A connection of a client to a recording. It is a value: no socket, no thread, no clock.
///
/// A client has one request at a time in work: what it sends meanwhile waits in its own socket. So a flood of requests takes
/// no memory here. A client that follows has a queue of a fixed size. What does not fit into it is counted, and the client is
/// told so when it reads again. If it reads nothing for long, it is dropped.
struct ControlConnection {
  struct Limits {
    /// The bytes of a request. A mark has 1,024 bytes, and each may be six as `\u0000`.
    var line = 8_192
    /// The bytes that wait for the client. More are made only for an answer that is longer alone.
    var output = 262_144
    /// The milliseconds in which a client that has asked for nothing yet asks for something.
    var first: UInt64 = 10_000
    /// The milliseconds between the last answer and the next request.
    var idle: UInt64 = 60_000
    /// The milliseconds in which a client takes a byte of what waits for it.
    var stuck: UInt64 = 10_000
    /// The requests that cannot be read, before it is closed.
    var faults = 16
  }

  enum Phase: Hashable {
    /// A request may come.
    case asking
    /// A request is in work.
    case working
    /// It is told of everything, and asks for nothing more.
    case following
    /// Nothing more comes. What waits is still sent.
    case closing
    /// It is over, also if something still waits.
    case dropped
  }

  enum Step: Hashable {
    case answer(ControlRequest)
    case rest
  }

  private let limits: Limits
  private(set) var phase = Phase.asking
  private var input: [UInt8] = []
  private var hasAsked = false
  /// Whether the client sends nothing more.
  private var hasInputEnded = false
  private var faults = 0
  /// What waits for the client, from `sent` on.
  private var output: [UInt8] = []
  private var sent = 0
  /// The lines for a follower that had no room.
  private(set) var missed = 0
  /// When the client last asked, was answered, or took something.
  private var moved: UInt64

  init(at now: UInt64, limits: Limits = Limits()) { (moved, self.limits) = (now, limits) }

  // MARK: What it is

  /// Whether to read from the client.
  var wantsInput: Bool { phase == .asking && !hasInputEnded && !hasRequest && waiting <= limits.output / 2 }
  var hasOutput: Bool { phase != .dropped && waiting > 0 }
  /// Whether a follower has taken everything.
  var isCaughtUp: Bool { waiting == 0 && missed == 0 }
  var isOver: Bool { phase == .dropped || phase == .closing && waiting == 0 }

  private var waiting: Int { output.count - sent }
  private var hasRequest: Bool { input.contains(0x0a) }

  // MARK: Input

  /// The client has sent this.
  mutating func receive(_ bytes: some Collection<UInt8>) { if phase != .dropped { input += bytes } }

  /// The client sends nothing more. It may still read.
  mutating func endInput() { hasInputEnded = true }

  /// What to do next. It is asked until there is nothing to do.
  mutating func next(at now: UInt64) -> Step {
    while phase == .asking, waiting <= limits.output / 2 {
      guard let end = input.firstIndex(of: 0x0a) else {
        if input.count > limits.line { return tooLong(now) }
        // What has no end is no request.
        if hasInputEnded { phase = .closing }
        return .rest
      }
      let line = input[..<end]
      if line.count > limits.line { return tooLong(now) }
      (moved, hasAsked) = (now, true)
      let request = Result { () throws(ControlFault) in try ControlRequest(line.last == 0x0d ? line.dropLast() : line) }
      input.removeSubrange(...end)
      switch request {
      case .success(.status(follows: true)):
        phase = .following
        return .answer(.status(follows: true))
      case .success(let request):
        phase = .working
        return .answer(request)
      case .failure(let fault):
        faults += 1
        add(.refused(fault.sentence))
        if faults >= limits.faults { close("\(faults) requests could not be read", at: now) }
      }
    }
    return .rest
  }

  private mutating func tooLong(_ now: UInt64) -> Step {
    add(.refused("a request has at most \(grouped(limits.line)) bytes"))
    close("the rest of the request is not read", at: now)
    return .rest
  }

  // MARK: Output

  /// The answer to the request in work. A client that follows is told it, unless it may not follow.
  mutating func answer(_ answer: ControlAnswer, at now: UInt64) {
    switch phase {
    case .working: phase = .asking
    case .following:
      guard case .refused = answer else { return tell(answer, at: now) }
      phase = .asking
    case .asking, .closing, .dropped: return
    }
    moved = now
    add(answer)
  }

  /// Something for a client that follows. What has no room is counted.
  mutating func tell(_ news: ControlAnswer, at now: UInt64) {
    guard phase == .following else { return }
    tellOfMissed(now)
    let line = news.line
    guard missed == 0, waiting == 0 || waiting + line.count <= limits.output else { return missed += 1 }
    if waiting == 0 { moved = now }
    output += line
  }

  /// So many lines for a client that follows were lost before they came here.
  mutating func miss(_ count: Int, at now: UInt64) {
    guard phase == .following else { return }
    missed += count
    tellOfMissed(now)
  }

  /// The bytes to send.
  func withOutput<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
    output.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[sent...])) }
  }

  /// The client has taken so many bytes.
  mutating func took(_ count: Int, at now: UInt64) {
    guard count > 0 else { return }
    moved = now
    sent += min(count, waiting)
    if waiting == 0 {
      (output, sent) = ([], 0)
    } else if sent > 65_536 {
      output.removeFirst(sent)
      sent = 0
    }
    tellOfMissed(now)
  }

  /// Says what was missed, when half of the room is free.
  private mutating func tellOfMissed(_ now: UInt64) {
    guard missed > 0, waiting <= limits.output / 2 else { return }
    add(.missed(missed))
    missed = 0
  }

  private mutating func add(_ answer: ControlAnswer) { output += answer.line }

  // MARK: The end

  /// Ends it with a last sentence, which comes behind what waits.
  mutating func close(_ sentence: String, at now: UInt64) {
    guard phase != .closing, phase != .dropped else { return }
    if missed > 0 { add(.missed(missed)) }
    missed = 0
    add(.ended(sentence))
    (phase, moved, input) = (.closing, now, [])
  }

  /// It has gone, or takes nothing.
  mutating func drop() { (phase, input) = (.dropped, []) }

  /// Looks at the time limits.
  /// - Returns: Whether it takes nothing for so long that it is dropped: the last that is sent says why, if there is room for
  ///   it in the socket.
  mutating func look(at now: UInt64) -> Bool {
    let time = now >= moved ? now - moved : 0
    if waiting > 0 {
      guard time >= limits.stuck, phase != .dropped else { return false }
      close("nothing was read for \(limits.stuck / 1_000) s", at: now)
      return true
    }
    if phase == .asking, time >= (hasAsked ? limits.idle : limits.first) {
      close("nothing was asked for \((hasAsked ? limits.idle : limits.first) / 1_000) s", at: now)
    }
    return false
  }
}
