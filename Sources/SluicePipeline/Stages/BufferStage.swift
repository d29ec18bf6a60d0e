import Sluice
import SluiceExtras
package import SluiceReadings
package import SluiceStages

/// The policy for a reading that arrives at a full buffer.
///
/// ```swift
/// let stages: [StagePlan] = [.buffer(1_000, whenFull: .fail)]
/// ```
public enum WhenFull: String, CaseIterable, Sendable {
  /// The oldest reading of the stream is dropped and counted.
  case dropOldest = "drop-oldest"
  /// The new reading is dropped and counted.
  case dropNewest = "drop-newest"
  /// The recording ends with an error; the readings in the buffer are written.
  case fail
  /// Readings go to a log on the disk, in their order, until the output takes them (``SpillPlan``). If the log takes no
  /// more, the oldest readings in memory are dropped.
  case spill
}

/// Buffers readings while the outputs cannot write: up to a number per stream, or up to 8 MB for all streams together.
package struct BufferStage: RecordingStage {
  package static let name = "buffer"
  package static let settings = Settings<Self>(
    .optional("size", \.size, readings(from: 0))
      .option(
        "N",
        "Keep up to N readings per stream while they cannot be written; 0 for none. (default: what 8 MB hold when recording, none when replaying)",
        named: "buffer"),
    .optional("when-full", \.whenFull, .choice).option("What a full buffer does. (default: drop-oldest)")
  ) { Self() }

  /// A number of readings of each stream.
  static func readings(from least: Int) -> Form<Int> {
    Form(.wholeNumber(from: least)) { node throws(Fault) in
      let size = try node.number(least...)
      if size > largest {
        throw node.fault(" takes at most \(grouped(largest)) readings of each stream, not \(size)")
      }
      return size
    } json: {
      JSON($0)
    }.explaining("a whole number of \(least) or more")
  }

  /// Readings per stream; nil for the number that fits ``BufferSize/budget``, which ``sized(for:)`` computes from the
  /// streams.
  package var size: Int?
  package var whenFull: WhenFull

  /// No machine has memory for more.
  package static let largest = 1_000_000_000

  package init(size: Int? = nil, whenFull: WhenFull = .dropOldest) {
    self.size = size
    self.whenFull = whenFull
  }

  package var capacity: Int { size ?? 0 }

  package var conflict: (key: String?, sentence: String)? {
    guard size == 0, whenFull != .dropOldest else { return nil }
    return ("when-full", " says what a full buffer does, but size 0 means no buffer; leave out one of them")
  }

  /// The memory for the buffer, if a size was given.
  package func notice(for streams: [StreamDescription]) -> String? {
    guard let size, size > 0, !streams.isEmpty else { return nil }
    return BufferSize(size, for: streams, budget: nil).text(streams: streams.count)
  }

  package func sized(for streams: [StreamDescription]) -> BufferStage {
    let readings = BufferSize(size, for: streams, budget: BufferSize.budget).readings
    return BufferStage(size: readings, whenFull: whenFull)
  }

  package func prepared(for inputs: InputStreams) -> PreparedStage {
    PreparedStage(streams: inputs) { readings, context in
      guard let size, size > 0 else { return readings }
      return readings.buffer(
        size: size, by: ReadingStamps(), prefetch: context.sourcesWait ? .keepFull : .byRequest,
        whenFull: whenFull == .dropNewest || whenFull == .fail ? .dropNewest : .dropOldest,
        onDrop: { [failing = whenFull == .fail ? size : nil] in if $0.stream != .none { context.drop($0, failing) } },
        afterDrop: { if $0.stream != .none { context.flagGap(&$0) } }
      ).eraseToAnyPublisher()
    }
  }
}

extension StagePlan {
  /// Buffers readings while the outputs cannot write. A recording without a buffer loses readings while it is paused.
  /// - Parameters:
  ///   - size: Readings per stream, 0 or more; nil for the number that fits 8 MB for all streams together.
  ///   - whenFull: The policy for a reading that arrives at a full buffer.
  public static func buffer(_ size: Int? = nil, whenFull: WhenFull = .dropOldest) -> StagePlan {
    StagePlan(BufferStage(size: size, whenFull: whenFull))
  }
}
