public import SluiceReadings

/// Decodes the edges of lines; readings of other streams pass.
///
/// A line is a stream with one channel of levels, 0 and 1. A trace without metadata does not say what its channels are:
/// there, each stream with one channel and no unit is a line.
///
/// ```swift
/// import SluiceReadings
/// import SluiceStages
///
/// let line = StreamDescription(name: "DATA", channels: [.init(name: "level", format: "level")])
/// var widths = try LineProcessor(PulseWidth(), inputs: InputStreams([line]))
/// widths.receive(Reading(time: 1_000, stream: StreamID(0), values: [1]))
/// widths.receive(Reading(time: 4_000, stream: StreamID(0), values: [0]))
/// print(widths.next()?.values[1] ?? .missing)  // 0.000003000
/// ```
public struct LineProcessor<Decoder: EdgeDecoder>: ReadingProcessor {
  // What each reading passes is @inlinable: generic code that is not specialised cost three times as much.

  @usableFromInline
  struct Line {
    @usableFromInline var decoder: Decoder
    @usableFromInline var isAfterGap = false
  }

  private let decoder: Decoder
  private let name: String?
  private var inputs: InputStreams
  /// By stream; nil for one that passes.
  @usableFromInline var lines: [Line?] = []
  @usableFromInline var outputs = EdgeOutputs()
  @usableFromInline var passing: Reading?

  /// What its readings mean.
  public private(set) var streams: [StreamDescription] = []

  /// - Parameters:
  ///   - decoder: Each line gets a copy.
  ///   - line: The stream that is decoded; nil for every line.
  ///   - inputs: The streams whose readings it receives.
  /// - Throws: A ``SluiceError`` if there is no such line.
  public init(_ decoder: Decoder, line: String? = nil, inputs: InputStreams) throws(SluiceError) {
    self.decoder = decoder
    name = line
    self.inputs = inputs
    _ = try inputs.lines(line, "decode the edges of")
    learn(inputs.known)
  }

  /// Whether the stream is a line.
  public func makes(_ stream: StreamID) -> Bool {
    let index = Int(stream.index)
    return index < lines.count && lines[index] != nil
  }

  private mutating func learn(_ known: [StreamDescription]) {
    inputs.known = known
    for stream in known.dropFirst(lines.count) {
      let isLine = stream.isLine(name)
      lines.append(isLine ? Line(decoder: decoder) : nil)
      var described = stream
      if isLine { described.channels = decoder.channels }
      streams.append(described)
    }
  }

  /// Looks for streams that have become known.
  @usableFromInline mutating func learn() { if let more = inputs.more { learn(more()) } }

  /// Takes the next reading.
  @inlinable public mutating func receive(_ reading: Reading) {
    outputs.removeAll()
    let index = Int(reading.stream.index)
    if index >= lines.count, index != UInt16.max { learn() }
    guard index < lines.count, lines[index] != nil else { return passing = reading }
    let level = reading.values.first ?? .missing
    outputs.stream = reading.stream
    outputs.isAfterGap = lines[index]?.isAfterGap == true || reading.flags.contains(.gapBefore)
    if !level.isMissing {
      let edge = Edge(
        time: reading.time, isHigh: level.significand != 0, isInitial: reading.flags.contains(.initialLevel),
        isAfterGap: reading.flags.contains(.gapBefore))
      lines[index]?.decoder.receive(edge, into: &outputs)
    }
    lines[index]?.isAfterGap = outputs.isAfterGap
  }

  /// The last readings of each line.
  public mutating func finish() {
    outputs.removeAll()
    for index in lines.indices {
      outputs.stream = StreamID(UInt16(truncatingIfNeeded: index))
      outputs.isAfterGap = lines[index]?.isAfterGap ?? false
      lines[index]?.decoder.finish(into: &outputs)
    }
  }

  /// The next reading; nil if it needs another input for it.
  @inlinable public mutating func next() -> Reading? { passing.take() ?? outputs.next() }
}
