import Sluice
import SluiceCDR
import SluiceLive
import SluicePipeline
import SluiceReadings
import SluiceSystem

/// The WebSocket of Foxglove, Lichtblick and PlotJuggler (github.com/foxglove/ws-protocol): each reading is a message.
///
/// It asks the recording for as many readings as its line takes. What a slow line was not sent, the viewer is told.
final class FoxgloveSession: WebSocketSession, @unchecked Sendable {
  // `inbox` has its lock; the rest is used on the thread of the server only.

  static let names = ["foxglove.sdk.v1", "foxglove.websocket.v1"]
  /// The readings that wait here; the recording keeps some more for the session, and drops the oldest.
  static let most = 512
  /// The channels for what is no reading, behind those of 65,536 streams.
  static let events = 65_537
  static let losses = 65_538
  /// The events, the answers and the messages for further subscriptions that wait here.
  static let mostEvents = 256
  static let mostTexts = 1_024
  static let mostBinaries = 1_024
  /// The subscriptions of a viewer.
  static let mostSubscriptions = 4_096

  private struct Request: Decodable {
    struct Subscription: Decodable {
      var id: UInt32
      var channelId: Int
    }
    var op: String
    var subscriptions: [Subscription]?
    var subscriptionIds: [UInt32]?
  }

  private struct Inbox {
    var readings: [Reading] = []
    var begin = 0
    var events: [RecordingEvent] = []
    var missed = 0
    /// The events that had no room.
    var missedEvents = 0
    var subscription: (any ReadingSubscription)?
    /// What was asked of the recording and has not come.
    var asked = 0
    var isOver = false
  }

  private let watch: RecordingWatch
  private let line: any WebSocketLine
  private let inbox = Locked(Inbox())
  /// Text messages that come before all others.
  private var texts: [String] = []
  private var binaries: [[UInt8]] = []
  private var messages: [ROS2Message] = []
  private var scales: [[ScaledDouble]] = []
  private var subscriptions: [UInt32: Int] = [:]
  private var ofChannel: [Int: [UInt32]] = [:]
  private var isTaking = false
  private var missedSoFar = 0
  /// The answers, and the messages about the recording, that had no room.
  private var unsaid = 0
  private var unsent = 0
  private var look: UInt64 = 0
  private var lossesSent: [Loss] = []
  private var listening: (any Cancellable)?

  init(_ watch: RecordingWatch, _ line: any WebSocketLine) {
    (self.watch, self.line) = (watch, line)
    texts.append(
      JSON.object([
        ("op", .string("serverInfo")), ("name", .string("sluice \(SluicePipeline.version)")),
        ("capabilities", .array([])), ("supportedEncodings", .array([])), ("metadata", .object([])),
        ("sessionId", .string("\(watch.recording.clock.now)")),
      ]).text)
    advertise(first: true)
    listening = watch.recording.events.sink { [weak self] event in
      guard let self else { return }
      self.inbox.withLock { inbox in
        if inbox.events.count >= Self.mostEvents {
          inbox.events.removeFirst()
          inbox.missedEvents += 1
        }
        inbox.events.append(event)
      }
      self.line.want()
    }
  }

  // MARK: Channels

  private func advertise(first: Bool = false) {
    let streams = watch.recording.streams
    var channels: [JSON] = []
    for (index, stream) in streams.enumerated().dropFirst(messages.count) {
      let message = ROS2Message(stream)
      messages.append(message)
      scales.append(stream.channels.map { ScaledDouble($0, of: stream) })
      channels.append(
        FoxgloveMessage.channel(
          index + 1, ViewerMessage.topic(stream.name), "cdr", message.type, "ros2msg", message.definition))
    }
    if first {
      channels += [
        FoxgloveMessage.channel(
          Self.events, "/sluice/events", "json", "sluice.Event", "jsonschema", ViewerMessage.eventSchema),
        FoxgloveMessage.channel(
          Self.losses, "/sluice/losses", "json", "sluice.Loss", "jsonschema", ViewerMessage.lossSchema),
      ]
    }
    // Many streams are told in several messages.
    for begin in stride(from: 0, to: channels.count, by: 256) {
      texts.append(
        JSON.object([
          ("op", .string("advertise")), ("channels", .array(Array(channels[begin...].prefix(256)))),
        ]).text)
    }
  }

