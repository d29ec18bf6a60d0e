public import SluiceDevices
package import SluiceReadings

/// Readings that never reached the pipeline, and the reason.
public struct Loss: Hashable, Sendable {
  /// The streams that share the count.
  public var streams: [String] = []
  /// The reason in words: `lost in the kernel`.
  public var label: String
  /// The count.
  public var count: Int
  /// The times when the first and the last loss were noticed, in nanoseconds since the epoch.
  public var first: Int64?
  /// The time when the last loss was noticed.
  public var last: Int64?
  /// Whether the count is of readings, not of occasions such as removals. An occasion may have lost any number of
  /// readings.
  public var countsReadings = true
  /// Whether each occasion may have lost readings that nothing else counts.
  public var isUncounted = false
  /// Whether the metadata of a trace has the loss: it happened when the trace was recorded.
  public var isRecorded = false
  /// The words for a sentence; nil for the count followed by the label.
  public var phrase: String?

  package init(
    streams: [String] = [], label: String, count: Int, first: Int64? = nil, last: Int64? = nil,
    countsReadings: Bool = true, isUncounted: Bool = false, isRecorded: Bool = false, phrase: String? = nil
  ) {
    self.streams = streams
    self.label = label
    self.count = count
    self.first = first
    self.last = last
    self.countsReadings = countsReadings
    self.isUncounted = isUncounted
    self.isRecorded = isRecorded
    self.phrase = phrase
  }

  /// `8 lost in the kernel of METER from 2026-11-21T12:00:01.123Z to 2026-11-21T12:00:01.456Z`.
  /// - Parameter isNaming: Whether the text names the streams.
  package func text(isNaming: Bool = false) -> String {
    let what =
      (phrase ?? "\(grouped(count)) \(count == 1 ? Self.singular(label) : label)")
      + (isNaming && !streams.isEmpty ? " of \(listed(streams))" : "")
    guard let first, let last else { return what }
    return what + (first == last ? " at \(utcTime(first))" : " from \(utcTime(first)) to \(utcTime(last))")
  }

  /// `1 tick missed`. The metadata keeps the plural, as the reason.
  private static func singular(_ label: String) -> String {
    label.hasPrefix("ticks ") ? "tick " + label.dropFirst("ticks ".count) : label
  }
}

extension Loss: Codable {
  private enum CodingKeys: String, CodingKey {
    case streams, reason, count, unit, uncounted
    case first = "first_ns"
    case last = "last_ns"
    case recorded
  }

  private static let occasions = "occasions"

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      streams: try members.decodeIfPresent([String].self, forKey: .streams) ?? [],
      label: try members.decode(String.self, forKey: .reason), count: try members.decode(Int.self, forKey: .count),
      first: try members.decodeIfPresent(Int64.self, forKey: .first),
      last: try members.decodeIfPresent(Int64.self, forKey: .last),
      countsReadings: try members.decodeIfPresent(String.self, forKey: .unit) != Self.occasions,
      isUncounted: try members.decodeIfPresent(Bool.self, forKey: .uncounted) ?? false,
      isRecorded: try members.decodeIfPresent(Bool.self, forKey: .recorded) ?? false)
  }

  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    if !streams.isEmpty { try members.encode(streams, forKey: .streams) }
    try members.encode(label, forKey: .reason)
    try members.encode(count, forKey: .count)
    if !countsReadings { try members.encode(Self.occasions, forKey: .unit) }
    if isUncounted { try members.encode(true, forKey: .uncounted) }
    try members.encodeIfPresent(first, forKey: .first)
    try members.encodeIfPresent(last, forKey: .last)
    if isRecorded { try members.encode(true, forKey: .recorded) }
  }

  package var json: JSON {
    // Encoding a loss cannot fail.
    (try? JSON(encoding: self)) ?? .null
  }
}

extension DeviceLosses {
  /// The losses in the form of an account.
  public var accounted: [Loss] {
    all.map { count in
      Loss(
        label: count.sign.label, count: count.count, first: count.first, last: count.last,
        countsReadings: count.isCountOfReadings,
        isUncounted: count.sign == .removed || (count.sign == .full && mayHaveUncountedLosses),
        phrase: count.description)
    }
  }
}
