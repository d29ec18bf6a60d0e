import SluiceAnalysis
import SluiceReadings

/// One stream while it runs: its channels, its rate, and what a chart of it needs.
struct LiveStream: Sendable {
  private(set) var description: StreamDescription
  private(set) var channels: [LiveChannel]
  private(set) var count = 0
  /// The times of the first and the latest reading.
  private(set) var times: ClosedRange<Int64>?
  /// The readings of each half second.
  private var counts = [Int](repeating: 0, count: LiveMinute.count)
  private var minute = LiveMinute()
  /// Nil for a stream that is not drawn.
  private(set) var feed: PlotFeed?

  init(_ description: StreamDescription) {
    self.description = description
    channels = description.channels.map { LiveChannel(description, $0) }
  }

  /// Begins to keep what a chart needs.
  /// - Parameter dots: The width of the chart.
  mutating func draw(dots: Int) { feed = feed ?? PlotFeed(description, width: dots) }

  /// A trace from a pipe may get channels while it is read.
  mutating func describe(_ description: StreamDescription) {
    guard description.channels.count > channels.count else { return }
    self.description = description
    channels += description.channels[channels.count...].map { LiveChannel(description, $0) }
    feed?.describe(description)
  }

  mutating func add(_ reading: UnsafePointer<Reading>) {
    let time = reading.pointee.time
    count += 1
    if let old = times {
      if time > old.upperBound { times = old.lowerBound...time }
      if time < old.lowerBound { times = time...old.upperBound }
    } else {
      times = time...time
    }
    let number = LiveMinute.number(time)
    advance(to: number)
    let place = minute.contains(number) ? LiveMinute.place(number) : nil
    if let place { counts[place] += 1 }
    let values = min(reading.pointee.values.count, channels.count)
    var channel = 0
    Values.forEachInline(reading, values) { value in
      channels[channel].add(value, at: place)
      channel += 1
    }
    while channel < values {
      channels[channel].add(reading.pointee.values[channel], at: place)
      channel += 1
    }
    feed?.add(reading)
  }

  /// Lets the minute go on to the present, also if no reading has come. A stream whose times are far from it, as those of
  /// a device without a clock, goes by its own times.
  mutating func advance(toTime time: Int64) {
    let number = LiveMinute.number(time)
    guard let newest = minute.newest, number - newest < Self.farAway else { return }
    advance(to: number)
  }

  /// An hour, in half seconds.
  private static let farAway: Int64 = 7_200

  private mutating func advance(to number: Int64) {
    if let newest = minute.newest, number <= newest { return }
    minute.advance(to: number) { place in
      counts[place] = 0
      for channel in channels.indices { channels[channel].clear(place) }
    }
  }

  /// The readings per second of the last five seconds, or of the last minute if those have few. Half seconds that are not
  /// over do not count.
  var rate: Double {
    guard let newest = minute.newest, let times else { return 0 }
    let first = LiveMinute.number(times.lowerBound)
    for seconds in [5, Int64(LiveMinute.count / 2 - 1)] {
      let from = max(first + 1, newest - seconds * 2)
      guard from < newest else { continue }
      let counted = (from..<newest).reduce(0) { $0 + counts[LiveMinute.place($1)] }
      if counted >= 5 || seconds > 5 { return Double(counted) / (Double(newest - from) / 2) }
    }
    // The first second.
    let span = Double(times.upperBound &- times.lowerBound) / 1e9
    return span > 0 ? Double(count - 1) / span : 0
  }

  /// The columns of the last minute, the oldest first.
  func columns(_ channel: Int) -> [Sparkline.Column] {
    guard let newest = minute.newest else { return [] }
    return (0..<Int64(LiveMinute.count)).map { index in
      channels[channel].column(LiveMinute.place(newest - Int64(LiveMinute.count) + 1 + index))
    }
  }
}