  // MARK: The viewer

  /// A stream may appear before the viewer has subscribed to anything.
  var due: UInt64? { look }
  var isPaced: Bool { false }
  var hasMore: Bool { true }

  func receive(_ message: [UInt8], isText: Bool) -> Bool {
    // Messages of a viewer that publishes are binary; nothing was offered for them.
    guard isText else { return false }
    guard let request: Request = try? JSON(parsing: message).decode() else { return true }
    switch request.op {
    case "subscribe":
      for subscription in request.subscriptions ?? [] {
        guard subscriptions.count < Self.mostSubscriptions || subscriptions[subscription.id] != nil else { return true }
        unsubscribe(subscription.id)
        guard
          (1..<messages.count + 1).contains(subscription.channelId) || subscription.channelId == Self.events
            || subscription.channelId == Self.losses
        else {
          say("there is no channel \(subscription.channelId)", level: 1)
          continue
        }
        subscriptions[subscription.id] = subscription.channelId
        ofChannel[subscription.channelId, default: []].append(subscription.id)
      }
      select()
    case "unsubscribe":
      for id in request.subscriptionIds ?? [] { unsubscribe(id) }
      select()
    // A viewer may ask for what was not offered.
    default: break
    }
    return false
  }

  private func unsubscribe(_ id: UInt32) {
    guard let channel = subscriptions.removeValue(forKey: id) else { return }
    ofChannel[channel]?.removeAll { $0 == id }
  }

  private func say(_ sentence: String, level: Int) {
    // Of a viewer that sends nonsense faster than it reads, not each is answered.
    guard texts.count < Self.mostTexts else { return unsaid += 1 }
    texts.append(
      JSON.object([("op", .string("status")), ("level", JSON(level)), ("message", .string(sentence))]).text)
    line.want()
  }

  /// Tells the viewer what it was not sent, as soon as there is room for that.
  private func confess() {
    guard texts.count < Self.mostTexts / 2 else { return }
    let missed = inbox.withLock { inbox in
      defer { (inbox.missed, inbox.missedEvents) = (0, 0) }
      return (readings: inbox.missed, events: inbox.missedEvents)
    }
    let why = "because this viewer takes them too slowly"
    if missed.readings > 0 {
      missedSoFar += missed.readings
      say(
        "\(grouped(missed.readings)) readings were not sent, \(why): "
          + "\(grouped(missedSoFar)) so far; the recording has them", level: 1)
    }
    unsent += ofChannel[Self.events]?.isEmpty == false ? missed.events : 0
    if unsent > 0 { say("\(grouped(unsent)) events and losses were not sent, \(why); the account has them", level: 1) }
    if unsaid > 0 { say("\(grouped(unsaid)) answers were not sent, \(why)", level: 1) }
    (unsent, unsaid) = (0, 0)
  }

  // MARK: Readings

  /// The streams that the viewer wants.
  private var wanted: Set<StreamID> {
    Set(subscriptions.values.lazy.filter { $0 <= self.messages.count }.map { StreamID(UInt16($0 - 1)) })
  }

  /// Takes the readings of the streams that the viewer wants now.
  private func select() {
    let wanted = wanted
    if wanted.isEmpty {
      if isTaking { leave() }
    } else if isTaking {
      inbox.withLock { $0.subscription }?.select(wanted)
    } else {
      take()
    }
  }

  private func take() {
    isTaking = true
    watch.recording.readings.holding(4_096) { [weak self] count in self?.inbox.withLock { $0.missed += count } }
      .subscribe(Taker(self))
  }

  private func leave() {
    isTaking = false
    let former = inbox.withLock { inbox in
      defer { inbox = Inbox(events: inbox.events, missed: inbox.missed, missedEvents: inbox.missedEvents) }
      return inbox.subscription
    }
    former?.cancel()
  }

  private final class Taker: Subscriber, Sendable {
    typealias Input = Reading
    typealias Failure = Never

    // Without it there is nobody who takes.
    private let session: Weak

    init(_ session: FoxgloveSession) { self.session = Weak(session) }

