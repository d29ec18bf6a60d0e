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
    var scales: [[ScaledDouble]] = []
    var generation = 0
    var missed = 0
    /// The readings of streams that are not kept.
    var unkept = 0
    var range: ClosedRange<Int64>?
    var values = [Double](repeating: 0, count: Values.capacity)
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
    window: Int = 8 << 20, history: Int = 8 << 20, describe: @escaping @Sendable () -> [StreamDescription]
  ) {
    blocks = LiveBlocks(bytes: window)
    columnBytes = history
    self.describe = describe
  }

  // MARK: Readings

  /// Keeps readings.
  package func take(_ readings: ArraySlice<Reading>) {
    let most = readings.reduce(-1) { max($0, $1.stream == .none ? -1 : Int($1.stream.index)) }
    let isKnown = state.withLock { most < $0.streams.count || $0.streams.count >= Self.mostStreams }
    if !isKnown { addStreams() }
    state.withLock { state in
      state.generation &+= 1
      for reading in readings where reading.stream != .none { add(reading, &state) }
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
        let channels = min(stream.channels.count, Values.capacity)
        state.streams.append(LiveStream(channels: channels, columns: 8))
        state.scales.append(stream.channels.prefix(channels).map { ScaledDouble($0, of: stream) })
      }
      // Each stream has an equal share.
      for index in state.streams.indices {
        let share = columnBytes / max(1, state.streams.count)
        let bytes = LiveColumns.bytes(channels: state.streams[index].layout.channels)
        state.streams[index].history.limit(to: min(32_768, share / bytes))
      }
    }
  }

  private func add(_ reading: Reading, _ state: inout State) {
    let index = Int(reading.stream.index)
    guard index < state.streams.count else {
      state.unkept += 1
      return
    }
    let time = min(max(reading.time, -Self.lastTime), Self.lastTime)
    state.range = min(time, state.range?.lowerBound ?? time)...max(time, state.range?.upperBound ?? time)
    let scales = state.scales[index]
    for channel in scales.indices {
      state.values[channel] = channel < reading.values.count ? scales[channel](reading.values[channel]) : .nan
    }
    state.values.withUnsafeMutableBufferPointer { values in
      let block = state.streams[index].needsBlock ? freeBlock(&state.streams) : nil
      state.streams[index].add(time, reading.flags.rawValue, values, blocks, block: block)
    }
  }

  /// A block that is free, or else the oldest one of the stream that has the most.
  private func freeBlock(_ streams: inout [LiveStream]) -> Int? {
    if let block = blocks.take() { return block }
    guard let most = streams.indices.max(by: { streams[$0].blockCount < streams[$1].blockCount }) else { return nil }
    return streams[most].giveBlock()
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
    state.withLock { state in state.streams.map { ($0.received, $0.lastTime, $0.lastValues) } }
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
    let limit = Self.lastTime
    let range = min(max(range.lowerBound, -limit), limit)...min(max(range.upperBound, -limit), limit)
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
