import SluiceExtras
public import SluiceReadings

/// Decodes the position of a rotary or linear encoder from its two lines, A and B.
///
/// Every edge of both lines is a step, so an encoder with 20 pulses per turn makes 80 steps per turn (x4 counting). The
/// position increases if A leads B. Each step gives a reading of the stream of A, which gets another name: `position`,
/// the start plus the steps so far; `speed`, in steps per second, with a sign, from the time since the previous step,
/// rounded to six significant digits; and `errors`, the number of edges that repeated the level of their line. Such an
/// edge shows that another edge was lost, or that the kernel read a level late. So the position may be wrong by two
/// steps or more after it. The reading of this edge has no speed. The speed is also missing for the first step, for the
/// first step after a gap, and for a step at the same time as the previous step.
///
/// Steps are counted once the levels of both lines are known. An edge shows the level before it, so both levels are
/// known at the first edge of the second line, or earlier. The stream of B stays, without channels and readings.
/// Readings of other streams pass.
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
    /// The level; nil if it is not known.
    var level: Bool?
  }

  private var a: Line
  private var b: Line
  private var position: Int64 = 0
  private var errors: Int64 = 0
  /// The time of the previous step; nil if a speed since then would be wrong.
  private var last: Int64?
  /// Whether an edge may be missing since the last output.
  private var isAfterGap = false
  /// The flags of all outputs.
  private var flags: Reading.Flags = []

  /// The descriptions of its outputs.
  public let streams: [StreamDescription]

  /// - Parameters:
  ///   - a: The stream of line A.
  ///   - b: The stream of line B.
  ///   - name: The new name of the stream of A.
  ///   - start: The position before the first step.
  ///   - inputs: The input streams.
  /// - Throws: A `SluiceError` if there are no such lines, if both names are the same, if another stream has the new
  ///   name, or if more streams may come.
  public init(
    a: String, b: String, name: String = "quadrature", start: Int64 = 0, inputs: InputStreams
  ) throws(SluiceError) {
    let action = "decode the edges of"
    try inputs.checkComplete(action)
    guard let first = try inputs.lines(a, action).firstIndex(of: true),
      let second = try inputs.lines(b, action).firstIndex(of: true), first != second
    else {
      throw SluiceError(
        .usage, action, "\(a) and \(b)", because: "an encoder has two lines",
        remedy: "name two different lines")
    }
    var streams = inputs.known
    streams[first].name = name
    streams[first].channels = [
      .init(name: "position", unit: "steps"), .init(name: "speed", unit: "steps/s"), .init(name: "errors"),
    ]
    streams[second].channels = []
    guard !streams.enumerated().contains(where: { $0.offset != first && $0.element.name.isExactly(name) }) else {
      throw SluiceError(
        .usage, "name the position of \(a) and \(b)", "'\(name)'", because: "another stream has this name",
        remedy: "choose another name for the encoder")
    }
    self.streams = streams
    position = start
    self.a = Line(stream: StreamID(UInt16(truncatingIfNeeded: first)))
    self.b = Line(stream: StreamID(UInt16(truncatingIfNeeded: second)))
  }

  /// Continues from the position and the errors of an earlier run.
  /// - Parameter isAtLeast: Whether that run was cut off, so that steps may be missing.
  public mutating func goOn(position: Int64, errors: Int64, isAtLeast: Bool = false) {
    (self.position, self.errors, flags) = (position, errors, isAtLeast ? .atLeast : [])
  }

  /// Whether the stream is A or B.
  public func makes(_ stream: StreamID) -> Bool { stream == a.stream || stream == b.stream }

  /// Takes the next reading, and adds its output.
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
    // The start may be near the limit of 64 bits.
    position &+= isUp ? 1 : -1
    append(time, speed: speed, to: &outputs)
    last = time
  }

  private mutating func append(_ time: Int64, speed: ExactDecimal, to outputs: inout [Reading]) {
    var values = Values(position)
    values.append(speed)
    values.append(errors)
    outputs.append(
      Reading(time: time, stream: a.stream, values: values, flags: isAfterGap ? flags.union(.gapBefore) : flags))
    isAfterGap = false
  }
}
