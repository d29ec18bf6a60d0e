/// A moment of a recording that somebody marked with a text.
public struct Mark: Hashable, Sendable, Codable {
  /// Nanoseconds since the Unix epoch, by the clock of the readings.
  public var time: Int64
  /// The text.
  public var text: String

  package init(time: Int64, text: String) {
    self.time = time
    self.text = text
  }

  /// The largest number of marks of a recording, because each of them is in the metadata.
  package static var limit: Int { 10_000 }

  private enum CodingKeys: String, CodingKey {
    case time = "at_ns"
    case text
  }
}
