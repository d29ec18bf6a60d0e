/// Readings that never reached the recording, and the reason.
///
/// `DeviceLosses.Count` counts the same while a device is read: by a sign that code can compare, and for no stream yet.
public struct Loss: Hashable, Sendable {
  /// The streams that share the count.
  public var streams: [String] = []
  /// The reason in words: `lost in the kernel`.
  public var reason: String
  /// The count.
  public var count: Int
  /// The time when the first loss was noticed, in nanoseconds since the epoch.
  public var first: Int64?
  /// The time when the last loss was noticed.
  public var last: Int64?
  /// Whether the count is of readings, not of occasions such as removals. An occasion may have lost any number of
  /// readings.
  public var countsReadings = true
  /// Whether each occasion may have lost readings that nothing else counts.
  public var isUncounted = false
  /// In an account, whether the metadata of the trace has the loss: it happened when the trace was recorded.
  public var isRecorded = false
  /// The words for a sentence; nil for the count followed by the reason.
  public var phrase: String?

  /// Makes a loss. Times are nanoseconds since the epoch.
  public init(
    streams: [String] = [], reason: String, count: Int, first: Int64? = nil, last: Int64? = nil,
    countsReadings: Bool = true, isUncounted: Bool = false, isRecorded: Bool = false, phrase: String? = nil
  ) {
    self.streams = streams
    self.reason = reason
    self.count = count
    self.first = first
    self.last = last
    self.countsReadings = countsReadings
    self.isUncounted = isUncounted
    self.isRecorded = isRecorded
    self.phrase = phrase
  }
}

extension Loss: Codable {
  private enum CodingKeys: String, CodingKey {
    case streams, reason, count, unit, uncounted
    case first = "first_ns"
    case last = "last_ns"
    case recorded
  }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    let streams = try members.decodeIfPresent([String].self, forKey: .streams)
    let reason = try members.decode(String.self, forKey: .reason)
    let count = try members.decode(Int.self, forKey: .count)
    let unit = try members.decodeIfPresent(String.self, forKey: .unit)
    // The first version did not distinguish removals from readings.
    let isRemoval = unit == nil && reason == "times removed"
    let isUncounted = try members.decodeIfPresent(Bool.self, forKey: .uncounted)
    self.init(
      streams: streams ?? [], reason: reason, count: count,
      first: try members.decodeIfPresent(Int64.self, forKey: .first),
      last: try members.decodeIfPresent(Int64.self, forKey: .last),
      countsReadings: (unit == nil && !isRemoval) || unit == "readings", isUncounted: isUncounted ?? isRemoval,
      isRecorded: try members.decodeIfPresent(Bool.self, forKey: .recorded) ?? false)
  }

  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    if !streams.isEmpty { try members.encode(streams, forKey: .streams) }
    try members.encode(reason, forKey: .reason)
    try members.encode(count, forKey: .count)
    if !countsReadings { try members.encode("occasions", forKey: .unit) }
    if isUncounted { try members.encode(true, forKey: .uncounted) }
    try members.encodeIfPresent(first, forKey: .first)
    try members.encodeIfPresent(last, forKey: .last)
    if isRecorded { try members.encode(true, forKey: .recorded) }
  }
}
