#if SLUICE_MQTT
  package import SluiceReadings
  package import SluiceRecording
  import SluiceSystem

  /// What a broker says about itself, and whether it lets this board in. Nothing is published, unless an empty message is asked
  /// for.
  package struct MQTTProbe {
    /// What is known of a broker's acknowledgement.
    package enum Kind: Equatable, Sendable { case mosquitto(version: String), other(version: String?) }

    package let address: MQTTAddress
    /// Why there is no connection; nil if there is one.
    package private(set) var fault: SluiceError?
    /// The version of TLS; empty without it.
    package private(set) var tls = ""
    package private(set) var peer = ""
    package private(set) var limits = MQTTLimits()
    package private(set) var kind = Kind.other(version: nil)
    /// The topic of the empty message, and the answer to it; nil if none was asked for, or if there was no answer.
    package private(set) var probe: (topic: String, reason: MQTTReason)?
    package let version: ServerSettings.MQTTVersion
    package let library: String

    /// The topic below which a broker says what it is. That of mosquitto is a convention, which others have taken over.
    private static let versionTopic = "$SYS/broker/version"
    private static let second: Int64 = 1_000_000_000

    /// - Parameters:
    ///   - publishes: Whether an empty message is published to `TOPIC/BOARD/probe`.
    ///   - now: Nanoseconds of a clock that runs on.
    package init(
      _ text: String, _ settings: ServerSettings, publishes: Bool, now: () -> Int64
    ) throws(SluiceError) {
      address = try MQTTAddress(text)
      version = settings.mqttVersion
      let name = "doctor" + BoardIdentity.current.epoch().prefix(17)
      let client = try MQTTClient(address, settings, client: name, will: nil)
      library = MQTTClient.library
      defer { client.close() }
      do throws(SluiceError) {
        try client.connect()
        try waitForAnswer(client, until: now() + 10 * Self.second, now)
        let topics = MQTTTopics(address.topic, board: settings.board ?? BoardIdentity.current.name)
        try see(client, publishes ? topics.probe : nil, now)
      } catch {
        fault = error
      }
      (tls, peer) = (client.tls, client.peer)
    }

    /// Waits until the broker lets this board in.
    private mutating func waitForAnswer(_ client: MQTTClient, until end: Int64, _ now: () -> Int64) throws(SluiceError)
    {
      while true {
        let (events, fault) = client.step(end - now())
        for event in events {
          switch event {
          case .connected(let reason, let limits):
            guard reason.code == 0 else { throw reason.connectionError(for: address) }
            self.limits = limits
            return
          case .ended(let reason): throw reason.connectionError(for: address)
          case .published, .subscribed, .received: break
          }
        }
        if let fault { throw fault }
        guard now() < end else {
          throw SluiceError(.disconnected, "send to", address.text, because: "the broker does not answer")
        }
      }
    }

    /// Asks who it is, and publishes the empty message.
    private mutating func see(_ client: MQTTClient, _ topic: String?, _ now: () -> Int64) throws(SluiceError) {
      try client.subscribe(Self.versionTopic)
      var number: Int?
      if let topic { number = try client.publish(topic, UnsafeRawBufferPointer(start: nil, count: 0)) }
      // A retained message comes at once behind the answer; a broker that has none says nothing more.
      var end = now() + 2 * Self.second
      var (isSubscribed, isKnown) = (false, false)
      while now() < end, !isKnown || (topic != nil && probe == nil) {
        let (events, fault) = client.step(end - now())
        for event in events {
          switch event {
          case .subscribed where !isSubscribed:
            isSubscribed = true
            if topic == nil { end = min(end, now() + Self.second / 2) }
          case .received(let message) where message.topic == Self.versionTopic:
            isKnown = true
            kind = Self.kind(String(decoding: message.bytes.prefix(100), as: UTF8.self))
          case .published(let answered, let reason) where answered == number:
            if let topic { probe = (topic, reason) }
          case .ended(let reason): throw reason.connectionError(for: address)
          default: break
          }
        }
        // mosquitto ends the connection after a message that it refuses.
        if fault != nil, probe != nil { return }
        if let fault { throw fault }
      }
      client.disconnect()
      _ = client.step(0)
    }

    private static func kind(_ text: String) -> Kind {
      let shown = String(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7f }.map(Character.init))
      let words = shown.split(separator: " ")
      if words.first == "mosquitto", let version = words.last { return .mosquitto(version: String(version)) }
      return .other(version: shown)
    }

    /// Why the empty message was refused; nil if it was not, or if there was none.
    package var refusal: SluiceError? {
      guard let probe, !probe.reason.isSuccess else { return nil }
      switch probe.reason.meaning(for: probe.topic, of: address) {
      case .wait(let error, _), .refused(let error), .tooLarge(let error), .stop(let error): return error
      case .acknowledged: return nil
      }
    }

    /// What the acknowledgement of this broker is worth. Only what was measured is said.
    package var worth: String {
      switch kind {
      case .mosquitto:
        "it has the message in memory, until autosave_interval (30 min if not set) writes it; if it is killed before, the "
          + "message is lost, and sluice resend sends it again"
      case .other: "what it is worth if the broker is killed is not known; sluice resend sends readings again"
      }
    }
  }
#endif
