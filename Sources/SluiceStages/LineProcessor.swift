import SluiceExtras
public import SluiceReadings

/// Decodes the edges of lines. Readings of other streams pass.
///
/// A line is a stream with one channel of levels, 0 and 1. A trace without metadata does not describe its channels. In
/// such a trace, each stream with one channel and no unit is a line.
///
/// ```swift
/// import SluiceReadings
/// import SluiceStages
///
/// let line = StreamDescription(name: "DATA", channels: [.init(name: "level", format: "level")])
/// var widths = try LineProcessor(PulseWidth(), inputs: InputStreams([line]))
/// var readings: [Reading] = []
/// widths.receive(Reading(time: 1_000, stream: StreamID(0), values: [1]), into: &readings)
/// widths.receive(Reading(time: 4_000, stream: StreamID(0), values: [0]), into: &readings)
/// print(readings[1].values[1])  // 0.000003000
/// ```
public struct LineProcessor<Decoder: EdgeDecoder>: ReadingProcessor {
  // The code on the way of each reading is @inlinable: generic code that is not specialised took three times as long.

  @usableFromInline
  struct Line {
    // The decoder is not optional: a check for nil would copy it, with up to 1,100 instructions per edge.
    /// Whether the stream is a line. The readings of other streams pass.
    @usableFromInline let isLine: Bool
    @usableFromInline var decoder: Decoder
    /// Whether no output has been made since a gap.
    @usableFromInline var isAfterGap = false
    /// Whether no edge has come since a gap, because the readings after it had no level.
    @usableFromInline var isGapPending = false
    /// The flags of its outputs.
    @usableFromInline var flags: Reading.Flags = []
  }

  private let decoder: Decoder
  private let name: String?
  private var inputs: InputStreams
  /// The state of each stream.
  @usableFromInline var lines: [Line] = []
  @usableFromInline var outputs = EdgeOutputs()

  /// The descriptions of its outputs.
  public private(set) var streams: [StreamDescription] = []

  /// - Parameters:
  ///   - decoder: The decoder; each line gets a copy.
  ///   - line: The name of the line; nil for every line.
  ///   - inputs: The input streams.
  /// - Throws: A `SluiceError` if there is no such line.
  public init(_ decoder: Decoder, line: String? = nil, inputs: InputStreams) throws(SluiceError) {
    self.decoder = decoder
    name = line
    self.inputs = inputs
    _ = try inputs.lines(line, "decode the edges of")
    learn(inputs.known)
  }

  /// Whether the stream is one of the lines.
  public func makes(_ stream: StreamID) -> Bool {
    let index = Int(stream.index)
    return index < lines.count && lines[index].isLine
  }

  private mutating func learn(_ known: [StreamDescription]) {
    inputs.known = known
    for stream in known.dropFirst(lines.count) {
      let isLine = stream.isLine(name)
      lines.append(Line(isLine: isLine, decoder: decoder))
      var described = stream
      if isLine { described.channels = decoder.channels }
      streams.append(described)
    }
  }

  /// Changes the decoder of a line before its first edge.
  /// - Parameter flags: The flags of all its outputs.
  package mutating func prepare(_ line: String, flags: Reading.Flags, _ change: (inout Decoder) -> Void) {
    guard let index = streams.firstIndex(where: { $0.name.isExactly(line) }), lines[index].isLine else { return }
    lines[index].flags = flags
    change(&lines[index].decoder)
  }

  /// Adds the streams that have become known. In a trace from a pipe this prepares all earlier stages again, under the
  /// lock of the operator. It is rare: only the first reading of a new stream needs it.
  @usableFromInline mutating func learn() { if let more = inputs.more { learn(more()) } }

  /// Takes the next reading, and adds the outputs of its edge.
  @inlinable public mutating func receive(_ reading: Reading, into outputs: inout [Reading]) {
    let index = Int(reading.stream.index)
    if index >= lines.count, index != UInt16.max { learn() }
    guard index < lines.count, lines[index].isLine else { return outputs.append(reading) }
    let isAfterGap = reading.flags.contains(.gapBefore) || lines[index].isGapPending
    self.outputs.stream = reading.stream
    self.outputs.isAfterGap = isAfterGap || lines[index].isAfterGap
    self.outputs.flags = lines[index].flags
    if reading.values.first?.isMissing != false {
      lines[index].isGapPending = isAfterGap
    } else {
      lines[index].isGapPending = false
      let edge = Edge(
        time: reading.time, isHigh: reading.values[0].significand != 0,
        isInitial: reading.flags.contains(.initialLevel),
        isAfterGap: isAfterGap)
      // The decoder appends to the same array, without a copy.
      swap(&self.outputs.readings, &outputs)
      lines[index].decoder.receive(edge, into: &self.outputs)
      swap(&self.outputs.readings, &outputs)
    }
    lines[index].isAfterGap = self.outputs.isAfterGap
  }

  /// Adds the last outputs of each line.
  public mutating func finish(into outputs: inout [Reading]) {
    swap(&self.outputs.readings, &outputs)
    for index in lines.indices where lines[index].isLine {
      self.outputs.stream = StreamID(UInt16(truncatingIfNeeded: index))
      self.outputs.isAfterGap = lines[index].isAfterGap
      self.outputs.flags = lines[index].flags
      lines[index].decoder.finish(into: &self.outputs)
    }
    swap(&self.outputs.readings, &outputs)
  }
}
