import SluiceReadings

/// The streams of a recording in parts. Each part has its own, possibly in another order.
struct PartStreams {
  /// The stream and the channels of the recording for a stream of a part.
  struct Place {
    let stream: UInt16
    /// For each channel of the part, its number in the recording; nil if both are the same.
    var channels: [Int]?
    /// The number of channels in the recording.
    var count: Int
  }

  private(set) var streams: [StreamDescription]
  private var numbers: [ExactName: Int] = [:]
  /// The path of the part that the others must match.
  private let first: String
  /// Whether a part may have other streams, because its rows name them.
  private let mayGrow: Bool

  init(_ streams: [StreamDescription], of first: String, mayGrow: Bool) {
    self.streams = streams
    self.first = first
    self.mayGrow = mayGrow
    for (number, stream) in streams.enumerated() { numbers[ExactName(stream.name)] = number }
  }

  /// - Parameters:
  ///   - path: The path of the part with these streams.
  ///   - isDescribed: Whether its metadata has them. Then it may have other streams than the first part.
  /// - Throws: If the streams differ from those of the first part.
  mutating func add(
    _ others: [StreamDescription], of path: String, isDescribed: Bool = false
  ) throws(SluiceError) {
    let mayGrow = mayGrow || isDescribed && !others.isEmpty
    for other in others {
      guard let number = numbers[ExactName(other.name)] else {
        guard mayGrow else { throw misfit(path, "it has a stream \"\(other.name)\", and \(first) has none") }
        guard streams.count < TraceMetadata.mostStreams else {
          throw misfit(path, "with its streams there are more than \(TraceMetadata.mostStreams)")
        }
        numbers[ExactName(other.name)] = streams.count
        streams.append(other)
        continue
      }
      if let cause = streams[number].difference(other, mayGrow: mayGrow, first) { throw misfit(path, cause) }
      let known = Set(streams[number].channels.map { ExactName($0.name) })
      streams[number].channels += other.channels.filter { !known.contains(ExactName($0.name)) }
      guard streams[number].channels.count <= Values.capacity else {
        throw misfit(path, "with its channels stream \"\(other.name)\" has more than \(Values.capacity)")
      }
    }
    guard !mayGrow, others.count < streams.count else { return }
    let names = Set(others.map { ExactName($0.name) })
    if let other = streams.first(where: { !names.contains(ExactName($0.name)) }) {
      throw misfit(path, "it has no stream \"\(other.name)\", and \(first) has one")
    }
  }

  /// The places of streams that were added before.
  func places(_ others: [StreamDescription], of path: String) throws(SluiceError) -> [Place] {
    var copy = self
    try copy.add(others, of: path, isDescribed: true)
    var places: [Place] = []
    for other in others {
      guard let number = numbers[ExactName(other.name)] else { throw changed(path) }
      let channels = streams[number].channels
      var indices: [Int] = []
      for channel in other.channels {
        guard let index = channels.firstIndex(where: { $0.name.isExactly(channel.name) }) else { throw changed(path) }
        indices.append(index)
      }
      places.append(
        Place(
          stream: UInt16(truncatingIfNeeded: number),
          channels: indices.elementsEqual(channels.indices) ? nil : indices, count: channels.count))
    }
    return places
  }

  private func changed(_ path: String) -> SluiceError {
    SluiceError(
      .malformed, "read", path, because: "it has streams or channels that were not there when the replay began",
      remedy: "wait until no program writes the file")
  }

  private func misfit(_ path: String, _ cause: String) -> SluiceError {
    SluiceError(.malformed, "read", path, because: cause, remedy: "give it alone, or move it out of the folder")
  }
}

extension StreamDescription {
  /// The reason why values of the other stream do not fit this one; nil if they fit.
  fileprivate func difference(_ other: StreamDescription, mayGrow: Bool, _ first: String) -> String? {
    if isScaled != other.isScaled {
      func text(_ isScaled: Bool) -> String { isScaled ? "scaled" : "raw" }
      return "stream \"\(name)\" is \(text(other.isScaled)), and \(text(isScaled)) in \(first)"
    }
    if !mayGrow, Set(channels.map { ExactName($0.name) }) != Set(other.channels.map { ExactName($0.name) }) {
      func text(_ channels: [Channel]) -> String { channels.map(\.name).joined(separator: ", ") }
      return "stream \"\(name)\" has the channels \(text(other.channels)), and \(text(channels)) in \(first)"
    }
    let known = Dictionary(channels.map { (ExactName($0.name), $0) }, uniquingKeysWith: { first, _ in first })
    for channel in other.channels {
      guard let mine = known[ExactName(channel.name)] else { continue }
      let what = "channel \"\(channel.name)\" of \"\(name)\""
      if mine.unit != channel.unit {
        return "\(what) has the unit \(channel.unit ?? "(none)"), and \(mine.unit ?? "(none)") in \(first)"
      }
      // If scale and offset were applied, they are only information.
      if !isScaled, mine.scale != channel.scale || mine.offset != channel.offset {
        return "\(what) has the scale \(channel.scale) and the offset \(channel.offset), and \(mine.scale) and "
          + "\(mine.offset) in \(first)"
      }
    }
    return nil
  }
}
