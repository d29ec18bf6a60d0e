#if SLUICE_MQTT
  import Dispatch
  import Sluice
  import SluiceLog
  import SluiceReadings
  import SluiceRecording
  import SluiceSystem

  /// Publishes batches with MQTT. Its queue has one thread, which waits for the broker, for batches and for times.
  final class MQTTTransport: BatchTransport, @unchecked Sendable {
    // The lock protects `state`. Only the thread uses what is marked so.

    private struct Item {
      var batch: SendBatch
      var answered: @Sendable (SendAnswer) -> Void
    }

    private struct State {
      var described: EncoderStreams
      var isDescribedAnew = false
      var inbox: [Item] = []
      var client: MQTTClient?
      var isBegun = false
      var isClosed = false
      var unheard = SendingCounts.Count()
    }

    private let address: MQTTAddress
    private let settings: ServerSettings
    private let topics: MQTTTopics
    private let numbers: BoardNumbers
    private let clockError: (@Sendable () -> Int64?)?
    /// Whether it says that the board is there, what it records, and that it has ended.
    private let announces: Bool
    private let queue: any WorkQueue
    private let state: Locked<State>
    /// Rung when there is no connection that could be woken.
    private let bell = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)
    private let happened: @Sendable (OutputEvent) -> Void

    let window = 8
    let most: Int

    /// The readings of the largest message.
    static let mostReadings = 1_024
    /// About so many bytes of a message. Brokers of the cloud take 128 KB to 1 MB.
    static let mostBytes = 96 << 10

    // MARK: Of the thread

    private var machine: MQTTMachine
    private var items: [UInt64: Item] = [:]
    private var payloads: [MQTTPayload] = []
    private var limits = MQTTLimits()
    /// The number behind the last reading that was acknowledged in this run.
    private var next: UInt64?
    /// Whether the broker keeps messages; learnt from its refusal.
    private var retains = true
    private let rows = EncodedRows(capacity: 1 << 16)
    private var lastUnheard = Int64.min
    /// What the broker refuses to take is not published again.
    private var refusedNotices: Set<MQTTMachine.Notice> = []
    /// Whether the end of the connection that may follow is because of a refusal that will not come again.
    private var connectsAgain = false

    /// - Parameter announces: False for a program beside the recording, which would otherwise say that the board has ended.
    init(
      _ address: MQTTAddress, _ settings: ServerSettings, _ streams: EncoderStreams, _ numbers: BoardNumbers,
      announces: Bool, clockError: (@Sendable () -> Int64?)?, _ queue: any WorkQueue,
      _ happened: @escaping @Sendable (OutputEvent) -> Void
    ) {
      (self.address, self.settings, self.numbers, self.announces) = (address, settings, numbers, announces)
      (self.clockError, self.queue, self.happened) = (clockError, queue, happened)
      topics = MQTTTopics(address.topic, board: numbers.board)
      let longest = streams.streams.map { $0.channels.count }.max() ?? 1
      most = max(1, min(Self.mostReadings, Self.mostBytes / (24 + 16 * max(1, longest))))
      machine = MQTTMachine(stays: announces, timeout: settings.timeout, seed: ServerSending.seed)
      state = Locked(State(described: streams))
      payloads = streams.streams.indices.map { MQTTPayload($0, of: streams, topics, numbers) }
    }

    // MARK: Any thread

    func describe(_ streams: [StreamDescription]) {
      state.withLock { state in
        state.described.streams = streams
        state.isDescribedAnew = true
        state.client?.wake()
      }
      bell.signal()
    }

    func send(_ batch: SendBatch, _ answered: @escaping @Sendable (SendAnswer) -> Void) {
      let begins = state.withLock { state in
        guard !state.isClosed else { return false }
        state.inbox.append(Item(batch: batch, answered: answered))
        state.client?.wake()
        defer { state.isBegun = true }
        return !state.isBegun
      }
      if begins { queue.perform { [self] in run() } } else { bell.signal() }
    }

    func complete(_ counts: inout SendingCounts) { counts.unheard = state.withLock { $0.unheard } }

    func close() {
      let isBegun = state.withLock { state in
        state.isClosed = true
        state.client?.wake()
        return state.isBegun
      }
      bell.signal()
      // A thread that asks for a name cannot be ended. The good-bye has its own limit.
      if isBegun { _ = ended.wait(timeout: .now() + .nanoseconds(Int(Self.goodbyeLimit))) }
    }

    private static let goodbyeLimit: Int64 = 2_000_000_000

    // MARK: The thread

    private func run() {
      while takeInbox() {
        let now = queue.now
        switch machine.next(at: now) {
        case .connect: connect(at: now)
        case .publish(let place, let numbers): publish(place, numbers, at: now)
        case .notice(let notice): publish(notice, at: now)
        case .answer(let first, let answer):
          guard let item = items.removeValue(forKey: first) else { continue }
          item.answered(answer)
        case .drop:
          lose(
            SluiceError(
              .disconnected, "send to", address.text,
              because: machine.isOpen ? "the broker does not acknowledge in time" : "the broker does not answer"))
        case .rest(let until): rest(until == .max ? 60_000_000_000 : max(0, until - now))
        }
      }
      goodbye()
      setClient(nil)
      ended.signal()
    }

    /// - Returns: False at the end.
    private func takeInbox() -> Bool {
      let (inbox, described, isClosed) = state.withLock { state in
        defer { (state.inbox, state.isDescribedAnew) = ([], false) }
        return (state.inbox, state.isDescribedAnew ? state.described : nil, state.isClosed)
      }
      if let described {
        payloads = described.streams.indices.map { MQTTPayload($0, of: described, topics, numbers) }
        if isAnnounced(.metadata) { machine.changed(.metadata) }
      }
      for item in inbox {
        items[item.batch.first] = item
        machine.add(item.batch.first, Self.runs(item.batch))
      }
      return !isClosed
    }

    /// The numbers of readings that follow each other, and are of the same stream.
    static func runs(_ batch: SendBatch) -> [Range<UInt64>] {
      var runs: [Range<UInt64>] = []
      var begin = 0
      for place in batch.readings.indices.dropFirst()
      where batch.readings[place].stream != batch.readings[place - 1].stream {
        runs.append(batch.first + UInt64(begin)..<batch.first + UInt64(place))
        begin = place
      }
      if begin < batch.readings.count { runs.append(batch.first + UInt64(begin)..<batch.numbers.upperBound) }
      return runs
    }

    private func setClient(_ client: MQTTClient?) {
      let before = state.withLock { state in
        defer { state.client = client }
        return state.client
      }
      // Nobody can wake it any more.
      before?.close()
    }

    private var client: MQTTClient? { state.withLock { $0.client } }

    private func connect(at now: Int64) {
      do throws(SluiceError) {
        let will =
          isAnnounced(.state) ? MQTTClient.Will(topic: topics.state, text: stateText("gone"), isRetained: retains) : nil
        let client = try MQTTClient(address, settings, client: clientName, will: will)
        setClient(client)
        try client.connect()
      } catch {
        lose(error)
      }
    }

    /// Two programs must not have the same name, because the second would end the connection of the first. Every broker takes 23
    /// letters and digits.
    private var clientName: String {
      let begin = announces ? "sluice" : "resend"
      return begin + (announces ? numbers.epoch : BoardIdentity.current.epoch()).prefix(17)
    }

    private func lose(_ error: SluiceError) {
      setClient(nil)
      if connectsAgain { machine.again(at: queue.now) } else { machine.lost(error, at: queue.now) }
      connectsAgain = false
    }

    private func isAnnounced(_ notice: MQTTMachine.Notice) -> Bool { announces && !refusedNotices.contains(notice) }

    private func rest(_ nanoseconds: Int64) {
      guard let client else {
        _ = bell.wait(timeout: .now() + .nanoseconds(Int(nanoseconds)))
        return
      }
      // The library has to look at its clock now and then.
      let (events, fault) = client.step(min(nanoseconds, 1_000_000_000))
      var end = fault
      for event in events { end = see(event) ?? end }
      if let end, self.client === client { lose(end) }
    }

    /// - Returns: Why the connection is over; nil if it is not.
    private func see(_ event: MQTTEvent) -> SluiceError? {
      switch event {
      case .connected(let reason, let limits):
        guard reason.code == 0 else {
          if reason.code == MQTTReason.notRetained {
            connectsAgain = retains
            retains = false
          }
          return reason.connectionError(for: address)
        }
        guard limits.maximumQuality > 0 else { return MQTTReason(0x9b).connectionError(for: address) }
        self.limits = limits
        retains = retains && limits.retains
        machine.connected(limits, [.state, .metadata].filter(isAnnounced), at: queue.now)
      case .published(let number, let reason): answered(number, reason)
      case .ended(let reason): return reason.connectionError(for: address)
      case .subscribed, .received: break
      }
      return nil
    }

    private func answered(_ number: Int, _ reason: MQTTReason) {
      let place = machine.place(of: number)
      let batch = place.flatMap { items[$0.batch]?.batch }
      let readings = place.flatMap { place in batch.map { Self.runs($0)[place.part] } }
      let sent = readings.flatMap { batch?[$0] }
      let topic = sent?.readings.first.flatMap { payload(of: $0.stream)?.topic } ?? topics.state
      switch machine.answered(number, reason.meaning(for: topic, of: address)) {
      case .readings(let numbers):
        connectsAgain = false
        if reason.isSuccess { next = max(next ?? 0, numbers.upperBound) }
        if reason.isUnheard, let sent { unheard(sent, topic) }
      case .notice(let notice): if !reason.isSuccess { refused(notice, reason) }
      case nil: break
      }
    }

    private func unheard(_ batch: SendBatch, _ topic: String) {
      guard let times = batch.times else { return }
      let count = state.withLock { state in
        state.unheard.add(batch.readings.count, times)
        return state.unheard.readings
      }
      let now = queue.now
      guard lastUnheard == .min || now - lastUnheard >= Self.minute else { return }
      lastUnheard = now
      happened(
        .warned(
          SluiceError(
            .failed, "keep readings at", address.text,
            because:
              "the broker has acknowledged \(grouped(count)) of them, but no program received them, because nobody has subscribed to \(topic)",
            remedy: "subscribe to this topic; if there is a spool, send the readings again with sluice resend")))
    }

    private func refused(_ notice: MQTTMachine.Notice, _ reason: MQTTReason) {
      guard refusedNotices.insert(notice).inserted else { return }
      connectsAgain = true
      let topic = notice == .state ? topics.state : topics.metadata
      switch reason.meaning(for: topic, of: address) {
      case .wait(let error, _), .tooLarge(let error), .refused(let error), .stop(let error): happened(.warned(error))
      case .acknowledged: break
      }
    }

    private static let minute: Int64 = 60_000_000_000

    // MARK: Messages

    private func payload(of stream: StreamID) -> MQTTPayload? {
      let place = Int(stream.index)
      return payloads.indices.contains(place) ? payloads[place] : nil
    }

    private func publish(_ place: MQTTMachine.Place, _ numbers: Range<UInt64>, at now: Int64) {
      guard let client, let batch = items[place.batch]?.batch, numbers.clamped(to: batch.numbers) == numbers else {
        return machine.failed(
          place, .stop(SluiceError(.failed, "send to", address.text, because: "a batch is missing")))
      }
      let begin = Int(numbers.lowerBound - batch.first)
      let readings = batch.readings[begin..<begin + numbers.count]
      guard let payload = readings.first.flatMap({ payload(of: $0.stream) }) else {
        return machine.failed(
          place, .refused(SluiceError(.malformed, "send to", address.text, because: "its stream is not described")))
      }
      payload.encode(readings, into: rows)
      let properties = payload.properties(numbers, run: batch.run, clockError: clockError?())
      let tooLarge = MQTTReason(MQTTReason.tooLarge).meaning(for: payload.topic, of: address)
      if let most = limits.maximumPacket, rows.text.count > most { return machine.failed(place, tooLarge) }
      let result = rows.text.withBytes { bytes in
        Result { () throws(SluiceError) in
          try client.publish(
            payload.topic, UnsafeRawBufferPointer(bytes), contentType: MQTTPayload.contentType, properties: properties)
        }
      }
      switch result {
      case .success(let number?): machine.published(place, as: number, at: now)
      case .success(nil): machine.failed(place, tooLarge)
      case .failure(let error): lose(error)
      }
    }

    private func publish(_ notice: MQTTMachine.Notice, at now: Int64) {
      guard let client else { return }
      do throws(SluiceError) {
        let number: Int?
        switch notice {
        case .state: number = try publish(topics.state, Array(stateText("online").utf8), over: client)
        case .metadata:
          let described = state.withLock { $0.described }
          var document = MetadataDocument()
          document.format = CSVFormat.name
          document.streams = described.streams.map { .init($0) }
          document.values = .init(described.raw ? .raw : .scaled)
          document.decimals = described.style.decimals
          number = try publish(topics.metadata, Array(document.text.utf8), over: client)
        }
        // One that is too large is not published.
        if let number { machine.noticed(notice, as: number) } else { refused(notice, MQTTReason(MQTTReason.tooLarge)) }
      } catch {
        lose(error)
      }
    }

    private func publish(_ topic: String, _ bytes: [UInt8], over client: MQTTClient) throws(SluiceError) -> Int? {
      let properties = (numbers.board.isEmpty ? [] : [("board", numbers.board)]) + [("epoch", numbers.epoch)]
      let isRetained = retains
      let result = bytes.withUnsafeBytes { bytes in
        Result { () throws(SluiceError) in
          try client.publish(
            topic, bytes, retained: isRetained, contentType: "application/json", properties: properties)
        }
      }
      return try result.get()
    }

    /// - Parameter next: The number behind the last reading, so that a subscriber knows whether it has all.
    private func stateText(_ word: String, next: UInt64? = nil) -> String {
      let members: [(String, JSON)] = [
        ("state", .string(word)), ("board", .string(numbers.board)), ("epoch", .string(numbers.epoch)),
      ]
      return JSON.object(members + (next.map { [("next", .number("\($0)"))] } ?? [])).lines() + "\n"
    }

    /// Says that the board has ended, which a lost connection would not say.
    private func goodbye() {
      guard machine.isOpen, let client else { return }
      let end = queue.now + Self.goodbyeLimit / 2
      if isAnnounced(.state) {
        guard let number = try? publish(topics.state, Array(stateText("ended", next: next).utf8), over: client) else {
          return
        }
        var isAnswered = false
        while !isAnswered, queue.now < end {
          let (events, fault) = client.step(max(0, end - queue.now))
          guard fault == nil else { return }
          isAnswered = events.contains { if case .published(number, _) = $0 { true } else { false } }
        }
      }
      client.disconnect()
      // It has left the process, or is as far as the library brings it at once.
      _ = client.step(0)
    }
  }
#endif
