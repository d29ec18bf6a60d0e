import SluiceAnalysis
import SluiceReadings

/// The streams of a running recording, in bounded memory.
struct LiveStreams: Sendable {
  /// The channels that are shown. Each takes about 2 kB; a recording may have far more.
  static let most = 1_024

  private(set) var streams: [LiveStream] = []
  /// The number of all streams, with those that are not shown.
  private(set) var known = 0
  /// The readings that came faster than they could be looked at.
  private(set) var missed = 0
  private(set) var times: ClosedRange<Int64>?
  private var channels = 0
  private var drawn = 0
  /// The width of a chart in dots.
  private let dots: Int

  init(dots: Int) { self.dots = dots }

  /// The number of streams that are not shown.
  var more: Int { known - streams.count }

  mutating func describe(_ descriptions: [StreamDescription]) {
    for (index, description) in descriptions.prefix(streams.count).enumerated() { streams[index].describe(description) }
    known = max(known, descriptions.count)
    for description in descriptions.dropFirst(streams.count) {
      channels += description.channels.count
      guard channels <= Self.most else { return }
      streams.append(LiveStream(description))
      drawn += description.channels.count
      if drawn <= PlotFeed.channels { streams[streams.count - 1].draw(dots: dots) }
    }
  }

  mutating func add(_ readings: ArraySlice<Reading>) {
    readings.withUnsafeBufferPointer { readings in
      guard let first = readings.baseAddress else { return }
      for index in 0..<readings.count {
        let (stream, time) = (Int(first[index].stream.index), first[index].time)
        if let old = times {
          if time > old.upperBound { times = old.lowerBound...time }
          if time < old.lowerBound { times = time...old.upperBound }
        } else {
          times = time...time
        }
        if stream < streams.count { streams[stream].add(first + index) }
      }
    }
  }

  mutating func miss(_ count: Int) { missed += count }

  /// Lets the last minute of every stream end at a time.
  mutating func advance(to time: Int64) {
    for index in streams.indices { streams[index].advance(toTime: time) }
  }

  /// Begins to keep what a chart of a stream needs, if it does not.
  mutating func draw(_ stream: Int) { if streams.indices.contains(stream) { streams[stream].draw(dots: dots) } }
}
