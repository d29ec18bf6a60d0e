import SluiceAnalysis
import SluicePipeline
import SluiceReadings
import SluiceRecording

extension TraceInfo {
  /// The output of `sluice info --json`; see docs/Info.md.
  func json(_ shown: DistributionsShown = DistributionsShown()) throws(SluiceError) -> JSON {
    let histograms = try shown.histograms(of: self)
    return Self.object([
      ("trace", .string(path)), ("readings", JSON(readings)),
      ("first_ns", times.map { .number("\($0.lowerBound)") }), ("last_ns", times.map { .number("\($0.upperBound)") }),
      ("state", metadata?.state.map { .string($0.rawValue) }),
      (
        "running",
        running.map { running in
          Self.object([
            ("process", running.process.map { .number("\($0)") }), ("since_ns", running.since.map { .number("\($0)") }),
          ])
        }
      ),
      ("clocks", clocks),
      ("uncertain_times", uncertainTimes > 0 ? JSON(uncertainTimes) : nil),
      ("possible_duplicates", possibleDuplicates > 0 ? JSON(possibleDuplicates) : nil),
      ("uncertain_levels", uncertainLevels > 0 ? JSON(uncertainLevels) : nil),
      ("missed", metadata.flatMap { $0.isCutOff ? nil : JSON($0.missed) }),
      (
        "restarts",
        metadata.map { metadata in
          .array(
            metadata.restarts.map {
              Self.object([("ended_ns", $0.ended.map { .number("\($0)") }), ("began_ns", .number("\($0.began)"))])
            })
        }
      ),
      (
        "marks",
        (metadata?.marks).flatMap { marks in
          marks.isEmpty
            ? nil
            : .array(marks.map { Self.object([("at_ns", .number("\($0.time)")), ("text", .string($0.text))]) })
        }
      ),
      ("totals", (metadata?.totals).flatMap { $0.isEmpty ? nil : .array($0.map(Self.json)) }),
      ("streams", .array(streams.map { Self.json($0, shown) })),
      ("histograms", shown.histograms.isEmpty ? nil : .array(histograms.map(Self.json))),
      ("notes", .array(notes.map { .string($0) })),
      ("error", error.map { .string($0.description) }),
    ])
  }

  /// The clock of each run, as far as its metadata has it; nil if no run of a recording has one.
  private var clocks: JSON? {
    let runs = (metadata?.runs ?? []).compactMap(\.clocks).filter { $0.offset != nil }
    return runs.isEmpty ? nil : .array(runs.map(Self.json))
  }

  private static func json(_ clocks: TraceMetadata.Clocks) -> JSON {
    func number(_ value: Int64?) -> JSON? { value.map { .number("\($0)") } }
    let excesses = clocks.excesses.map {
      object([("from_ns", number($0.from)), ("to_ns", number($0.to)), ("max_error_ns", number($0.greatest))])
    }
    return object([
      ("began_ns", number(clocks.began)), ("ended_ns", number(clocks.ended)),
      ("synchronised", clocks.isSynchronised.map { .bool($0) }),
      ("max_error_ns", number(clocks.errors?.greatest)), ("estimated_error_ns", number(clocks.errors?.estimated)),
      ("max_error_at_end_ns", number(clocks.errorsAtEnd?.greatest)),
      ("estimated_error_at_end_ns", number(clocks.errorsAtEnd?.estimated)),
      ("above_max_error", excesses.isEmpty ? nil : .array(excesses)),
      ("above_max_error_count", clocks.excessCount > excesses.count ? JSON(clocks.excessCount) : nil),
    ])
  }

  private static func json(_ stream: StreamStatistics, _ shown: DistributionsShown) -> JSON {
    let regular = stream.isLine ? nil : stream.intervals.regular
    let isEmpty = stream.count == 0
    return object([
      ("name", .string(stream.description.name)), ("readings", JSON(stream.count)),
      ("first_ns", isEmpty ? nil : .number("\(stream.first)")), ("last_ns", isEmpty ? nil : .number("\(stream.last)")),
      ("interval_ns", regular.map { .number("\($0.interval)") }),
      ("jitter_ns", regular.map { .number("\($0.jitter)") }),
      ("gaps", regular.map { JSON($0.gaps) }), ("missing", regular.map { JSON($0.missing) }),
      ("flagged_gaps", JSON(stream.flagged)), ("steps_back", JSON(stream.stepsBack)),
      ("windows", stream.windows > 0 ? JSON(stream.windows) : nil),
      ("longest", .array(longest(stream).map(json))),
      (
        "intervals",
        shown.intervals ? .array((stream.distributions?.intervals ?? []).map { json($0, shown.tolerance) }) : nil
      ),
      ("high_ns", stream.isLine ? .number("\(stream.high)") : nil),
      (
        "channels",
        .array(
          zip(stream.description.channels, stream.channels).enumerated().map { index, pair in
            let (channel, values) = pair
            let scaled = ScaledStatistics(values, channel, isScaled: stream.description.isScaled)
            return object([
              ("name", .string(channel.name)), ("unit", channel.unit.map { .string($0) }),
              ("min", scaled.smallest.map { .number($0) }), ("mean", scaled.mean.map { .number("\($0)") }),
              ("max", scaled.largest.map { .number($0) }), ("missing", JSON(values.missing)),
              ("percentiles", shown.percentiles ? percentiles(stream.distributions?.values[index]) : nil),
            ])
          })
      ),
    ])
  }

  private static func json(_ total: TraceMetadata.Total) -> JSON {
    object([
      ("stream", .string(total.stream)),
      (
        "values",
        .object(
          total.values.filter { !$0.value.isMissing }.sorted { $0.key < $1.key }.map {
            ($0.key, .number($0.value.description))
          })
      ),
      ("at_least", .bool(total.isAtLeast)),
    ])
  }

  static func json(_ interval: Intervals.Long) -> JSON {
    object([
      ("after_reading", JSON(interval.reading)), ("at_ns", .number("\(interval.time)")),
      ("length_ns", .number("\(interval.length)")),
    ])
  }

  /// The longest gaps in the order of time, if the stream has a fixed rate.
  static func longest(_ stream: StreamStatistics) -> [Intervals.Long] {
    guard !stream.isLine, let regular = stream.intervals.regular else { return [] }
    return stream.intervals.longest.filter { Double($0.length) > regular.limit }.sorted { $0.reading < $1.reading }
  }

  /// An unknown value has no member.
  static func object(_ members: [(String, JSON?)]) -> JSON {
    .object(members.compactMap { name, value in value.map { (name, $0) } })
  }
}
