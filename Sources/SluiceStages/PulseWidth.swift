public import SluiceReadings

/// The width and the period of each pulse of a line, high or low.
///
/// Each edge ends a pulse, and gives a reading: `level`, the level of the pulse; `width`, its length in seconds; and
/// `period`, the time since the previous edge of the same direction, in seconds. Width and period are exact to the
/// nanosecond. For the first edges, and for the first edges after a gap, they are missing.
///
/// ```swift
/// import SluiceStages
///
/// let widths = try LineProcessor(PulseWidth(), line: "PWM", inputs: InputStreams(trace.streams))
/// trace.publisher.process(by: widths).sink { print($0) } receiveValue: { print($0.values) }
/// ```
public struct PulseWidth: EdgeDecoder {
  /// `level`, `width` and `period`.
  public let channels = [
    StreamDescription.Channel(name: "level", format: StreamDescription.Channel.level),
    StreamDescription.Channel(name: "width", unit: "s"), StreamDescription.Channel(name: "period", unit: "s"),
  ]

  /// The previous edge; nil if it is not known.
  private var last: Edge?
  /// The time of the edge before the previous one, which had the direction of the next edge; nil if it is not known.
  private var before: Int64?

  /// Makes a decoder that has seen no edge.
  public init() {}

  /// Takes the next edge.
  public mutating func receive(_ edge: Edge, into outputs: inout EdgeOutputs) {
    guard !edge.isInitial else {
      // Another recording may begin here, and the time between the two recordings is not known.
      (before, last) = (nil, nil)
      return
    }
    var values = Values(edge.isHigh ? 0 : 1)
    // Two edges of one direction: only one direction is recorded, an edge between them was lost, or a level was
    // read late.
    if edge.isAfterGap || last?.isHigh == edge.isHigh { (before, last) = (edge.isAfterGap ? nil : last?.time, nil) }
    values.append(.seconds(from: last?.time, to: edge.time))
    values.append(.seconds(from: before, to: edge.time))
    outputs.append(time: edge.time, values)
    (before, last) = (last?.time, edge)
  }
}

extension ExactDecimal {
  /// The interval between two times in nanoseconds, in seconds; missing if the first is missing, or if it does not fit.
  static func seconds(from start: Int64?, to end: Int64) -> ExactDecimal {
    guard let start else { return .missing }
    let (distance, overflow) = end.subtractingReportingOverflow(start)
    return overflow ? .missing : ExactDecimal(significand: distance, exponent: -9)
  }
}
