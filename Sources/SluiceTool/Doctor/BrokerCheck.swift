#if SLUICE_MQTT
  import SluiceAnalysis
  import SluicePipeline
  import SluiceReadings
  import SluiceRecording
  import SluiceSend

  /// Checks that a broker of MQTT answers, who it is, what it can do, and as far as it says so, whether this board may publish.
  enum BrokerCheck {
    static let name = "broker"

    static func isBroker(_ address: String) -> Bool { MQTTAddress.isAddress(address) }

    /// - Parameter writes: Whether an empty message is published.
    static func findings(_ address: String, _ plan: SendingPlan, writes: Bool) throws(SluiceError) -> [Finding] {
      let probe = try MQTTProbe(address, plan.serverSettings, publishes: writes) {
        SystemClocks().monotonic
      }
      return findings(probe)
    }

    static func findings(_ probe: MQTTProbe) -> [Finding] {
      let place = "\(probe.address.host), port \(probe.address.port)"
      if let fault = probe.fault {
        return [.problem(name, fault.cause, fault.remedy ?? "see whether the address is right")]
      }
      let line = probe.tls.isEmpty ? "without TLS" : "with \(probe.tls), and its certificate is right"
      var findings = [
        Finding.ok(name, "\(place) answers at \(probe.peer) \(line) (\(probe.library))"),
        .ok(name, "it is \(who(probe)), lets this board in, and speaks MQTT \(probe.version.rawValue)"),
      ]
      if probe.version == .v5 {
        findings.append(.ok(name, limits(probe.limits)))
      } else {
        findings.append(
          .warning(
            name, "in MQTT 3.1.1 a broker acknowledges even what it throws away, and messages have no sequence numbers",
            "leave out --server mqtt=3.1.1 if the broker speaks MQTT 5"))
      }
      if probe.limits.maximumQuality == 0 {
        findings.append(.problem(name, "it acknowledges no messages", "take another broker"))
      }
      findings.append(permission(probe))
      findings.append(.ok(name, "its acknowledgement: \(probe.worth)"))
      return findings
    }

    private static func who(_ probe: MQTTProbe) -> String {
      switch probe.kind {
      case .mosquitto(let version): "mosquitto \(version)"
      case .other(let version?): version
      case .other(nil): "a broker that does not say its name"
      }
    }

    private static func limits(_ limits: MQTTLimits) -> String {
      let packet = limits.maximumPacket.map { "packets of at most \(grouped($0)) bytes" } ?? "packets of any size"
      return
        "it takes \(grouped(limits.receiveMaximum)) message\(limits.receiveMaximum == 1 ? "" : "s") at a time, \(packet), "
        + "\(grouped(limits.topicAliases)) topic aliases, and keeps \(limits.retains ? "metadata and state" : "no messages")"
    }

    private static func permission(_ probe: MQTTProbe) -> Finding {
      if let refusal = probe.refusal {
        return .problem(name, refusal.cause, refusal.remedy ?? "see the access list of the broker")
      }
      guard let (topic, reason) = probe.probe else {
        return .ok(
          name,
          "whether this board may publish to \(probe.address.topic)/… only a message shows: --probe sends an empty one")
      }
      return reason.isUnheard
        ? .warning(
          name, "it has taken the empty message to \(topic), and nobody has subscribed to it",
          "subscribe before the recording: what nobody has subscribed to is not kept")
        : .ok(name, "it has taken the empty message to \(topic)")
    }
  }
#endif
