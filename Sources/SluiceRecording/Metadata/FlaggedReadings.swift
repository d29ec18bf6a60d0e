/// The readings of one stream with one flag: those that follow a gap, are an initial level, or were late. The
/// rows of a CSV file do not show the flags.
public struct FlaggedReadings: Hashable, Sendable, Codable {
  /// The largest number of times that a recording keeps; more are only counted. So a sensor that always loses readings
  /// does not fill the memory.
  package static let limit = 1_000

  /// The name of the stream. It is empty until the metadata is made, because a trace may name its streams late.
  public var stream: String
  /// The number of readings.
  public var count: Int
  /// The times of the first 1,000 readings.
  public var times: [Int64]

  package init(stream: String = "", count: Int = 0, times: [Int64] = []) {
    self.stream = stream
    self.count = count
    self.times = times
  }

  package mutating func add(_ time: Int64) {
    count += 1
    if times.count < Self.limit { times.append(time) }
  }

  private enum CodingKeys: String, CodingKey {
    case stream, count
    case times = "times_ns"
  }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    stream = try members.decode(String.self, forKey: .stream)
    let count = try members.decodeIfPresent(Int.self, forKey: .count)
    times = try members.decodeIfPresent([Int64].self, forKey: .times) ?? []
    self.count = try count.map { try StreamAccount.checked($0, decoder) } ?? times.count
  }
}
