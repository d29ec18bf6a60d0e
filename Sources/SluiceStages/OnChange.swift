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
    /// By channel; nil for one that does not count.
    var tolerances: [ExactDecimal?]
    var channels: [StreamDescription.Channel]
    var last: Values?
  }

  private let limit: Limit
  private var inputs: InputStreams
  /// By stream; nil for one that passes.
  private var watched: [Stream?] = []
  /// What its readings mean, which is what they mean already.
  public var streams: [StreamDescription] { inputs.known }

  /// - Parameter inputs: The streams whose readings it receives.
  /// - Throws: A ``SluiceError`` if a channel is named that there is not.
  public init(_ limit: Limit, inputs: InputStreams) throws(SluiceError) {
    self.limit = limit
    self.inputs = inputs
    if case .channels(let wanted) = limit {
      try inputs.checkComplete("find the channels of")
      watched = Array(repeating: nil, count: inputs.known.count)
      for (name, tolerance) in wanted {
        let found = inputs.channels(name)
        guard !found.isEmpty else {
          throw SluiceError(
            .notFound, "watch", name, because: "there is no channel of this name", remedy: inputs.remedy(unknown: name))
        }
        for (stream, channel) in found {
          let channels = inputs.known[stream].channels
          var watch =
            watched[stream] ?? Stream(tolerances: Array(repeating: nil, count: channels.count), channels: channels)
          watch.tolerances[channel] = tolerance
          watched[stream] = watch
        }
      }
    } else {
      learn()
    }
  }

  private mutating func learn() {
    let tolerance: ExactDecimal = if case .tolerance(let tolerance) = limit { tolerance } else { .zero }
    for (index, stream) in inputs.known.enumerated() {
      if index == watched.count { watched.append(Stream(tolerances: [], channels: [])) }
      watched[index]?.channels = stream.channels
      watched[index]?.tolerances = stream.channels.map { _ in tolerance }
    }
  }

  /// Always false: what passes is what came.
  public func makes(_ stream: StreamID) -> Bool { false }

  /// Takes the next reading, and adds it if it passes.
  public mutating func receive(_ reading: Reading, into outputs: inout [Reading]) {
    let index = Int(reading.stream.index)
    if let more = inputs.more, reading.stream != .none,
      index >= watched.count || reading.values.count > watched[index]?.channels.count ?? 0
    {
      inputs.known = more()
      learn()
    }
    guard index < watched.count, watched[index] != nil, reading.stream != .none else { return outputs.append(reading) }
    let isChange = watched[index]?.differs(reading.values) ?? true
    guard isChange || !reading.flags.isDisjoint(with: [.gapBefore, .initialLevel]) else { return }
    watched[index]?.last = reading.values
    outputs.append(reading)
  }
}

extension OnChange.Stream {
  fileprivate func differs(_ values: Values) -> Bool {
    guard let last, last.count == values.count else { return true }
    for (channel, tolerance) in tolerances.enumerated() where channel < values.count {
      guard let tolerance else { continue }
      let (before, now) = (last[channel], values[channel])
      if before == now { continue }
      if before.isMissing || now.isMissing || tolerance.significand == 0 && before.exponent == now.exponent {
        return true
      }
      let a = WideDecimal(significand: Int128(before.significand), exponent: Int(before.exponent))
      let b = WideDecimal(significand: Int128(now.significand), exponent: Int(now.exponent))
      // Numbers so far apart that their distance has no exact form differ.
      guard let distance = a.distance(to: b)?.magnitude(times: channels[channel].scale) else { return true }
      let limit = WideDecimal(significand: Int128(tolerance.significand), exponent: Int(tolerance.exponent))
      if !distance.isAtMost(limit) { return true }
    }
    return false
  }
}
