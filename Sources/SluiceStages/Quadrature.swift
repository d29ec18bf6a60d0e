import SluiceExtras
public import SluiceReadings

/// Follows the position of a rotary or linear encoder by its two lines, A and B.
///
/// Every edge of either line is a step, so an encoder of 20 pulses a turn makes 80 (x4 counting). The position counts up
/// if A leads B. Each step gives a reading of the stream of A, which has another name then: `position`, in steps from where
/// the recording began; `speed`, in steps per second, with a sign, by the time since the step before, rounded to six
/// significant digits; and `errors`, how many edges repeated the level of their line. Such an edge shows that one was lost,
/// so the position may be wrong by two steps or more from there on. The reading of such an edge has no speed, as that of
/// the first step, of the first after a gap, and of one at the time of the step before.
///
/// Steps are counted from when the level of both lines is known. An edge tells what was before it, so this is so at the
/// first edge of the second line at the latest. The stream of B remains without channels and without readings. Readings of
/// other streams pass.
///
/// ```swift
/// import SluiceReadings
/// import SluiceStages
///
/// let lines = ["A", "B"].map { StreamDescription(name: $0, channels: [.init(name: "level", format: "level")]) }
/// var wheel = try Quadrature(a: "A", b: "B", name: "wheel", inputs: InputStreams(lines))
/// var readings: [Reading] = []
/// wheel.receive(Reading(time: 1_000, stream: StreamID(0), values: [1]), into: &readings)
/// wheel.receive(Reading(time: 2_000, stream: StreamID(1), values: [1]), into: &readings)
/// print(readings[0].values[0])  // 1
/// ```
public struct Quadrature: ReadingProcessor {
  private struct Line {
    var stream: StreamID
    /// nil if it is not known.
    var level: Bool?
  }

  private var a: Line
  private var b: Line
  private var position: Int64 = 0
  private var errors: Int64 = 0
  /// The time of the step before; nil if a speed since then would be wrong.
  private var last: Int64?
  /// An edge was lost since the last reading.
  private var isAfterGap = false

  /// What its readings mean.
  public let streams: [StreamDescription]

  /// - Parameters:
  ///   - a: The stream of line A.
  ///   - b: The stream of line B.
  ///   - name: What the stream of A is called from now on.
  ///   - inputs: The streams whose readings it receives.
  /// - Throws: A ``SluiceError`` if there are no such lines, if they are one, if another stream has the name, or if the
  ///   streams are not all known yet.
  public init(
    a: String, b: String, name: String = "quadrature", inputs: InputStreams
  ) throws(SluiceError) {
    let action = "decode the edges of"
    try inputs.checkComplete(action)
    guard let first = try inputs.lines(a, action).firstIndex(of: true),
      let second = try inputs.lines(b, action).firstIndex(of: true), first != second
    else {
      throw SluiceError(
        .usage, action, "\(a) and \(b)", because: "an encoder has two lines", remedy: "name both")
    }
    var streams = inputs.known
    streams[first].name = name
    streams[first].channels = [
      .init(name: "position", unit: "steps"), .init(name: "speed", unit: "steps/s"), .init(name: "errors"),
    ]
    streams[second].channels = []
    guard !streams.enumerated().contains(where: { $0.offset != first && $0.element.name == name }) else {
      throw SluiceError(
        .usage, "call the position of \(a) and \(b)", name, because: "there is a stream of this name",
        remedy: "give it another name")
    }
    self.streams = streams
    self.a = Line(stream: StreamID(UInt16(truncatingIfNeeded: first)))
    self.b = Line(stream: StreamID(UInt16(truncatingIfNeeded: second)))
  }

  /// Whether the stream is that of A or B, from which the position is made.
  public func makes(_ stream: StreamID) -> Bool { stream == a.stream || stream == b.stream }

  /// Takes the next reading, and adds the one that it makes.
  public mutating func receive(_ reading: Reading, into outputs: inout [Reading]) {
    let isOfA = reading.stream == a.stream
    guard isOfA || reading.stream == b.stream else { return outputs.append(reading) }
    if reading.flags.contains(.gapBefore) { (isAfterGap, last) = (true, nil) }
    guard let value = reading.values.first, !value.isMissing else { return }
    let isHigh = value.significand != 0
    let level = isOfA ? a.level : b.level
    if isOfA { a.level = isHigh } else { b.level = isHigh }
    guard !reading.flags.contains(.initialLevel) else { return last = nil }
    if level == isHigh {
      (errors, last) = (errors + 1, nil)
      append(reading.time, speed: .missing, to: &outputs)
    } else if let other = isOfA ? b.level : a.level {
      step(reading.time, isUp: isOfA ? isHigh != other : isHigh == other, &outputs)
    }
  }

  private mutating func step(_ time: Int64, isUp: Bool, _ outputs: inout [Reading]) {
    var speed = ExactDecimal.rate(of: .one, from: last, to: time)
    if !isUp, !speed.isMissing { speed.significand = -speed.significand }
    position += isUp ? 1 : -1
    append(time, speed: speed, to: &outputs)
    last = time
  }

  private mutating func append(_ time: Int64, speed: ExactDecimal, to outputs: inout [Reading]) {
    var values = Values(position)
    values.append(speed)
    values.append(errors)
    outputs.append(Reading(time: time, stream: a.stream, values: values, flags: isAfterGap ? .gapBefore : []))
    isAfterGap = false
  }
}
