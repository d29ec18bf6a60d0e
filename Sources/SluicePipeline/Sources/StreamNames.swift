package import SluiceReadings

/// Gives each stream of a recording a different name.
package enum StreamNames {
  /// Finds equal names before anything is opened: given names, and names of sources without a device.
  package static func check(_ arguments: [SourceSpec]) throws(SluiceError) {
    var seen: Set<ExactName> = []
    for name in arguments.compactMap({ $0.name ?? $0.source.streamName }) where !seen.insert(ExactName(name)).inserted {
      throw isTaken(name)
    }
  }

  /// Finds equal names that stages have made.
  package static func check(_ streams: [StreamDescription]) throws(SluiceError) {
    var seen: Set<ExactName> = []
    for stream in streams where !seen.insert(ExactName(stream.name)).inserted { throw isTaken(stream.name) }
  }

  /// The names of the streams of a source with `NAME=`. A single stream gets the name itself; each of several streams
  /// gets the name and its own part.
  package static func named(_ streams: [StreamDescription], _ name: String) -> [StreamDescription] {
    streams.map { stream in
      var stream = stream
      stream.name = streams.count == 1 ? name : "\(name):\(stream.name.split(separator: ":").last ?? "")"
      return stream
    }
  }

  /// Adds the bus identity of the device to streams with equal names: `ads1115@1-0048`.
  /// - Parameter isGiven: By stream, whether the user gave the name, so that it stays.
  package static func distinct(_ streams: [StreamDescription], isGiven: [Bool]) throws(SluiceError)
    -> [StreamDescription]
  {
    var all = streams
    let counts = Dictionary(streams.map { ($0.name, 1) }, uniquingKeysWith: +)
    for index in all.indices where counts[all[index].name, default: 0] > 1 && !isGiven[index] {
      if let bus = all[index].device?.bus { all[index].name += "@\(bus)" }
    }
    try check(all)
    return all
  }

  private static func isTaken(_ name: String) -> SluiceError {
    SluiceError(
      .usage, "record", "two streams called \"\(name)\"", because: "nothing would tell their rows apart",
      remedy: "give one of them another name: NAME=KIND:WHAT")
  }
}
