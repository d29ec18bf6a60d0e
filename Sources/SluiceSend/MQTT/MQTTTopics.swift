#if SLUICE_MQTT
  /// The topics of a board: its readings, its metadata and its state.
  ///
  /// They are below `TOPIC/BOARD`, so that two boards with the same station file do not share them.
  package struct MQTTTopics: Equatable, Sendable {
    /// `TOPIC/BOARD`, or `TOPIC` without the name of a board.
    package let root: String

    package init(_ topic: String, board: String) { root = board.isEmpty ? topic : "\(topic)/\(Self.level(board))" }

    package func readings(_ stream: String) -> String { "\(root)/readings/\(Self.level(stream))" }
    package var metadata: String { "\(root)/meta" }
    package var state: String { "\(root)/state" }
    /// Where `doctor --probe` publishes.
    package var probe: String { "\(root)/probe" }

    /// A name as one level of a topic. What has a meaning in topics, and what is not printed, is written like in a URL: `%2F`.
    static func level(_ name: String) -> String {
      guard !name.isEmpty else { return "%" }
      var level = ""
      for byte in name.utf8 {
        let isSpecial = byte <= 0x20 || byte == 0x7f || "/+#%$".utf8.contains(byte)
        if isSpecial || byte > 0x7f {
          level += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        } else {
          level.unicodeScalars.append(Unicode.Scalar(byte))
        }
        if level.utf8.count >= longest { break }
      }
      return level
    }

    /// The bytes of a level. A property has the whole name.
    private static let longest = 1_000
  }
#endif
