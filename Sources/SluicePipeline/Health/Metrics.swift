import SluiceReadings
import SluiceRecording

/// The account of a recording in the text format of Prometheus: counts, and never values of readings, because a
/// scrape sees one of thousands.
package struct Metrics {
  package private(set) var text = ""

  /// The figures that only a server for viewers knows.
  package struct Viewers {
    package var open: Int
    package var missed: Int

    package init(open: Int, missed: Int) { (self.open, self.missed) = (open, missed) }
  }

  /// - Parameters:
  ///   - ages: For each stream, the seconds since its last reading; nil if it has none.
  ///   - health: The problems of the recording; nil if nobody watches its health.
  package init(
    _ account: Account, _ standing: RecordingStanding, _ ages: [(name: String, age: Double?)],
    viewers: Viewers? = nil, health: [HealthFinding]? = nil, version: String
  ) {
    family(
      "sluice_info", "gauge", "The version of sluice, and what it does.",
      [
        ([("version", version), ("command", account.command.rawValue)], "1")
      ])
    family("sluice_running_seconds", "gauge", "Seconds since the start.", [([], "\(account.seconds)")])
    family("sluice_paused", "gauge", "Whether the recording is paused.", [([], standing.isPaused ? "1" : "0")])
    count("received", "Readings received.", account) { $0.received }
    count("dropped", "Readings that a full buffer dropped.", account) { $0.dropped }
    count("suppressed", "Readings that stages left out.", account) { $0.suppressed }
    count("discarded", "Readings that pauses discarded.", account) { $0.discarded }
    family(
      "sluice_outputs_written_readings_total", "counter",
      "Readings written, by output, with those that wait for a full disk.", outputs(account) { $0.written })
    family(
      "sluice_outputs_waiting_readings", "gauge", "Readings that wait for a full disk, by output.",
      account.outputs.enumerated().map { ([("output", $1.output)], "\(standing.written($0).waiting ?? 0)") })
    family(
      "sluice_outputs_held_readings", "gauge", "Readings that wait in a spill, by output.",
      account.outputs.compactMap { output in
        output.spill.map { ([("output", output.output)], "\($0.held)") }
      })
    family(
      "sluice_outputs_safe_readings_total", "counter", "Readings written and forced to the disk, by output.",
      outputs(account) { $0.synced })
    family(
      "sluice_outputs_dropped_readings_total", "counter", "Readings dropped in front of an output.",
      outputs(account) { $0.dropped })
    family(
      "sluice_outputs_failed", "gauge", "Whether an output has ended with an error.",
      account.outputs.map { ([("output", $0.output)], $0.error == nil ? "0" : "1") })
    family(
      "sluice_lost_total", "counter", "Losses in front of the recording, by cause.",
      account.losses.filter { !$0.isRecorded }.map {
        ([("cause", $0.reason), ("streams", $0.streams.joined(separator: ","))], "\($0.count)")
      })
    family(
      "sluice_errors_total", "counter", "Errors of sources and outputs.", [([], "\(account.errors.count)")])
    if let fill = standing.fill {
      family(
        "sluice_buffer_fill_ratio", "gauge", "The used part of the buffer.", [([], "\(Double(fill) / 100)")])
    }
    family(
      "sluice_last_reading_age_seconds", "gauge", "Seconds since the time of the last reading.",
      ages.compactMap { stream in
        stream.age.map { ([("stream", stream.name)], "\(max(0, $0))") }
      })
    if let viewers {
      family("sluice_viewers", "gauge", "Open connections of viewers.", [([], "\(viewers.open)")])
      family(
        "sluice_viewers_missed_readings_total", "counter", "Readings that the memory for viewers has not got.",
        [([], "\(viewers.missed)")])
    }
    guard let health else { return }
    family(
      "sluice_health", "gauge", "0 if all is well, 1 if somebody should look, 2 if readings are not recorded or kept.",
      [([], "\(health.status)")])
    family(
      // The sentences are left out, because they change, and each would be a series of its own. The worst finding of a
      // topic comes first.
      "sluice_health_finding", "gauge", "What is not well: 1 or 2, by topic.",
      health.map { ([("topic", $0.topic)], "\($0.level.rawValue)") })
  }

  private mutating func count(_ name: String, _ help: String, _ account: Account, _ count: (StreamAccount) -> Int) {
    family(
      "sluice_\(name)_readings_total", "counter", help,
      account.streams.map { ([("stream", $0.input ?? $0.stream)], "\(count($0))") })
  }

  private func outputs(_ account: Account, _ count: (OutputCount) -> Int) -> [([(String, String)], String)] {
    account.outputs.map { output in
      ([("output", output.output), ("format", output.format)], "\(output.streams.reduce(0) { $0 + count($1) })")
    }
  }

  private mutating func family(
    _ name: String, _ type: String, _ help: String, _ samples: [(labels: [(String, String)], value: String)]
  ) {
    guard !samples.isEmpty else { return }
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    // Two streams may have the same name, but a sample must not occur twice.
    var taken: Set<String> = []
    for sample in samples {
      let labels = sample.labels.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }.joined(separator: ",")
      guard taken.insert(labels).inserted else { continue }
      text += name + (labels.isEmpty ? "" : "{\(labels)}") + " \(sample.value)\n"
    }
  }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\\\"
      case "\"": escaped += "\\\""
      case "\n": escaped += "\\n"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
