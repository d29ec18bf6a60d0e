#if SLUICE_MQTT
  package import SluiceReadings

  /// The address of a broker and the topic below which readings are published: `mqtt://HOST:PORT/TOPIC`.
  package struct MQTTAddress: Equatable, Sendable {
    /// As it was given.
    package let text: String
    package let isEncrypted: Bool
    package let host: String
    package let port: Int
    /// Without a slash at its beginning or end.
    package let topic: String

    package static func isAddress(_ text: String) -> Bool {
      let scheme = text.prefix(8).lowercased()
      return scheme.hasPrefix("mqtt://") || scheme == "mqtts://"
    }

    /// - Parameter filters: Whether the topic may have the wildcards `+` and `#`.
    /// - Throws: If it cannot be right: a password, no topic, a wildcard.
    package init(_ text: String, filters: Bool = false) throws(SluiceError) {
      self.text = text
      isEncrypted = text.prefix(8).lowercased() == "mqtts://"
      let action = filters ? "read from" : "send to"
      // The error may be shown, so it has no password.
      func fault(_ cause: String, _ remedy: String, _ shown: String? = nil) -> SluiceError {
        SluiceError(.usage, action, shown ?? HTTPServerAddress.withoutSecrets(text), because: cause, remedy: remedy)
      }
      guard Self.isAddress(text) else {
        throw fault("it does not begin with mqtt:// or mqtts://", "write mqtt://HOST:PORT/TOPIC")
      }
      let rest = text.dropFirst(isEncrypted ? 8 : 7)
      let end = rest.firstIndex(of: "/") ?? rest.endIndex
      let authority = rest[..<end]
      let scheme = isEncrypted ? "mqtts://" : "mqtt://"
      if let sign = authority.lastIndex(of: "@") {
        throw fault(
          "an address with a password would be in the list of processes, in plans and in messages",
          "leave it out, and give --server login-file=FILE, or the variable SLUICE_LOGIN",
          "\(scheme)…@\(authority[authority.index(after: sign)...])")
      }
      guard let (host, port) = HTTPServerAddress.split(authority, standard: isEncrypted ? 8_883 : 1_883) else {
        throw fault("it has no host, or no right port", "write \(scheme)HOST:PORT/TOPIC")
      }
      guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
        throw fault(
          "it has a space, or a character that is not ASCII",
          "take a topic of letters, digits, and - . _ / between them")
      }
      guard !HTTPServerAddress.isStrangeNumber(host) else {
        throw fault(HTTPServerAddress.strangeNumber, HTTPServerAddress.plainNumber)
      }
      let topic = String(rest[end...].dropFirst())
      (self.host, self.port) = (host, port)
      self.topic = topic.hasSuffix("/") ? String(topic.dropLast()) : topic
      let levels = self.topic.split(separator: "/", omittingEmptySubsequences: false)
      guard !self.topic.isEmpty else {
        throw fault(
          "it does not say the topic", "write \(scheme)\(authority)/TOPIC, such as \(scheme)\(authority)/plant")
      }
      guard levels.allSatisfy({ !$0.isEmpty }) else {
        throw fault("its topic has an empty level", "leave out the slash that is too much")
      }
      guard self.topic.utf8.count <= Self.longest else {
        throw fault("its topic has more than \(Self.longest) bytes", "take a shorter one")
      }
      guard !self.topic.contains("?") else {
        throw fault("it has a ?, and settings are not in the address", "give them with --server KEY=VALUE")
      }
      guard self.topic.first != "$" else {
        throw fault("topics that begin with $ are those of the broker", "take another topic")
      }
      try Self.check(levels, filters: filters, fault)
    }

    /// Whether this is the broker with a name: its host, or its host and port, perhaps with `mqtt://` or `mqtts://` before it.
    func isCalled(_ name: String) -> Bool {
      HTTPServerAddress.isCalled(name, isEncrypted ? "mqtts://" : "mqtt://", host, port)
    }

    private static func check(
      _ levels: [Substring], filters: Bool, _ fault: (String, String, String?) -> SluiceError
    ) throws(SluiceError) {
      guard filters else {
        if levels.contains(where: { $0.contains("#") || $0.contains("+") }) {
          throw fault("nothing can be published to a topic with + or #", "give the topic below which readings go", nil)
        }
        return
      }
      for (place, level) in levels.enumerated() {
        let isWhole = level == "#" && place == levels.count - 1 || level == "+"
        if !isWhole, level.contains("#") || level.contains("+") {
          throw fault("+ stands for a whole level, and # for all levels at the end", "write it as in plant/#", nil)
        }
      }
    }

    /// Topics have 65,535 bytes at most, with the names of board and stream.
    private static let longest = 16_384
  }
#endif
