import SluiceExtras
public import SluiceReadings

/// Lets through the readings that differ from the one before that passed.
///
/// Use it for slow quantities that are read often: a temperature, a level.
///
/// ```swift
/// import SluiceReadings
/// import SluiceStages
///
/// let room = StreamDescription(name: "room", channels: [.init(name: "temp", unit: "degC")])
/// let changed = try OnChange(.tolerance(ExactDecimal(significand: 5, exponent: -1)), inputs: InputStreams([room]))
/// ```
///
/// A reading passes if a value differs by more than its tolerance from the same channel of the reading of its stream that
/// passed last, or if only one of the two is missing. The first reading of a stream passes, and one that tells an initial
/// level or comes after a gap.
public struct OnChange: ReadingProcessor {
  /// How much a value may differ and count as the same.
  public enum Limit: Sendable {
    /// Not at all.
    case equal
    /// Each channel by this much in its unit, zero or more.
    case tolerance(ExactDecimal)
    /// These channels by so much in their units, zero or more; the others do not count.
    case channels([(name: String, tolerance: ExactDecimal)])
  }

  fileprivate struct Stream {
    /// The channels that count.
    var places: [Place] = []
    /// The number of channels that are known.
    var channels = 0
    /// The values that passed last; none before the first.
    var last: [ExactDecimal] = []
  }

  fileprivate struct Place {
    let channel: Int
    let tolerance: ExactDecimal
    let scale: ExactDecimal
  }

  private let limit: Limit
  private var inputs: InputStreams
  /// By stream; one without places passes.
  private var watched: [Stream] = []
  /// What its readings mean, which is what they mean already.
  public var streams: [StreamDescription] { inputs.known }

  /// - Parameter inputs: The streams whose readings it receives.
  /// - Throws: A ``SluiceError`` if a channel is named that there is not.
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

  /// Always false: what passes is what came.
  public func makes(_ stream: StreamID) -> Bool { false }

  /// Takes the next reading, and adds it if it passes.
  public mutating func receive(_ reading: Reading, into outputs: inout [Reading]) {
    let index = Int(reading.stream.index)
    if let more = inputs.more, reading.stream != .none,
      index >= watched.count || reading.values.count > watched[index].channels
    {
      inputs.known = more()
      learn()
    }
    guard index < watched.count, !watched[index].places.isEmpty else { return outputs.append(reading) }
    let isChange = watched[index].differs(reading.values)
    guard isChange || !reading.flags.isDisjoint(with: [.gapBefore, .initialLevel]) else { return }
    watched[index].keep(reading.values)
    outputs.append(reading)
  }
}

extension OnChange.Stream {
  fileprivate mutating func keep(_ values: Values) {
    if last.count != values.count { last = Array(repeating: .missing, count: values.count) }
    last.withUnsafeMutableBufferPointer { last in
      for channel in last.indices { last[channel] = values[channel] }
    }
  }

  fileprivate func differs(_ values: Values) -> Bool {
    guard last.count == values.count else { return true }
    for place in places where place.channel < last.count {
      if place.differs(last[place.channel], values[place.channel]) { return true }
    }
    return false
  }
}

extension OnChange.Place {
  fileprivate func differs(_ before: ExactDecimal, _ now: ExactDecimal) -> Bool {
    if before == now { return false }
    if before.isMissing || now.isMissing || tolerance.significand == 0 && before.exponent == now.exponent {
      return true
    }
    let a = WideDecimal(significand: Int128(before.significand), exponent: Int(before.exponent))
    let b = WideDecimal(significand: Int128(now.significand), exponent: Int(now.exponent))
    // Numbers so far apart that their distance has no exact form differ.
    guard let distance = a.distance(to: b)?.magnitude(times: scale) else { return true }
    return !distance.isAtMost(
      WideDecimal(significand: Int128(tolerance.significand), exponent: Int(tolerance.exponent)))
  }
}
