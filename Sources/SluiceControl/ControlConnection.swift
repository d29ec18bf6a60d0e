import SluiceReadings

/// The connection of a client to a recording. It is a value, without a socket, a thread or a clock.
///
/// The recording works on one request of a client at a time. Further requests wait in the socket of the client, so that
/// a flood of requests takes no memory here. A client that follows has a queue of a fixed size. Lines that do not fit
/// into this queue are left out and counted, and the client gets their number when it reads again. A client that reads
/// nothing for too long is dropped.
struct ControlConnection {
  struct Limits {
    /// The most bytes of a request. A mark has at most 1,024 bytes, and each may be written with six, as `\u0000`.
    var line = 8_192
    /// The most bytes that wait for the client. Only a single answer that is longer exceeds this.
    var output = 262_144
    /// The most milliseconds until the first request of a client.
    var first: UInt64 = 10_000
    /// The most milliseconds between the last answer and the next request.
    var idle: UInt64 = 60_000
    /// The most milliseconds in which a client must read at least a byte of the output that waits for it.
    var stuck: UInt64 = 10_000
    /// The number of malformed requests after which the connection is closed.
    var faults = 16
  }

  enum Phase: Equatable {
    /// A request may come.
    case asking
    /// The recording works on a request.
    case working
    /// The client gets all states and events, and sends no more requests.
    case following
    /// There are no more answers. The output that waits is still sent.
    case closing
    /// The connection is over, also if output still waits.
    case dropped
  }

  enum Step: Hashable {
    case answer(ControlRequest)
    case rest
  }

  private let limits: Limits
  private(set) var phase = Phase.asking
  private var input: [UInt8] = []
  private(set) var hasAsked = false
  /// Whether the client sends nothing more.
  private var hasInputEnded = false
  private var faults = 0
  /// The output that waits for the client begins at `sent`.
  private var output: [UInt8] = []
  private var sent = 0
  /// The number of lines that did not fit into the queue of a client that follows.
  private(set) var missed = 0
  /// When the client last sent a request, got an answer, or read output.
  private(set) var moved: UInt64

  init(at now: UInt64, limits: Limits = Limits()) { (moved, self.limits) = (now, limits) }

  // MARK: State

  /// Whether to read from the client.
  var wantsInput: Bool { phase == .asking && !hasInputEnded && !hasRequest && waiting <= limits.output / 2 }
  var hasOutput: Bool { phase != .dropped && waiting > 0 }
  /// Whether a client that follows has read everything.
  var isCaughtUp: Bool { waiting == 0 && missed == 0 }
  var isOver: Bool { phase == .dropped || phase == .closing && waiting == 0 }

  private var waiting: Int { output.count - sent }
  private var hasRequest: Bool { input.contains(0x0a) }

  /// Whether it is idle: each of its requests has an answer, and the client has read all answers.
  var isIdle: Bool { phase == .asking && !hasRequest && waiting == 0 }

  // MARK: Input

  /// Takes bytes that the client has sent.
  mutating func receive(_ bytes: some Collection<UInt8>) { if phase != .dropped { input += bytes } }

  /// The client sends nothing more. It may still read.
  mutating func endInput() { hasInputEnded = true }

  /// The next thing to do. The caller repeats this until it returns `rest`.
  mutating func next(at now: UInt64) -> Step {
    while phase == .asking, waiting <= limits.output / 2 {
      guard let end = input.firstIndex(of: 0x0a) else {
        if input.count > limits.line { return tooLong(now) }
        // Bytes without a line feed are no request.
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

  /// Takes the answer to the present request. For a client that follows it is the first state, or the refusal.
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

  /// Takes a line for a client that follows. A line without room in the queue is left out and counted.
  mutating func tell(_ news: ControlAnswer, at now: UInt64) {
    guard phase == .following else { return }
    tellOfMissed(now)
    let line = news.line
    guard missed == 0, waiting == 0 || waiting + line.count <= limits.output else { return missed += 1 }
    if waiting == 0 { moved = now }
    output += line
  }

  /// Counts lines for a client that follows that were lost before they reached this connection.
  mutating func miss(_ count: Int, at now: UInt64) {
    guard phase == .following else { return }
    missed += count
    tellOfMissed(now)
  }

  /// Calls a function with the bytes to send.
  func withOutput<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
    output.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[sent...])) }
  }

  /// Removes bytes that the socket of the client has taken.
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

  /// Tells the client how many lines it missed, if half of the queue is free.
  private mutating func tellOfMissed(_ now: UInt64) {
    guard missed > 0, waiting <= limits.output / 2 else { return }
    add(.missed(missed))
    missed = 0
  }

  private mutating func add(_ answer: ControlAnswer) { output += answer.line }

  // MARK: The end

  /// Ends the connection with a last sentence, after the output that waits.
  mutating func close(_ sentence: String, at now: UInt64) {
    guard phase != .closing, phase != .dropped else { return }
    if missed > 0 { add(.missed(missed)) }
    missed = 0
    add(.ended(sentence))
    (phase, moved, input) = (.closing, now, [])
  }

  /// Drops the connection: the client has gone, or reads nothing.
  mutating func drop() { (phase, input) = (.dropped, []) }

  /// Checks the time limits.
  /// - Returns: Whether to drop the client, because it has read nothing for too long. The last line says why, if it
  ///   fits into the socket.
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
