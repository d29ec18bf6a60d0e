import Sluice
package import SluiceReadings

/// The readings of a recording for whoever looks at them while it runs, in memory of a fixed size that all share.
///
/// The last readings are there one by one. Older ones are there as columns with minimum, maximum, first, last and count,
/// whose width doubles when the memory for them is full: so the whole recording can be seen, and no spike is lost.
package final class LiveReadings: @unchecked Sendable {
  // `state` has its lock; the rest does not change after `init`.

  /// The largest number of streams that are kept. Those that come later are only counted.
  package static let mostStreams = 1_024
  /// Times are kept until 2079: twice a time can be added, and a column can begin after each.
  package static let lastTime: Int64 = 3 << 60

  private struct State {
    var streams: [LiveStream] = []
    var generation = 0
    var missed = 0
    /// The readings of streams that are not kept.
    var unkept = 0
    var range: ClosedRange<Int64>?
  }

  private let state = Locked(State())
  private let blocks: LiveBlocks
  private let columnBytes: Int
  private let describe: @Sendable () -> [StreamDescription]

  /// - Parameters:
  ///   - window: The bytes for the last readings.
  ///   - history: The bytes for the columns.
  ///   - describe: Gives the streams so far. It is called again when a reading of another stream comes.
  package init(
    window: Int = 6 << 20, history: Int = 3 << 20, describe: @escaping @Sendable () -> [StreamDescription]
  ) {
    blocks = LiveBlocks(bytes: window)
    columnBytes = history
    self.describe = describe
  }

  /// A time that is kept: of wrong ones, the nearest.
  static func bounded(_ time: Int64) -> Int64 { min(max(time, -lastTime), lastTime) }

  // MARK: Readings

  /// Keeps readings.
  package func take(_ readings: ArraySlice<Reading>) {
    let most = readings.reduce(-1) { max($0, $1.stream == .none ? -1 : Int($1.stream.index)) }
    let isKnown = state.withLock { most < $0.streams.count || $0.streams.count >= Self.mostStreams }
    if !isKnown { addStreams() }
    state.withLock { state in
      state.generation &+= 1
      readings.withUnsafeBufferPointer { readings in
        readings.forEachStream { stream, readings in
          if stream != .none { add(readings, to: Int(stream.index), &state) }
        }
      }
    }
  }

  /// Notes readings that never came here.
  package func miss(_ count: Int) {
    state.withLock { state in
      state.missed += count
      state.generation &+= 1
    }
  }

  /// Says that something else than readings has changed.
  package func touch() { state.withLock { $0.generation &+= 1 } }

  private func addStreams() {
    let streams = describe()
    state.withLock { state in
      for stream in streams.dropFirst(state.streams.count).prefix(Self.mostStreams - state.streams.count) {
        let channels = stream.channels.prefix(Values.capacity)
        state.streams.append(LiveStream(channels.map { ScaledDouble($0, of: stream) }, columns: 8))
      }
      // Each stream has an equal share.
      for index in state.streams.indices {
        let share = columnBytes / max(1, state.streams.count)
        let bytes = LiveColumns.bytes(channels: state.streams[index].layout.channels)
        state.streams[index].history.limit(to: min(32_768, share / bytes))
      }
    }
  }

  private func add(_ readings: UnsafeBufferPointer<Reading>, to stream: Int, _ state: inout State) {
    guard stream < state.streams.count else {
      state.unkept += readings.count
      return
    }
    var begin = 0
    while begin < readings.count {
      let block = state.streams[stream].needsBlock ? freeBlock(&state.streams) : nil
      let taken = state.streams[stream].take(
        UnsafeBufferPointer(rebasing: readings[begin...]), blocks, block: block)
      begin += taken.count
      state.range =
        min(
          taken.times.lowerBound, state.range?.lowerBound ?? .max)...max(
          taken.times.upperBound, state.range?.upperBound ?? .min)
    }
  }

  /// A block that is free, or else the oldest one of the stream that has the most.
  private func freeBlock(_ streams: inout [LiveStream]) -> Int? {
    if let block = blocks.take() { return block }
    guard let most = streams.indices.max(by: { streams[$0].blockCount < streams[$1].blockCount }) else { return nil }
    return streams[most].giveBlock(blocks)
  }

  // MARK: Looking

  /// A number that grows with each change.
  package var generation: Int { state.withLock { $0.generation } }

  /// The first and the last time of all readings; nil before the first reading.
  package var range: ClosedRange<Int64>? { state.withLock { $0.range } }

  /// The readings that never came here, because the reader was too slow for them.
  package var missed: Int { state.withLock { $0.missed } }

  package var streamCount: Int { state.withLock { $0.streams.count } }

  /// The newest readings of all streams: how many there were, the time and the values of the last one.
  package var newest: [(received: Int, time: Int64?, values: [Double])] {
    state.withLock { state in state.streams.map { ($0.received, $0.lastTime, $0.lastValues(blocks)) } }
  }

  /// The columns of a stream in a range of time, and the nearest ones before and after it.
  /// - Parameters:
  ///   - range: Nanoseconds since 1970.
  ///   - power: A column is 2 to this power nanoseconds wide: column `n` begins `n` widths after 1970. A column that is
  ///     older than the last readings may be wider. It has the number of the column with its first reading, and its
  ///     times say how far it goes.
  /// - Returns: Nil for a stream that is not there.
  package func columns(of stream: Int, _ range: ClosedRange<Int64>, power: Int) -> LiveColumns? {
    let power = min(max(power, 0), 60)
    let range = Self.bounded(range.lowerBound)...Self.bounded(range.upperBound)
    return state.withLock { state in
      guard state.streams.indices.contains(stream) else { return nil }
      return state.streams[stream].columns(range, power: power, blocks)
    }
  }

  /// The time from which on each reading of a stream can be had alone.
  package func exactFrom(_ stream: Int) -> Int64? {
    state.withLock { state in state.streams.indices.contains(stream) ? state.streams[stream].exactFrom : nil }
  }
}
