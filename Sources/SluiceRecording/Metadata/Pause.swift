/// A pause of a recording.
public struct Pause: Hashable, Sendable, Codable {
  /// The start of the pause.
  public var from: Int64
  /// The end of the pause; nil if the recording was not resumed.
  public var to: Int64?

  package init(from: Int64, to: Int64? = nil) {
    self.from = from
    self.to = to
  }

  private enum CodingKeys: String, CodingKey {
    case from = "from_ns"
    case to = "to_ns"
  }
}
