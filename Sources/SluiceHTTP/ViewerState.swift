import SluiceLive
import SluicePipeline
import SluiceReadings
import SluiceRecording

/// What a page shows besides its charts, as JSON.
struct ViewerState {
  /// The marks, pauses and losses that are sent, the newest ones.
  static let most = 1_000

  private let watch: RecordingWatch
  private let isControlled: Bool

  init(_ watch: RecordingWatch, isControlled: Bool) { (self.watch, self.isControlled) = (watch, isControlled) }

  /// - Parameter describes: Whether streams are described, not only counted.
  func json(describes: Bool) -> JSON {
    let (account, standing) = (watch.account, watch.standing)
    let range = watch.live.range
    let newest = watch.live.newest
    let streams = watch.recording.streams
    return .object([
      ("is", .string("state")),
      ("command", .string(account.command.rawValue)),
      ("now", .string("\(watch.recording.clock.now)")),
      ("seconds", .number("\(account.seconds)")),
      ("received", JSON(account.received)), ("written", JSON(account.written)), ("lost", JSON(standing.lost)),
      ("lossesShow", .bool(standing.lossesShow)),
      ("fill", JSON(standing.fill)), ("isPaused", .bool(standing.isPaused)), ("control", .bool(isControlled)),
      ("marks", marks), ("pauses", pauses), ("losses", losses(account)),
      ("range", range.map { .array([.string("\($0.lowerBound)"), .string("\($0.upperBound)")]) } ?? .null),
      ("missed", JSON(watch.live.missed)),
      ("unkept", JSON(max(0, streams.count - LiveReadings.mostStreams))),
      ("newest", .array(newest.map(Self.newest))),
      ("dropped", .array(account.streams.prefix(newest.count).map { JSON($0.dropped) })),
      ("streams", describes ? .array(streams.prefix(LiveReadings.mostStreams).map(Self.description)) : .null),
      ("outputs", .array(account.outputs.enumerated().map { Self.output($1, standing.written($0)) })), ("files", files),
      ("errors", .array(account.errors.suffix(20).map { .string($0) })),
    ])
  }

  private var marks: JSON {
    .array(
      watch.recording.marks.suffix(Self.most).map { .array([.string("\($0.time)"), .string($0.text)]) })
  }

  private var pauses: JSON {
    .array(
      watch.recording.pauses.suffix(Self.most).map { pause in
        .array([.string("\(pause.from)"), pause.to.map { .string("\($0)") } ?? .null])
      })
  }

  private func losses(_ account: Account) -> JSON {
    .array(
      account.losses.suffix(Self.most).map { loss in
        .object([
          ("reason", .string(loss.reason)), ("count", JSON(loss.count)),
          ("streams", .array(loss.streams.map { .string($0) })),
          ("first", loss.first.map { .string("\($0)") } ?? .null),
          ("last", loss.last.map { .string("\($0)") } ?? .null),
        ])
      })
  }

  private var files: JSON {
    .array(
      watch.files.suffix(200).map { file in .object([("number", JSON(file.number)), ("name", .string(file.name))]) })
  }

  private static func newest(_ stream: (received: Int, time: Int64?, values: [Double])) -> JSON {
    .array([
      JSON(stream.received), stream.time.map { .string("\($0)") } ?? .null,
      .array(stream.values.map { $0.isFinite ? .number("\($0)") : .null }),
    ])
  }

  private static func description(_ stream: StreamDescription) -> JSON {
    .object([
      ("name", .string(stream.name)),
      (
        "channels",
        .array(
          stream.channels.prefix(Values.capacity).map { channel in
            .object([
              ("name", .string(channel.name)), ("unit", JSON(channel.unit)),
              ("isLevel", .bool(channel.format == StreamDescription.Channel.level)),
            ])
          })
      ),
    ])
  }

  private static func output(_ output: OutputAccount, _ written: (count: Int, waiting: Int?)) -> JSON {
    .object([
      ("name", .string(outputTitle(output.output))), ("format", .string(output.format)),
      ("written", JSON(written.count)), ("waiting", JSON(written.waiting)),
      ("held", JSON(output.spill?.held)), ("queued", JSON(output.sending?.queued)),
      ("safe", JSON(output.streams.reduce(0) { $0 + $1.synced })),
      ("dropped", JSON(output.dropped + output.unwritten)), ("ended", JSON(output.error ?? output.ended)),
    ])
  }
}
