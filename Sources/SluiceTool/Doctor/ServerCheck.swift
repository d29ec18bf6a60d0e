#if SLUICE_CURL
  import SluiceAnalysis
  import SluicePipeline
  import SluiceReadings
  import SluiceSend

  /// Checks that a server answers, who it is, and whether it lets this board write.
  enum ServerCheck {
    static let name = "server"

    /// - Parameter writes: Whether a marked point is written.
    static func findings(_ address: String, _ plan: SendingPlan, writes: Bool) throws(SluiceError) -> [Finding] {
      let probe = try HTTPProbe(
        address, plan.serverSettings, point: writes ? plan.board ?? "doctor" : nil,
        at: SystemClocks().realtime)
      return findings(probe, writes: writes)
    }

    static func findings(_ probe: HTTPProbe, writes: Bool) -> [Finding] {
      let place = "\(probe.address.host), port \(probe.address.port)"
      guard probe.greeting.failure == nil else {
        return [problem(probe.fault, "\(place) does not answer")]
      }
      let line = probe.address.isEncrypted ? "with TLS, and its certificate is right" : "without TLS"
      var findings = [
        Finding.ok(name, "\(place) answers at \(probe.greeting.ip) \(line) (\(probe.library))"),
        .ok(name, "it is \(who(probe))"),
      ]
      if let fault = probe.fault {
        findings.append(problem(fault, "it does not take readings"))
      } else {
        findings.append(
          .ok(
            name, writes ? "it has taken the point sluice_probe" : "it lets this board write to \(probe.address.path)"))
      }
      findings.append(.ok(name, "its acknowledgement: \(probe.worth)"))
      return findings
    }

    private static func who(_ probe: HTTPProbe) -> String {
      switch probe.kind {
      case .influx(let version): "InfluxDB \(version)"
      case .victoriaMetrics: "VictoriaMetrics"
      case .other: probe.greeting.server.isEmpty ? "a server that does not say its name" : probe.greeting.server
      }
    }

    private static func problem(_ fault: SluiceError?, _ otherwise: String) -> Finding {
      .problem(name, fault?.cause ?? otherwise, fault?.remedy ?? "see whether the address is right")
    }
  }
#endif
