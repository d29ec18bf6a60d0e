public import SluiceReadings

extension TraceMetadata {
  /// The last values that a stage has made of a stream, such as the total of a meter. The next run continues from them.
  public struct Total: Hashable, Sendable {
    /// The name of the stream.
    public var stream: String
    /// By channel, its last value.
    public var values: [String: ExactDecimal]
    /// Whether the total may be too small, because an earlier run was cut off.
    public var isAtLeast: Bool

    package init(stream: String, values: [String: ExactDecimal], isAtLeast: Bool = false) {
      self.stream = stream
      self.values = values
      self.isAtLeast = isAtLeast
    }

    /// The last value of a channel of whole numbers; nil if there is none.
    package func count(_ channel: String) -> Int64? {
      guard let value = values[channel], !value.isMissing, value.exponent == 0 else { return nil }
      return value.significand
    }
  }
}

extension TraceMetadata {
  struct TotalEntry: Decodable {
    let stream: String
    let values: [ValueEntry]
    let isAtLeast: Bool?

    struct ValueEntry: Decodable {
      let channel: String
      let value: Number<ExactDecimal>

      private enum CodingKeys: String, CodingKey {
        case channel = "sluice:channel"
        case value = "sluice:value"
      }
    }

    private enum CodingKeys: String, CodingKey {
      case stream = "sluice:stream"
      case values = "sluice:values"
      case isAtLeast = "sluice:at_least"
    }

    var total: Total {
      Total(
        stream: stream, values: Dictionary(values.map { ($0.channel, $0.value.value) }) { first, _ in first },
        isAtLeast: isAtLeast ?? false)
    }
  }
}
