#if SLUICE_MQTT
  import CMosquitto
  package import SluiceReadings
  package import SluiceRecording
  import SluiceSystem

  /// What a broker says that it can do.
  package struct MQTTLimits: Equatable, Sendable {
    /// The most messages that may be without an answer.
    package var receiveMaximum = 65_535
    /// The largest packet in bytes; nil if it says none.
    package var maximumPacket: Int?
    package var topicAliases = 0
    package var retains = true
    /// 2 is "exactly once", 0 is without acknowledgement.
    package var maximumQuality = 2

    package init() {}
  }

  /// A message that has come from a broker.
  package struct MQTTMessage: Equatable, Sendable {
    package var topic: String
    package var bytes: [UInt8]
    package var isRetained = false
    package var contentType: String?
    package var properties: [String: String] = [:]

    package init(topic: String, bytes: [UInt8]) { (self.topic, self.bytes) = (topic, bytes) }
  }

  /// What has come over a connection.
  package enum MQTTEvent: Equatable, Sendable {
    case connected(MQTTReason, MQTTLimits)
    case published(Int, MQTTReason)
    case subscribed(MQTTReason)
    case received(MQTTMessage)
    case ended(MQTTReason)
  }

  /// A connection to a broker, from its beginning to its end. One thread uses it; others may ``wake()`` it.
  package final class MQTTClient: @unchecked Sendable {
    // Only `wake` is called by other threads, and it writes to a descriptor.

    package struct Will: Equatable, Sendable {
      package var topic: String
      package var text: String
      package var isRetained: Bool
    }

    private let address: MQTTAddress
    @exclusivity(unchecked) private var handle: OpaquePointer?
    private var events: [MQTTEvent] = []

    /// The library, and its version.
    package static var library: String { "libmosquitto \(String(cString: cmosquitto_version()))" }

    /// Seconds after which a broker that says nothing is asked whether it is there.
    static let keepAlive: Int32 = 15

    /// - Parameters:
    ///   - session: For how many seconds the broker keeps what comes for this client while it is away.
    ///   - mostBytes: The largest packet that the broker may send to this client, with a session; 0 for any.
    /// - Throws: If the library cannot be loaded, if the secrets cannot be read, or if a certificate cannot be used.
    package init(
      _ address: MQTTAddress, _ settings: ServerSettings, client: String, will: Will?, session: UInt32 = 0,
      mostBytes: UInt32 = 0
    ) throws(SluiceError) {
      self.address = address
      let login = try Self.login(settings, for: address)
      try TLSFiles.check(settings)
      let texts = [
        client, address.host, login?.user, login?.password, settings.authorities, settings.certificate, settings.key,
        will?.topic, will?.text,
      ].map { $0.map { strdup($0) } }
      defer {
        for text in texts { free(text ?? nil) }
      }
      func pointer(_ place: Int) -> UnsafePointer<CChar>? { texts[place].flatMap { $0 }.map { UnsafePointer($0) } }
      var made = cmosquitto_settings()
      (made.session_seconds, made.maximum_packet) = (session, mostBytes)
      made.version = settings.mqttVersion == .v5 ? 5 : 4
      (made.client, made.host, made.port) = (pointer(0), pointer(1), Int32(address.port))
      (made.user, made.password) = (pointer(2), pointer(3))
      (made.authorities, made.certificate, made.key) = (pointer(4), pointer(5), pointer(6))
      (made.is_encrypted, made.keep_alive) = (address.isEncrypted ? 1 : 0, Self.keepAlive)
      (made.will_topic, made.will, made.will_is_retained) = (pointer(7), pointer(8), will?.isRetained ?? false ? 1 : 0)
      var (code, words): (Int32, UnsafePointer<CChar>?) = (0, nil)
      let context = Unmanaged.passUnretained(self).toOpaque()
      handle = cmosquitto_open(&made, { MQTTClient.see($0, $1) }, context, &code, &words)
      guard handle == nil else { return }
      guard code == 0 else { throw MQTTFailure(code: Int(code)).error(address) }
      throw SluiceError(
        .unsupported, "send to", address.text,
        because: "libmosquitto cannot be loaded (\(words.map { String(cString: $0) } ?? ""))",
        remedy: "install or upgrade it with apt install libmosquitto1")
    }

    deinit { close() }

    package func close() {
      if let handle { cmosquitto_close(handle) }
      handle = nil
    }

    /// The user and the password.
    package static func login(
      _ settings: ServerSettings, for address: MQTTAddress
    ) throws(SluiceError) -> (user: String, password: String)? {
      guard try Credentials.areFor(address.text, settings, { address.isCalled($0) }) else { return nil }
      guard let login = try Credentials.secret(settings.loginFile, SecretVariables.login, "login-file") else {
        return nil
      }
      guard let colon = login.firstIndex(of: ":") else {
        throw SluiceError(
          .malformed, "use", settings.loginFile ?? SecretVariables.login, because: "it has no colon",
          remedy: "write USER:PASSWORD there")
      }
      if settings.secretsFor == nil, !settings.isOnlyServer {
        throw SluiceError(
          .usage, "send to", address.text, because: "there are several servers, and each of them would get the login",
          remedy: "say whose it is: --server secrets-for=HOST; the others then get none")
      }
      return (String(login[..<colon]), String(login[login.index(after: colon)...]))
    }

    // MARK: The connection

    package func connect() throws(SluiceError) { try check(handle.map { cmosquitto_connect($0) }) }

    /// Waits for the broker, at most so many nanoseconds.
    /// - Returns: What has come, also together with an error, which ends the connection.
    package func step(_ nanoseconds: Int64) -> (events: [MQTTEvent], fault: SluiceError?) {
      let milliseconds = Int32(clamping: (max(0, nanoseconds) + 999_999) / 1_000_000)
      let code = handle.map { cmosquitto_step($0, milliseconds) } ?? cmosquitto_closed_error
      let error = errno
      defer { events.removeAll(keepingCapacity: true) }
      return (events, code == 0 ? nil : fault(code, error))
    }

    /// Ends a ``step(_:)`` that waits. Any thread may call it, before ``close()``.
    package func wake() {
      if let handle { cmosquitto_wake(handle) }
    }

    /// - Returns: The number of the message, until it is acknowledged; nil if it is larger than the broker takes.
    package func publish(
      _ topic: String, _ bytes: UnsafeRawBufferPointer, retained: Bool = false, contentType: String? = nil,
      properties: [(String, String)] = []
    ) throws(SluiceError) -> Int? {
      let texts = ([topic, contentType] + properties.flatMap { [$0.0, $0.1] }).map { $0.map { strdup($0) } }
      defer {
        for text in texts { free(text ?? nil) }
      }
      func pointer(_ place: Int) -> UnsafePointer<CChar>? { texts[place].flatMap { $0 }.map { UnsafePointer($0) } }
      let pairs = properties.indices.map {
        cmosquitto_property(name: pointer(2 + 2 * $0), value: pointer(3 + 2 * $0))
      }
      var number: Int32 = 0
      let code = pairs.withUnsafeBufferPointer { pairs -> Int32? in
        var message = cmosquitto_message()
        (message.topic, message.content_type) = (pointer(0), pointer(1))
        (message.bytes, message.length) = (bytes.baseAddress, bytes.count)
        message.is_retained = retained ? 1 : 0
        (message.properties, message.property_count) = (pairs.baseAddress, pairs.count)
        return handle.map { cmosquitto_publish($0, &message, &number) }
      }
      if code == cmosquitto_size_error { return nil }
      try check(code)
      return Int(number)
    }

    package func subscribe(_ topics: String) throws(SluiceError) {
      var number: Int32 = 0
      try check(handle.map { cmosquitto_subscribe($0, topics, &number) })
    }

    /// Says good-bye, so that the broker does not publish the will.
    package func disconnect() {
      if let handle { _ = cmosquitto_disconnect(handle) }
    }

    package var tls: String { handle.map { String(cString: cmosquitto_tls($0)) } ?? "" }
    package var peer: String { handle.map { String(cString: cmosquitto_peer($0)) } ?? "" }

    private func check(_ code: Int32?) throws(SluiceError) {
      let error = errno
      let code = code ?? cmosquitto_closed_error
      if code != 0 { throw fault(code, error) }
    }

    private func fault(_ code: Int32, _ errno: Int32) -> SluiceError {
      var failure = MQTTFailure(code: Int(code), errno: errno)
      if let handle {
        failure.logged = String(cString: cmosquitto_logged(handle))
        failure.verification = cmosquitto_verification(handle)
      }
      return failure.error(address)
    }

    // MARK: What comes

    private static func see(_ context: UnsafeMutableRawPointer?, _ event: UnsafePointer<cmosquitto_event>?) {
      guard let context, let event = event?.pointee else { return }
      let client = Unmanaged<MQTTClient>.fromOpaque(context).takeUnretainedValue()
      let reason = MQTTReason(Int(event.code), event.words.map { String(cString: $0) } ?? "")
      switch event.kind {
      case cmosquitto_connected:
        var limits = MQTTLimits()
        limits.receiveMaximum = Int(event.receive_maximum)
        limits.maximumPacket = event.maximum_packet > 0 ? Int(clamping: event.maximum_packet) : nil
        (limits.topicAliases, limits.retains) = (Int(event.topic_aliases), event.retains != 0)
        limits.maximumQuality = Int(event.maximum_quality)
        client.events.append(.connected(reason, limits))
      case cmosquitto_published: client.events.append(.published(Int(event.number), reason))
      case cmosquitto_subscribed: client.events.append(.subscribed(reason))
      case cmosquitto_disconnected: client.events.append(.ended(reason))
      case cmosquitto_received:
        if let message = event.message?.pointee { client.events.append(.received(Self.message(message))) }
      default: break
      }
    }

    private static func message(_ message: cmosquitto_message) -> MQTTMessage {
      var made = MQTTMessage(
        topic: message.topic.map { String(cString: $0) } ?? "",
        bytes: Array(UnsafeRawBufferPointer(start: message.bytes, count: message.bytes == nil ? 0 : message.length)))
      made.isRetained = message.is_retained != 0
      made.contentType = message.content_type.map { String(cString: $0) }
      for property in UnsafeBufferPointer(start: message.properties, count: message.property_count) {
        guard let name = property.name, let value = property.value else { continue }
        made.properties[String(cString: name)] = String(cString: value)
      }
      return made
    }
  }
#endif
