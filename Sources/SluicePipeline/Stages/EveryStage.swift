import Sluice
import SluiceReadings
package import SluiceStages

/// Passes every Nth reading of each stream, from the first on.
package struct EveryStage: RecordingStage {
  package static let name = "every"
  package static let leavesOut = true
  package static let word: StageWord? = StageWord(
    "every", "N",
    "Let through every Nth reading of each stream, beginning with the first.",
    why: { _ in "N is a whole number, 1 or more" }
  ) { text in
    Int(text).flatMap { $0 > 0 ? Self($0) : nil }
  }
  package static let settings = Settings<Self>(.required("count", \.count, .count(1...))) { Self($0) }

  package var count: Int

  /// - Parameter count: 1 or more.
  package init(_ count: Int) { self.count = max(1, count) }

  package func prepared(for inputs: InputStreams) -> PreparedStage {
    PreparedStage(streams: inputs) { readings, context in
      Deferred { [count] in
        var left: [Int] = []  // by stream, the number to leave out before the next reading passes
        var flags: [Reading.Flags] = []  // by stream, the gaps before its next reading
        return readings.compactMap { reading in
          // A reading of no stream shows its time to the stages after this one.
          guard reading.stream != .none else { return reading }
          let stream = Int(reading.stream.index)
          while left.count <= stream {
            left.append(0)
            flags.append([])
          }
          guard left[stream] > 0 else {
            left[stream] = count - 1
            guard !flags[stream].isEmpty else { return reading }
            var first = reading
            first.flags.formUnion(flags[stream])
            flags[stream] = []
            return first
          }
          left[stream] -= 1
          flags[stream].formUnion(reading.flags.intersection([.gapBefore, .restart]))
          context.leaveOut(reading)
          return nil
        }
      }.eraseToAnyPublisher()
    }
  }
}

extension StagePlan {
  /// Passes every Nth reading of each stream, from the first on.
  /// - Parameter count: N, 1 or more; 1 passes all of them.
  public static func every(_ count: Int) -> StagePlan { StagePlan(EveryStage(count)) }
}
