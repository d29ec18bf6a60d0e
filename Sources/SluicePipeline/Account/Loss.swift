public import SluiceDevices
import SluiceReadings

/// Readings that never reached the pipeline, and how that is known.
public struct Loss: Hashable, Sendable {
  /// Those that share the count.
  public var streams: [String] = []
  /// How it is known.
  public var label: String
  /// How many there were.
  public var count: Int
  /// When the first and the last were found out, in nanoseconds since the epoch.
  public var first: Int64?
  /// When the last loss was found out.
  public var last: Int64?
  /// The count is of readings; or of occasions, such as removals, each of which may have cost any number.
  public var countsReadings = true
  /// Each occasion may have cost readings that nothing else counts.
  public var isUncounted = false
  /// The trace's metadata says so: it was lost when the trace was recorded.
  public var isRecorded = false
  /// Count and label as a sentence has them, where that is not one behind the other.
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
  /// - Parameter isNaming: Says of which streams.
  package func text(isNaming: Bool = false) -> String {
    let what =
      (phrase ?? "\(grouped(count)) \(label)")
      + (isNaming && !streams.isEmpty ? " of \(listed(streams))" : "")
    guard let first, let last else { return what }
    return what + (first == last ? " at \(utcTime(first))" : " from \(utcTime(first)) to \(utcTime(last))")
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

  /// Decodes a value.
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

  /// Encodes this value.
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
  /// As they stand in an account.
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