    func receive(subscription: any Subscription) {
      guard let session = session.value, let subscription = subscription as? any ReadingSubscription else {
        return subscription.cancel()
      }
      // The subscription comes at once, on the thread of the server.
      subscription.select(session.wanted)
      session.inbox.withLock { ($0.subscription, $0.asked) = (subscription, FoxgloveSession.most) }
      subscription.request(.max(FoxgloveSession.most))
    }

    func receive(_ input: Reading) -> Subscribers.Demand {
      guard let session = session.value else { return .none }
      let isFirst = session.inbox.withLock { inbox in
        inbox.readings.append(input)
        inbox.asked -= 1
        return inbox.readings.count - inbox.begin == 1
      }
      if isFirst { session.line.want() }
      return .none
    }

    func receive(completion: Subscribers.Completion<Never>) {
      guard let session = session.value else { return }
      session.inbox.withLock { ($0.subscription, $0.isOver) = (nil, true) }
      session.line.want()
    }
  }

  private final class Weak: @unchecked Sendable {
    // A weak reference is safe to read on any thread.
    weak var value: FoxgloveSession?
    init(_ value: FoxgloveSession) { self.value = value }
  }

  private func nextReading() -> Reading? {
    let (reading, more, subscription) = inbox.withLock { inbox -> (Reading?, Int, (any ReadingSubscription)?) in
      guard inbox.begin < inbox.readings.count else { return (nil, 0, nil) }
      let reading = inbox.readings[inbox.begin]
      inbox.begin += 1
      let left = inbox.readings.count - inbox.begin
      if left == 0 {
        inbox.readings.removeAll(keepingCapacity: true)
        inbox.begin = 0
      }
      let more = Self.most - left - inbox.asked
      guard more >= Self.most / 2, let subscription = inbox.subscription else { return (reading, 0, nil) }
      inbox.asked += more
      return (reading, more, subscription)
    }
    if more > 0 { subscription?.request(.max(more)) }
    return reading
  }

  func tick() -> Bool {
    look = monotonicMilliseconds() + 1_000
    advertise()
    confess()
    if let ids = ofChannel[Self.losses], !ids.isEmpty {
      let losses = watch.account.losses
      for loss in losses where !lossesSent.contains(loss) { send(loss.json.text, ids) }
      lossesSent = losses
    }
    return !texts.isEmpty || !binaries.isEmpty
  }

  private func send(_ json: String, at time: Int64? = nil, _ ids: [UInt32]) {
    for id in ids {
      binaries.append(FoxgloveMessage.message(id, time ?? watch.recording.clock.now, Array(json.utf8)))
      if binaries.count > Self.mostBinaries {
        binaries.removeFirst()
        unsent += 1
      }
    }
  }

  var isDone: Bool {
    guard texts.isEmpty, binaries.isEmpty, unsaid == 0, unsent == 0 else { return false }
    return inbox.withLock { inbox in
      // A session that takes no readings need not wait for their end.
      (inbox.isOver || !isTaking) && inbox.begin == inbox.readings.count && inbox.missed == 0 && inbox.events.isEmpty
    }
  }

  func next() -> WebSocketMessage? {
    if !texts.isEmpty { return .text(texts.removeFirst()) }
    let events = inbox.withLock { inbox in
      defer { inbox.events = [] }
      return inbox.events
    }
    if let ids = ofChannel[Self.events], !ids.isEmpty {
      for event in events { send(FoxgloveMessage.json(event), at: event.time, ids) }
    }
    if !binaries.isEmpty { return .binary(binaries.removeFirst()) }
    while let reading = nextReading() {
      let index = Int(reading.stream.index)
      // A stream that is not told yet: the next reading of it has a channel.
      if index >= messages.count, reading.stream != .none { advertise() }
      guard index < messages.count, let ids = ofChannel[index + 1], let first = ids.first else {
        if !texts.isEmpty { return .text(texts.removeFirst()) }
        continue
      }
      let scales = scales[index]
      let values = scales.indices.map { $0 < reading.values.count ? scales[$0](reading.values[$0]) : .nan }
      let payload = messages[index].bytes(time: reading.time, flags: reading.flags, values: values)
      for id in ids.dropFirst() { binaries.append(FoxgloveMessage.message(id, reading.time, payload)) }
      return .binary(FoxgloveMessage.message(first, reading.time, payload))
    }
    return nil
  }

  func end() {
    listening?.cancel()
    leave()
  }
}
