import Sluice
import SluiceExtras
import SluiceReadings

/// What a full buffer drops.
package enum WhenFull: String, CaseIterable, Sendable {
  case dropOldest = "drop-oldest"
  case dropNewest = "drop-newest"
  case fail
}

/// Keeps readings while they cannot be written: so many of each stream.
package struct BufferStage: PipelineStage {
  package static let name = "buffer"

  package var size: Int
  package var whenFull: WhenFull

  package init(size: Int, whenFull: WhenFull = .dropOldest) {
    self.size = size
    self.whenFull = whenFull
  }

  package var settings: [(String, JSON?)] { [("size", JSON(size)), ("when_full", .string(whenFull.rawValue))] }
  package var capacity: Int { size }

  package func act(
    on readings: AnyPublisher<Reading, Never>, in context: StageContext
  ) -> AnyPublisher<Reading, Never> {
    guard size > 0 else { return readings }
    return readings.buffer(
      size: size, by: ReadingStamps(), prefetch: context.sourcesWait ? .keepFull : .byRequest,
      whenFull: whenFull == .dropOldest ? .dropOldest : .dropNewest,
      onDrop: { [isFailure = whenFull == .fail] in if $0.stream != .none { context.drop($0, isFailure) } },
      afterDrop: { if $0.stream != .none { context.flagGap(&$0) } }
    ).eraseToAnyPublisher()
  }
}
