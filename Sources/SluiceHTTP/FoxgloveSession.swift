import Sluice
import SluiceCDR
import SluiceLive
@_spi(Preview) import SluicePipeline
import SluiceReadings
import SluiceSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

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
    var subscription: (any Subscription)?
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
  private var due: UInt64 = 0
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
        if inbox.events.count >= 256 { inbox.events.removeFirst() }
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
        Self.channel(index + 1, Self.topic(stream.name), "cdr", message.type, "ros2msg", message.definition))
    }
    if first {
      channels += [
        Self.channel(Self.events, "/sluice/events", "json", "sluice.Event", "jsonschema", Self.eventSchema),
        Self.channel(Self.losses, "/sluice/losses", "json", "sluice.Loss", "jsonschema", Self.lossSchema),
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

  /// The paths of messages, which viewers take apart, have no spaces.
  private static func topic(_ name: String) -> String {
    "/" + String(name.map { $0.isWhitespace || $0 == "." ? "_" : $0 })
  }

  private static func channel(
    _ id: Int, _ topic: String, _ encoding: String, _ name: String, _ schemaEncoding: String, _ schema: String
  ) -> JSON {
    .object([
      ("id", JSON(id)), ("topic", .string(topic)), ("encoding", .string(encoding)), ("schemaName", .string(name)),
      ("schemaEncoding", .string(schemaEncoding)), ("schema", .string(schema)),
    ])
  }

  private static let eventSchema = """
    {"type": "object", "properties": {"time_ns": {"type": "string"}, "kind": {"type": "string"}, \
    "text": {"type": "string"}}}
    """
  private static let lossSchema = """
    {"type": "object", "properties": {"reason": {"type": "string"}, "count": {"type": "integer"}, \
    "streams": {"type": "array", "items": {"type": "string"}}, "first_ns": {"type": "integer"}, \
    "last_ns": {"type": "integer"}}}
    """

  // MARK: The viewer

  var isWaiting: Bool { !subscriptions.isEmpty }

  func receive(_ message: [UInt8], isText: Bool) -> Bool {
    // Messages of a viewer that publishes are binary; nothing was offered for them.
    guard isText else { return false }
    guard JSONSyntax.fault(in: message) == nil,
      let request = try? JSONDecoder().decode(Request.self, from: Data(message))
    else { return true }
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
      if !isTaking, subscriptions.values.contains(where: { $0 <= messages.count }) { take() }
    case "unsubscribe":
      for id in request.subscriptionIds ?? [] { unsubscribe(id) }
      if isTaking, !subscriptions.values.contains(where: { $0 <= messages.count }) { leave() }
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
    guard texts.count < 1_024 else { return }
    texts.append(
      JSON.object([("op", .string("status")), ("level", JSON(level)), ("message", .string(sentence))]).text)
    line.want()
  }

  // MARK: Readings

  private func take() {
    isTaking = true
    watch.recording.readings.holding(4_096) { [weak self] count in self?.inbox.withLock { $0.missed += count } }
      .subscribe(Taker(self))
  }

  private func leave() {
    isTaking = false
    let former = inbox.withLock { inbox in
      defer { inbox = Inbox(missed: inbox.missed) }
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
      guard let session = session.value else { return subscription.cancel() }
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
      session.value?.inbox.withLock { ($0.subscription, $0.isOver) = (nil, true) }
    }
  }

  private final class Weak: @unchecked Sendable {
    // A weak reference is safe to read on any thread.
    weak var value: FoxgloveSession?
    init(_ value: FoxgloveSession) { self.value = value }
  }

  private func nextReading() -> Reading? {
    let (reading, more, subscription) = inbox.withLock { inbox -> (Reading?, Int, (any Subscription)?) in
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

  func tick() {
    let now = monotonicMilliseconds()
    guard now >= due else { return }
    due = now + 1_000
    advertise()
    let missed = inbox.withLock { inbox in
      defer { inbox.missed = 0 }
      return inbox.missed
    }
    if missed > 0 {
      missedSoFar += missed
      say(
        "\(grouped(missed)) readings were not sent, because this viewer takes them too slowly: "
          + "\(grouped(missedSoFar)) so far; the recording has them", level: 1)
    }
    if let ids = ofChannel[Self.losses], !ids.isEmpty {
      let losses = watch.account.losses
      for loss in losses where !lossesSent.contains(loss) { send(loss.json.text, ids) }
      lossesSent = losses
    }
    if !texts.isEmpty || !binaries.isEmpty { line.want() }
  }

  private func send(_ json: String, at time: Int64? = nil, _ ids: [UInt32]) {
    for id in ids {
      binaries.append(Self.message(id, time ?? watch.recording.clock.now, Array(json.utf8)))
      if binaries.count > 1_024 { binaries.removeFirst() }
    }
  }

  func next() -> WebSocketMessage? {
    if !texts.isEmpty { return .text(texts.removeFirst()) }
    let events = inbox.withLock { inbox in
      defer { inbox.events = [] }
      return inbox.events
    }
    if let ids = ofChannel[Self.events], !ids.isEmpty {
      for event in events { send(Self.json(event), at: event.time, ids) }
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
      for id in ids.dropFirst() { binaries.append(Self.message(id, reading.time, payload)) }
      return .binary(Self.message(first, reading.time, payload))
    }
    return nil
  }

  private static func json(_ event: RecordingEvent) -> String {
    var text = event.kind.text ?? ""
    if case .marked(let mark) = event.kind { text = mark }
    let kind = "\(event.kind)".prefix { $0 != "(" }
    return JSON.object([
      ("time_ns", .string("\(event.time)")), ("kind", .string(String(kind))), ("text", .string(text)),
    ]).text
  }

  /// A message of a subscription: the operation 1, the subscription, the time, and the payload, all little endian.
  private static func message(_ id: UInt32, _ time: Int64, _ payload: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = [1]
    bytes.reserveCapacity(13 + payload.count)
    withUnsafeBytes(of: id.littleEndian) { bytes.append(contentsOf: $0) }
    withUnsafeBytes(of: UInt64(max(0, time)).littleEndian) { bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: payload)
    return bytes
  }

  func end() {
    listening?.cancel()
    leave()
  }
}
