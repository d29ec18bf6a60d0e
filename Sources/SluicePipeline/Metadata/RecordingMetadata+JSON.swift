package import SluiceReadings
package import SluiceRecording

/// The JSON is documented in docs/Metadata.md. Members are added, never renamed.
///
/// It uses W3C's Metadata Vocabulary for Tabular Data. The standard allows other properties if their names are absolute
/// URLs, or have a prefix from a fixed list. `sluice:` is not in that list: a reader takes it for a URI scheme.
extension RecordingMetadata {
  /// The document of one file.
  /// - Parameters:
  ///   - outcome: The outcome; nil at the start of the run.
  ///   - earlier: The metadata of earlier rows in the file.
  package func document(
    of output: OutputFiles.Described, _ outcome: Outcome?, earlier: EarlierMetadata? = nil
  ) -> JSON {
    let file = output.file
    let described = Array(streams[file.streams])
    // The values of a trace may already be scaled.
    let isRaw = output.raw && !described.contains(where: \.isScaled)
    var members: [(String, JSON)] = [
      ("@context", .string("http://www.w3.org/ns/csvw")),
      ("url", .string(Self.url(ofFile: file.path))),
    ]
    if let layout = file.format.layout {
      let schema = TableSchema(
        layout, described, isWhole: Array(isWhole[file.streams]), raw: isRaw, style: output.style)
      members.append(("tableSchema", schema.json))
    }
    members += [
      ("sluice:format", .string(type(of: file.format).name)),
      ("sluice:version", .string(version)),
      ("sluice:state", .string(isFinished(output.output, outcome) ? "finished" : "unfinished")),
    ]
    if let part = output.part { members.append(("sluice:part", JSON(part))) }
    // Without metadata, the origin of a trace's values is not known.
    if trace == nil || trace?.values != nil {
      members.append(("sluice:values", .string(isRaw ? "raw" : "scaled")))
    }
    if output.style.time != .nanoseconds {
      members.append(("sluice:time", .string(output.style.time.rawValue)))
      if let zero = output.style.first.time { members.append(("sluice:time_zero_ns", .number("\(zero)"))) }
    }
    if let decimals = output.style.decimals { members.append(("sluice:decimals", JSON(decimals))) }
    members += [
      ("sluice:streams", .array(described.map(Self.json))),
      ("sluice:pipeline", pipeline),
      ("sluice:clocks", clocks(outcome?.ended)),
      ("sluice:host", hostJSON),
    ]
    if let notes = plan?.notes, !notes.isEmpty {
      members.append(
        ("sluice:meta", .array(notes.map { own([("key", .string($0.key)), ("value", .string($0.value))]) })))
    }
    if let trace {
      members.append(
        (
          "sluice:trace",
          own([
            ("file", trace.file.map { .string($0) }),
            ("files", trace.files.map { .array($0.map { .string($0) }) }),
            ("state", trace.state.map { .string($0.rawValue) }),
            ("errors", trace.errors.isEmpty ? nil : .array(trace.errors.map { .string($0) })),
          ])
        ))
    }
    if let byte = earlier?.beganAtByte { members.append(("sluice:began_at_byte", .number("\(byte)"))) }
    if let runs = earlier?.runs, runs > 0 { members.append(("sluice:earlier_runs", JSON(runs))) }
    if earlier?.hasUndescribedRows ?? false { members.append(("sluice:undescribed_rows", .bool(true))) }
    if let outcome {
      members += result(of: file.streams, in: output.output, outcome)
    } else {
      // Known from the beginning, and needed if the run is killed.
      members += restarts(of: file.streams)
    }
    let names = Set(described.map { ExactName($0.name) })
    let totals = (outcome?.totals ?? totals).filter { names.contains(ExactName($0.stream)) }
    if !totals.isEmpty { members.append(("sluice:totals", .array(totals.map(Self.json)))) }
    return .object(members)
  }

  /// Whether the file is complete. An abandoned file may have a torn last row, and more rows than its account has. If
  /// an error has ended a trace, no output has the rest of its rows.
  private func isFinished(_ output: Int, _ outcome: Outcome?) -> Bool {
    guard let outcome, !outcome.isTraceCutShort else { return false }
    let abandoned = outcome.abandoned
    return !(abandoned.indices.contains(output) && abandoned[output])
  }

  /// The relative URL of a file in the same folder.
  private static func url(ofFile path: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return percentEncoded(name) { "-._~!$&'()*+,;=@".utf8.contains($0) }
  }

  // MARK: Settings

  private static func json(_ stream: StreamDescription) -> JSON {
    own([
      ("name", .string(stream.name)),
      ("columns", stream.hasForeignColumns ? .string("channel") : nil),
      ("device", stream.device.flatMap { $0 == StreamDescription.Device() ? nil : json($0) }),
      (
        "channels",
        .array(
          stream.channels.map { channel in
            own([
              ("name", .string(channel.name)), ("unit", channel.unit.map { .string($0) }),
              ("format", channel.format.map { .string($0) }), ("scale", .number(channel.scale.description)),
              ("offset", .number(channel.offset.description)),
            ])
          })
      ),
    ])
  }

  private static func json(_ device: StreamDescription.Device) -> JSON {
    own([
      ("path", device.path.map { .string($0) }), ("bus", device.bus.map { .string($0) }),
      ("label", device.label.map { .string($0) }), ("name", device.name.map { .string($0) }),
    ])
  }

