import SluiceExtras
public import SluiceReadings

/// Passes the readings that differ from the last reading that passed.
///
/// Use it for slow quantities with a high sample rate, such as a temperature or the water level of a tank.
///
/// ```swift
/// import SluiceReadings
/// import SluiceStages
///
/// let room = StreamDescription(name: "room", channels: [.init(name: "temp", unit: "degC")])
/// let changed = try OnChange(.tolerance(ExactDecimal(significand: 5, exponent: -1)), inputs: InputStreams([room]))
/// ```
///
/// A reading passes if a value differs by more than its tolerance from the value of the same channel in the last
/// reading of the stream that passed, or if only one of the two values is missing. The first reading of a stream
/// passes. So does an initial level, and the first reading after a gap.
public struct OnChange: ReadingProcessor {
  /// The greatest difference between values that count as the same.
  public enum Limit: Sendable {
    /// No difference.
    case equal
    /// One tolerance for all channels, each in its unit; zero or more.
    case tolerance(ExactDecimal)
    /// The tolerances of these channels in their units, zero or more. The other channels are not compared.
    case channels([(name: String, tolerance: ExactDecimal)])
  }

  fileprivate struct Stream {
    /// The channels that are compared.
    var places: [Place] = []
    /// The number of known channels.
    var channels = 0
    /// The last values that passed; empty before the first reading.
    var last: [ExactDecimal] = []
  }

  fileprivate struct Place {
    let channel: Int
    let tolerance: ExactDecimal
    let scale: ExactDecimal
  }

  private let limit: Limit
  private var inputs: InputStreams
  /// The state of each stream. The readings of a stream without places pass.
  private var watched: [Stream] = []
  /// The descriptions of its outputs, which are those of its inputs.
  public var streams: [StreamDescription] { inputs.known }

  /// - Parameter inputs: The input streams.
  /// - Throws: A `SluiceError` if there is no such channel.
  public init(_ limit: Limit, inputs: InputStreams) throws(SluiceError) {
    self.limit = limit
    self.inputs = inputs
    if case .channels(let wanted) = limit {
      try inputs.checkComplete("find the channels of")
      watched = inputs.known.map { Stream(channels: $0.channels.count) }
      for (name, tolerance) in wanted {
        let found = inputs.channels(name)
        guard !found.isEmpty else {
          throw SluiceError(
            .notFound, "watch", name, because: "there is no channel of this name", remedy: inputs.remedy(unknown: name))
        }
        for (stream, channel) in found { watched[stream].places.append(place(channel, of: stream, tolerance)) }
      }
    } else {
      learn()
    }
  }

  private func place(_ channel: Int, of stream: Int, _ tolerance: ExactDecimal) -> Place {
    let described = inputs.known[stream]
    return Place(
      channel: channel, tolerance: tolerance, scale: described.isScaled ? .one : described.channels[channel].scale)
  }

  private mutating func learn() {
    let tolerance: ExactDecimal = if case .tolerance(let tolerance) = limit { tolerance } else { .zero }
    for (index, stream) in inputs.known.enumerated() {
      if index == watched.count { watched.append(Stream()) }
      watched[index].channels = stream.channels.count
      watched[index].places = stream.channels.indices.map { place($0, of: index, tolerance) }
    }
  }

  /// Always false, because readings pass unchanged.
  public func makes(_ stream: StreamID) -> Bool { false }

  /// Takes the next reading, and adds it if it passes.
  public mutating func receive(_ reading: Reading, into outputs: inout [Reading]) {
    let index = Int(reading.stream.index)
    if index >= watched.count || reading.values.count > watched[index].channels, reading.stream != .none,
      let more = inputs.more
    {
      inputs.known = more()
      learn()
    }
    guard index < watched.count, !watched[index].places.isEmpty else { return outputs.append(reading) }
    if watched[index].take(reading) { outputs.append(reading) }
  }
}

extension OnChange.Stream {
  /// Keeps the values of a reading that passes.
  /// - Returns: Whether it passes.
  fileprivate mutating func take(_ reading: Reading) -> Bool {
    let count = reading.values.count
    if last.count != count {
      last = Array(repeating: .missing, count: count)
    } else if reading.flags.isDisjoint(with: [.gapBefore, .initialLevel]), !differs(reading) {
      return false
    }
    last.withUnsafeMutableBufferPointer { last in
      for channel in 0..<count { last[channel] = reading.values[channel] }
    }
    return true
  }

  private func differs(_ reading: Reading) -> Bool {
    places.withUnsafeBufferPointer { places in
      last.withUnsafeBufferPointer { last in
        for place in places where place.channel < last.count {
          let (before, now) = (last[place.channel], reading.values[place.channel])
          if before != now, place.differs(before, now) { return true }
        }
        return false
      }
    }
  }
}

extension OnChange.Place {
  fileprivate func differs(_ before: ExactDecimal, _ now: ExactDecimal) -> Bool {
    if before.isMissing || now.isMissing || tolerance.significand == 0 && before.exponent == now.exponent {
      return true
    }
    let a = WideDecimal(significand: Int128(before.significand), exponent: Int(before.exponent))
    let b = WideDecimal(significand: Int128(now.significand), exponent: Int(now.exponent))
    // Numbers are different if their distance is too large for an exact form.
    guard let distance = a.distance(to: b)?.magnitude(times: scale) else { return true }
    return !distance.isAtMost(
      WideDecimal(significand: Int128(tolerance.significand), exponent: Int(tolerance.exponent)))
  }
}
