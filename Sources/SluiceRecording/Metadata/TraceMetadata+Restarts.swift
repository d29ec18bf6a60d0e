package import SluiceReadings

extension TraceMetadata {
  /// A time between two runs of a recording. Nobody knows what happened in it.
  public struct Restart: Hashable, Sendable, Codable {
    /// The end of the earlier run; nil if that run was cut off.
    public var ended: Int64?
    /// The start of the later run.
    public var began: Int64
    /// The streams that were recorded.
    public var streams: [String]

    /// The time without a recording, in nanoseconds; nil if it is not known, as after the clock was set back.
    public var length: UInt64? {
      guard let ended, ended <= began else { return nil }
      return UInt64(bitPattern: began &- ended)
    }

    /// Whether the stream was recorded. A trace without a readable row lists none.
    package func isOf(_ stream: String) -> Bool { streams.isEmpty || streams.contains { $0.isExactly(stream) } }

    package init(ended: Int64?, began: Int64, streams: [String]) {
      self.ended = ended
      self.began = began
      self.streams = streams
    }

    private enum CodingKeys: String, CodingKey {
      case ended = "ended_ns"
      case began = "began_ns"
      case streams
    }

    public init(from decoder: any Decoder) throws {
      let members = try decoder.container(keyedBy: CodingKeys.self)
      ended = try members.decodeIfPresent(Int64.self, forKey: .ended)
      began = try members.decode(Int64.self, forKey: .began)
      streams = try members.decodeIfPresent([String].self, forKey: .streams) ?? []
    }
  }

  /// The reason of a loss by restarts.
  package static let restartReason = "restarts (nothing recorded in between)"

  /// The restart between two runs; nil if there is no earlier run, if the later one is a replay, or if they are parts of
  /// one run. Of earlier rows without metadata, or from a replay, nobody knows when they were recorded.
  package static func restart(
    from earlier: Run?, to later: Run?, _ streams: [StreamDescription]?, _ times: TraceTimes
  ) -> Restart? {
    guard let earlier, let after = later?.clocks, after.offset != nil, let began = after.began,
      began != earlier.clocks?.began
    else { return nil }
    func corrected(_ time: Int64, _ clocks: Clocks) -> Int64 {
      times == .corrected ? ClockCorrection(clocks).corrected(time) : time
    }
    return Restart(
      ended: earlier.clocks.flatMap { before in
        before.offset == nil ? nil : before.ended.map { corrected($0, before) }
      },
      began: corrected(began, after),
      streams: (streams ?? []).map(\.name))
  }

  /// For each run after the first, whether it was a restart. The others are listed.
  var areRestarts: [Bool] {
    zip(runs, runs.dropFirst()).map { Self.restart(from: $0, to: $1, nil, .recorded) != nil }
  }

  /// Adds restarts, and the loss that they are: what happened in between is not counted anywhere.
  mutating func add(_ more: [Restart]) {
    guard !more.isEmpty else { return }
    for restart in more {
      // The files of a folder have the same runs, and each lists its own streams.
      if let same = restarts.firstIndex(where: { $0.began == restart.began }) {
        restarts[same].streams = Self.distinct(restarts[same].streams + restart.streams)
      } else {
        restarts.append(restart)
      }
    }
    losses =
      (losses ?? []).filter { $0.reason != Self.restartReason } + [
        Loss(
          streams: Self.distinct(restarts.flatMap(\.streams)), reason: Self.restartReason, count: restarts.count,
          first: restarts.first.map { $0.ended ?? $0.began }, last: restarts.last?.began, countsReadings: false,
          isUncounted: true)
      ]
  }

  private static func distinct(_ names: [String]) -> [String] {
    var seen: Set<ExactName> = []
    return names.filter { seen.insert(ExactName($0)).inserted }
  }
}