  private var pipeline: JSON {
    own([
      ("command", .string(command)), ("arguments", .array(arguments.map { .string($0) })),
      // The plan is a string. As an object, each of its members would need the prefix, so it would not be a plan any
      // more.
      ("plan", plan.map { .string($0.json.text) }),
    ])
  }

  private func clocks(_ ended: Instant?) -> JSON {
    own([
      ("began_ns", .number("\(began.time)")), ("ended_ns", ended.map { .number("\($0.time)") }),
      ("monotonic_to_epoch_ns", trace == nil ? .number("\(began.monotonicOffset)") : nil),
      ("monotonic_to_epoch_at_end_ns", trace == nil ? ended.map { .number("\($0.monotonicOffset)") } : nil),
      ("synchronised", trace == nil ? began.isSynchronised.map { .bool($0) } : nil),
      ("changes", clockChanges.count > 0 ? .array(clockChanges.first.map(Self.json)) : nil),
      ("changes_count", clockChanges.count > clockChanges.first.count ? JSON(clockChanges.count) : nil),
    ])
  }

  private static func json(_ change: TraceMetadata.ClockChange) -> JSON {
    own([
      ("at_ns", .number("\(change.time)")), ("cause", .string(change.cause.rawValue)),
      ("monotonic_to_epoch_ns", .number("\(change.offset)")),
      ("suspended_ns", change.suspended.map { .number("\($0)") }),
    ])
  }

  private var hostJSON: JSON {
    own([
      ("name", .string(host.name)), ("system", .string(host.system)), ("release", .string(host.release)),
      ("machine", .string(host.machine)),
    ])
  }

  // MARK: Outcome

  private func result(of range: Range<Int>, in output: Int, _ outcome: Outcome) -> [(String, JSON)] {
    let names = Set(streams[range].map { ExactName($0.name) })
    // A trace without a readable row has no stream.
    let losses = outcome.losses.filter {
      $0.count > 0 && ($0.streams.isEmpty || !names.isDisjoint(with: $0.streams.map(ExactName.init)))
    }
    var members: [(String, JSON)] = [
      ("sluice:account_version", JSON(Account.version)),
      ("sluice:ledger", .array(outcome.accounts[output][range].map(Self.accounted))),
      ("sluice:losses", .array(losses.map(Self.accounted))),
    ]
    if let coverage = outcome.coverage { members.append(("sluice:losses_shown", .string(coverage.rawValue))) }
    members += [
      ("sluice:gap_before", flagged(\.gapBefore, range, outcome)),
      ("sluice:initial_level", flagged(\.initialLevel, range, outcome)),
      ("sluice:late", flagged(\.late, range, outcome)),
      (
        "sluice:pauses",
        .array(
          outcome.pauses.map { pause in
            own([("from_ns", .number("\(pause.from)")), ("to_ns", pause.to.map { .number("\($0)") })])
          })
      ),
    ]
    members += restarts(of: range)
    members += [
      ("sluice:times_limit", JSON(FlaggedReadings.limit)),
      ("sluice:errors", .array(outcome.errors.map { .string($0.description) })),
    ]
    return members
  }

  /// The restarts of these streams, in no or one member.
  private func restarts(of range: Range<Int>) -> [(String, JSON)] {
    let names = Set(streams[range].map { ExactName($0.name) })
    let restarts = restarts.filter {
      $0.streams.isEmpty || !names.isDisjoint(with: $0.streams.map(ExactName.init))
    }
    guard !restarts.isEmpty else { return [] }
    return [
      (
        "sluice:restarts",
        .array(
          restarts.map { restart in
            own([
              ("ended_ns", restart.ended.map { .number("\($0)") }), ("began_ns", .number("\(restart.began)")),
              ("streams", .array(restart.streams.map { .string($0) })),
            ])
          })
      )
    ]
  }

  private static func json(_ total: TraceMetadata.Total) -> JSON {
    own([
      ("stream", .string(total.stream)),
      (
        "values",
        .array(
          total.values.filter { !$0.value.isMissing }.sorted { $0.key < $1.key }.map { channel, value in
            own([("channel", .string(channel)), ("value", .number(value.description))])
          })
      ),
      ("at_least", total.isAtLeast ? .bool(true) : nil), ("goes_on", total.goesOn ? .bool(true) : nil),
    ])
  }

  /// An encoded part of the account, with our prefix.
  private static func accounted(_ value: some Encodable) -> JSON {
    // Encoding an account cannot fail.
    ((try? JSON(encoding: value)) ?? .null).prefixed("sluice:")
  }

  private func flagged(
    _ flag: KeyPath<StreamFlags, FlaggedReadings>, _ range: Range<Int>, _ outcome: Outcome
  ) -> JSON {
    let found = range.map { (streams[$0].name, outcome.flagged[$0][keyPath: flag]) }.filter { $0.1.count > 0 }
    return .array(
      found.map { name, times in
        own([
          ("stream", .string(name)), ("count", JSON(times.count)),
          ("times_ns", .array(times.times.map { .number("\($0)") })),
        ])
      })
  }
}

/// An object with our prefix. A nil value has no member.
private func own(_ members: [(String, JSON?)]) -> JSON {
  .object(members.compactMap { name, value in value.map { ("sluice:" + name, $0) } })
}
