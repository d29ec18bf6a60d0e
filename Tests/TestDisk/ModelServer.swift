import Sluice
import SluiceReadings
import SluiceRecording
import SluiceSystem

/// A server in memory. It keeps readings when the test says so, and answers then. It can go away and come back, or
/// refuse a client for good. What it has not kept when it goes away is gone.
package final class ModelServer: OutputClaim {
  package enum Answer: Sendable {
    case takes
    /// The connection is lost.
    case away
    /// It takes so many readings, and is away then.
    case takesOnly(Int)
    /// It will never take more.
    case refuses
  }

  fileprivate struct State {
    var answer = Answer.takes
    /// The number of connections that were lost.
    var losses = 0
    var received: [Reading] = []
    var kept: [Reading] = []
    var acknowledge: (@Sendable ([Int]) -> Void)?
    var calls: [String] = []
  }

  private let state = Locked(State())
  package let name = "model://server"

  package init() {}

  /// What the sink and the store have called, in order.
  package var calls: [String] { state.withLock { $0.calls } }
  package var received: [Reading] { state.withLock { $0.received } }
  package var kept: [Reading] { state.withLock { $0.kept } }

  package func set(_ answer: Answer) {
    state.withLock { state in
      if case .away = answer { state.lose() }
      state.answer = answer
    }
  }

  /// Keeps the first of the received readings, and answers.
  package func keep(_ count: Int) {
    let (counts, acknowledge) = state.withLock { state -> ([Int], (@Sendable ([Int]) -> Void)?) in
      let readings = state.received.prefix(count)
      state.received.removeFirst(readings.count)
      state.kept += readings
      var counts: [Int] = []
      for reading in readings {
        while counts.count <= reading.stream.index { counts.append(0) }
        counts[Int(reading.stream.index)] += 1
      }
      return (counts, state.acknowledge)
    }
    acknowledge?(counts)
  }

  // MARK: Claim

  package func lock() { note("lock") }
  package func waitUntilReady(_ isInterrupted: () -> Bool) { note("wait") }
  package func discard() { note("discard") }
  package let safety = Safety.acknowledgement
  package func comesBack(from error: SluiceError) -> Bool { error.errno == ECONNRESET }

  private func note(_ call: String) { state.withLock { $0.calls.append(call) } }

  // MARK: Connection

  fileprivate func acknowledge(_ safe: @escaping @Sendable ([Int]) -> Void) {
    state.withLock { $0.acknowledge = safe }
  }

  fileprivate func connect() throws(SluiceError) {
    note("begin")
    if let error = state.withLock({ $0.error }) { throw error }
  }

  fileprivate var losses: Int { state.withLock { $0.losses } }

  /// - Returns: The number of readings that it has received, and the error if these are not all.
  fileprivate func receive(_ readings: ArraySlice<Reading>) -> (count: Int, error: SluiceError?) {
    state.withLock { state in
      if let error = state.error { return (0, error) }
      guard case .takesOnly(let count) = state.answer, count < readings.count else {
        state.received += readings
        return (readings.count, nil)
      }
      state.received += readings.prefix(count)
      state.answer = .away
      state.lose()
      return (count, state.error)
    }
  }
}

extension ModelServer.State {
  fileprivate mutating func lose() {
    losses += 1
    received = []
  }

  fileprivate var error: SluiceError? {
    switch answer {
    case .takes, .takesOnly: nil
    case .away: SluiceError("write", "model://server", errno: ECONNRESET)
    case .refuses: SluiceError("write", "model://server", errno: EACCES)
    }
  }
}

/// The output to a ``ModelServer``.
package struct ServerOutput: OutputKind {
  package let server: ModelServer
  package let capacity: Int
  package let retryPauses: ClosedRange<Int64> = 1_000_000_000...2_000_000_000
  package var address: String { server.name }

  /// No registry has it.
  package init?(_ address: String) { nil }

  package init(_ server: ModelServer, capacity: Int = 100 * ServerStore.byteCount) {
    self.server = server
    self.capacity = capacity
  }

  package func claim(
    _ output: RecordingOutput, number: Int, for streams: [StreamDescription], _ claims: inout OutputClaims
  ) -> [ClaimedStore] {
    claims.add(server)
    return [ClaimedStore(ServerStore(server), server)]
  }
}

/// Sends readings to a ``ModelServer``. It keeps what was not acknowledged, and sends it again over a new connection.
package final class ServerStore: RecordStore, @unchecked Sendable {
  // The lock of the sink protects `readings`.

  /// The bytes of a reading.
  package static let byteCount = 100

  private let server: ModelServer
  private var readings: [Reading] = []
  private let sent = Locked(Sent())

  private struct Sent {
    var unacknowledged: [Reading] = []
    var losses = 0
  }

  init(_ server: ModelServer) { self.server = server }

  package func check() {}
  package func begin(_ found: (OutputEvent) -> Void) throws(SluiceError) { try server.connect() }

  package func acknowledge(_ safe: @escaping @Sendable ([Int]) -> Void) {
    server.acknowledge { [sent] counts in
      sent.withLock { $0.unacknowledged.removeFirst(counts.reduce(0, +)) }
      safe(counts)
    }
  }

  package func append(_ readings: UnsafeBufferPointer<Reading>) -> Int {
    let count = min(readings.count, 10 - self.readings.count)
    self.readings += readings[..<count]
    return count
  }

  package var isFull: Bool { readings.count == 10 }
  package var isEmpty: Bool { readings.isEmpty }
  package func describe(_ streams: [StreamDescription]) {}

  package func batch() -> (any RecordBatch)? {
    guard !readings.isEmpty else { return nil }
    defer { readings = [] }
    return Batch(readings, self)
  }

  /// The server keeps everything when the connection is closed in order.
  package func close() throws(SluiceError) {
    _ = try send([])
    server.keep(.max)
  }

  /// - Returns: The number of these readings that were sent.
  private func send(_ readings: ArraySlice<Reading>) throws(SluiceError) -> Int {
    let losses = server.losses
    let again = sent.withLock { $0.losses < losses ? $0.unacknowledged : [] }
    if let error = server.receive(again[...]).error { throw error }
    sent.withLock { $0.losses = losses }
    let (count, error) = server.receive(readings)
    sent.withLock { $0.unacknowledged += readings.prefix(count) }
    if let error, count == 0 { throw error }
    return count
  }

  private final class Batch: RecordBatch {
    private var left: ArraySlice<Reading>
    private let all: [Reading]
    private let store: ServerStore

    init(_ readings: [Reading], _ store: ServerStore) {
      (all, left, self.store) = (readings, readings[...], store)
    }

    var byteCount: Int { all.count * ServerStore.byteCount }

    func write() throws(SluiceError) {
      while !left.isEmpty { left.removeFirst(try store.send(left)) }
    }

    func count(into counts: inout [Int]) { Self.count(all[...], into: &counts) }

    var unwritten: [Int: Int] {
      var counts: [Int] = []
      Self.count(left, into: &counts)
      return Dictionary(uniqueKeysWithValues: counts.enumerated().map { ($0.offset, $0.element) })
    }

    private static func count(_ readings: ArraySlice<Reading>, into counts: inout [Int]) {
      for reading in readings {
        while counts.count <= reading.stream.index { counts.append(0) }
        counts[Int(reading.stream.index)] += 1
      }
    }
  }
}
