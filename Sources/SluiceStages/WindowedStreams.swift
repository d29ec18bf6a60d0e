import SluiceExtras
package import SluiceReadings

/// A processor that passes the readings of windows, and leaves out the others.
///
/// Each stream has one more channel, `window`, with the number of the window.
package protocol WindowedProcessor: ReadingProcessor {
  var windowed: WindowedStreams { get set }
}

/// The streams behind a ``WindowedProcessor``, and what it knows of each.
package struct WindowedStreams {
  /// The name of the channel with the number of the window.
  package static let channel = "window"

  /// The descriptions of the streams, each with the number of the window.
  let known: [StreamDescription]
  /// The number of the last window, from 1.
  package private(set) var number: Int64 = 0
  /// The number of windows that lack readings, because too many readings would have waited.
  package var shortened = 0
  /// Whether the next reading that passes begins a window.
  private var isNew = true
  /// By stream, whether readings were left out since one last passed, and their flags that the next one takes over.
  private var cuts: [(isCut: Bool, flags: Reading.Flags)]
  /// The starts of the runs after the first one, in their order; those that have come are gone.
  private var begins: ArraySlice<Int64>
  /// Flags a reading that follows readings that were left out.
  package var flagGap: (inout Reading) -> Void = { $0.flags.insert(.gapBefore) }

  init(_ inputs: InputStreams) throws(SluiceError) {
    var streams = inputs.known
    for index in streams.indices where !streams[index].channels.isEmpty {
      let name = streams[index].name
      if streams[index].channels.contains(where: { $0.name.isExactly(Self.channel) }) {
        throw SluiceError(
          .usage, "number the windows of", name, because: "it has a channel \(Self.channel) already",
          remedy: "use one of --around and --while, or rename the channel")
      }
      guard streams[index].channels.count < Values.capacity else {
        throw SluiceError(
          .usage, "number the windows of", name,
          because: "it has \(Values.capacity) channels, and a reading has no more", remedy: "select fewer of them")
      }
      streams[index].channels.append(.init(name: Self.channel))
    }
    known = streams
    cuts = known.map { _ in (false, []) }
    begins = inputs.restarts.map(\.began).sorted()[...]
  }

  /// Goes on behind the last window of an earlier run.
  package mutating func goOn(after number: Int64) { self.number = number }

  /// The next reading that passes begins another window.
  mutating func beginWindow() { isNew = true }

  /// Whether another run of a replayed recording has begun up to this time. It says so once. A recording has no window across
  /// two runs.
  mutating func takeRestart(until time: Int64) -> Bool {
    guard let first = begins.first, first <= time else { return false }
    begins = begins.drop { $0 <= time }
    return true
  }

  /// Leaves out a reading.
  mutating func leaveOut(_ reading: Reading) { leaveOut(reading.stream, reading.flags) }

  /// Leaves out readings of a stream that have these flags.
  mutating func leaveOut(_ stream: StreamID, _ flags: Reading.Flags) {
    let stream = Int(stream.index)
    guard stream < cuts.count else { return }
    cuts[stream] = (true, cuts[stream].flags.union(flags.intersection(.restart)))
  }

  /// Adds a reading that is in the window.
  mutating func keep(_ reading: Reading, into outputs: inout [Reading]) {
    let stream = Int(reading.stream.index)
    guard stream < cuts.count else { return }
    if isNew {
      isNew = false
      number += 1
    }
    var reading = reading
    if cuts[stream].isCut {
      reading.flags.formUnion(cuts[stream].flags)
      cuts[stream] = (false, [])
      flagGap(&reading)
    }
    // A trace may have rows with fewer values.
    while reading.values.count + 1 < known[stream].channels.count { reading.values.append(.missing) }
    reading.values.append(ExactDecimal(significand: number))
    outputs.append(reading)
  }
}
