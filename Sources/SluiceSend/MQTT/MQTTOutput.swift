#if SLUICE_MQTT
  import Sluice
  import SluiceLog
  package import SluiceReadings
  package import SluiceRecording
  import SluiceSystem

  /// An output that is a broker of MQTT: `mqtt://HOST/TOPIC`.
  package struct MQTTOutput: OutputKind {
    package let address: String
    package var format: String? { CSVFormat.name }

    package init?(_ address: String) {
      guard MQTTAddress.isAddress(address) else { return nil }
      self.address = address
    }

    package func check() throws(SluiceError) { _ = try MQTTAddress(address) }

    package func claim(
      _ output: RecordingOutput, number: Int, for streams: [StreamDescription], _ claims: inout OutputClaims
    ) throws(SluiceError) -> [ClaimedStore] {
      let broker = try MQTTAddress(address)
      try check(output, streams)
      let surroundings = claims.servers
      // A missing library, or a file that cannot be read, is known before the first reading.
      _ = try MQTTClient(broker, surroundings.settings, client: "sluice", will: nil)
      let changed: @Sendable (OutputEvent) -> Void = { surroundings.changed(number, $0) }
      let sending = try ServerSending(
        to: address, streams, raw: output.raw, decimals: output.style.decimals, surroundings, claims.disk,
        identity: .current
      ) { described, numbers in
        MQTTTransport(
          broker, surroundings.settings, described, numbers, announces: true,
          clockError: surroundings.isLive ? surroundings.clockError : nil, DispatchWorkQueue("sluice.mqtt"), changed)
      }
      let sender = sending.sender
      sender.happened = changed
      let store = ServerStore(
        sender, to: address, folder: sending.folder, waits: !surroundings.isLive, groupsStreams: true,
        faults: sending.faults,
        changed)
      let claim = ServerClaim(name: address) { sender.stop() }
      claims.add(claim)
      return [ClaimedStore(store, claim)]
    }

    /// A spool keeps neither the form of times nor that of headers, so a reading that is sent again would look different.
    private func check(_ output: RecordingOutput, _ streams: [StreamDescription]) throws(SluiceError) {
      guard output.style.time == .nanoseconds, !output.style.headerUnits else {
        throw SluiceError(
          .unsupported, "send to", address, because: "its rows have times in nanoseconds, and units stand beside them",
          remedy: "leave out --time and --header-units for it")
      }
      let layout = CSVFormat(layout: .wide)
      var owners: [ExactName: String] = [:]
      for stream in streams {
        // A message has the columns of one stream.
        try layout.check([stream], of: address, output.style)
        let level = MQTTTopics.level(stream.name)
        if let other = owners.updateValue(stream.name, forKey: ExactName(level)), !other.isExactly(stream.name) {
          throw SluiceError(
            .usage, "send to", address, because: "two streams would have the topic \(level)",
            remedy: "give a source another name")
        }
      }
    }
  }
#endif
