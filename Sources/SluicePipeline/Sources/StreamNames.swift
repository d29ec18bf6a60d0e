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

  /// Checks the streams of a source that is not of this package.
  package static func checkForeign(_ streams: [StreamDescription]) throws(SluiceError) {
    if streams.isEmpty {
      throw SluiceError(.usage, "record", "a source", because: "it has no streams", remedy: "give it one at least")
    }
    for stream in streams {
      do throws(Fault) {
        _ = try SourceSpec.checkedName(stream.name[...])
      } catch {
        throw SluiceError(.usage, "record", "a stream of a source", because: error.description)
      }
      func refused(_ cause: String, _ remedy: String) -> SluiceError {
        SluiceError(.usage, "record", "the stream \"\(stream.name)\"", because: cause, remedy: remedy)
      }
      if stream.channels.isEmpty { throw refused("it has no channel", "give it one at least") }
      if stream.channels.count > Values.capacity {
        throw refused(
          "it has \(grouped(stream.channels.count)) channels, and a reading has \(grouped(Values.capacity)) values",
          "make several streams of it")
      }
      var seen: Set<ExactName> = []
      for channel in stream.channels where !seen.insert(ExactName(channel.name)).inserted {
        throw refused("two of its channels are called \"\(channel.name)\"", "give one of them another name")
      }
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
