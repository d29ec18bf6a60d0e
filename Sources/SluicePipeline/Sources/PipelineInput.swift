import Sluice
import SluiceReadings
import SluiceRecording
package import SluiceStages

/// What a pipeline reads: devices, or a trace that is replayed.
package enum PipelineInput {
  case devices([Source])
  case trace(Replay)

  /// The devices; empty for a trace.
  package var devices: [Source] { if case .devices(let sources) = self { sources } else { [] } }
  /// The trace; nil for devices.
  package var replay: Replay? { if case .trace(let replay) = self { replay } else { nil } }

  /// Whether readings come by the clock and do not wait for demand. Those of a trace wait.
  package var isLive: Bool { replay == nil }
  /// Whether readings wait for demand in all sources, so that a full buffer loses none.
  var sourcesWait: Bool { !isLive || (!devices.isEmpty && devices.allSatisfy(\.waits)) }
  /// Whether all readings are available at once.
  var isAtOnce: Bool { replay?.isAtOnce ?? false }

  /// The streams. Only a trace may have streams that come later.
  package var streams: InputStreams {
    switch self {
    case .devices(let sources): return InputStreams(sources.flatMap(\.streams))
    case .trace(let replay):
      var streams = InputStreams(replay.streams, more: replay.moreStreams)
      if !replay.marks.isEmpty { streams.marks = MarkTimes(replay.marks.map(\.time)) }
      streams.restarts = replay.restarts.map { restart in
        let numbers = replay.streams.indices.filter { restart.streams.contains(replay.streams[$0].name) }
        return InputStreams.Restart(ended: restart.ended, began: restart.began, streams: Set(numbers))
      }
      return streams
    }
  }

  /// By stream, whether its values are whole numbers before offset and scale. A trace may hold any decimal.
  var isWhole: [Bool] {
    switch self {
    case .devices(let sources): sources.flatMap { source in source.streams.map { _ in source.isWhole } }
    case .trace(let replay): replay.streams.map { _ in false }
    }
  }

  /// The largest possible number of streams.
  var capacity: Int {
    switch self {
    case .devices(let sources): sources.reduce(0) { $0 + $1.streams.count }
    case .trace(let replay): replay.moreStreams == nil ? replay.streams.count : TraceReader.limit
    }
  }

  /// The least coverage of the losses before the pipeline.
  var lossCoverage: LossCoverage {
    replay?.lossCoverage ?? devices.map(\.lossCoverage).min() ?? .all
  }

  /// The streams whose losses would not show, if losses of other streams would.
  var unseen: [String] {
    let blind = devices.filter { $0.lossCoverage == .none }
    return blind.count == devices.count ? [] : blind.flatMap(\.streams).map(\.name)
  }

  /// Ends the streams where that can be done.
  func finish() {
    replay?.finish()
    for source in devices { source.finish?() }
  }
}
