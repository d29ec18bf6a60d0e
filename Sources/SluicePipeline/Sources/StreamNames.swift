package import SluiceReadings

/// Gives each stream of a recording a name of its own.
package enum StreamNames {
  /// Finds names that are the same already before anything is opened: those that were given, and those of sources without
  /// a device.
  package static func check(_ arguments: [SourceSpec]) throws(SluiceError) {
    var seen: Set<String> = []
    for name in arguments.compactMap({ $0.name ?? $0.source.streamName }) where !seen.insert(name).inserted {
      throw isTaken(name)
    }
  }

  /// What the streams of a source are called by its `NAME=`: the name itself, or with several streams the name and what
  /// tells them apart.
  package static func named(_ streams: [StreamDescription], _ name: String) -> [StreamDescription] {
    streams.map { stream in
      var stream = stream
      stream.name = streams.count == 1 ? name : "\(name):\(stream.name.split(separator: ":").last ?? "")"
      return stream
    }
  }

  /// Streams of one name get the bus identity of their devices: `ads1115@1-0048`.
  /// - Parameter isGiven: By stream, whether the name was given by the user, and so stays.
  package static func distinct(_ streams: [StreamDescription], isGiven: [Bool]) throws(SluiceError)
    -> [StreamDescription]
  {
    var all = streams
    let counts = Dictionary(streams.map { ($0.name, 1) }, uniquingKeysWith: +)
    for index in all.indices where counts[all[index].name, default: 0] > 1 && !isGiven[index] {
      if let bus = all[index].device?.bus { all[index].name += "@\(bus)" }
    }
    var seen: Set<String> = []
    for stream in all where !seen.insert(stream.name).inserted { throw isTaken(stream.name) }
    return all
  }

  private static func isTaken(_ name: String) -> SluiceError {
    SluiceError(
      .usage, "record", "two streams called \"\(name)\"", because: "nothing would tell their rows apart",
      remedy: "give one of them another name: NAME=KIND:WHAT")
  }
}
