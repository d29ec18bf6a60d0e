#if SLUICE_MQTT
  /// A message with readings, as a board sends it, or why it is none.
  struct LandedMessage: Equatable, Sendable {
    var board: String
    var stream: String
    var epoch: String
    var numbers: Range<UInt64>
    /// Without its line feed.
    var header: ArraySlice<UInt8>
    /// Each with its line feed.
    var rows: [ArraySlice<UInt8>]

    enum Fault: Error, Equatable { case notNumbered, wrongForm }

    init(_ message: MQTTMessage) throws(Fault) {
      let properties = message.properties
      guard let epoch = properties["epoch"], let stream = properties["stream"],
        let first = properties["sequence"].flatMap(UInt64.init), let count = properties["rows"].flatMap(UInt64.init)
      else { throw .notNumbered }
      let isHexadecimal =
        !epoch.isEmpty && epoch.utf8.count <= 64 && epoch.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
      let (end, overflows) = first.addingReportingOverflow(count)
      guard isHexadecimal, !overflows, message.bytes.last == UInt8(ascii: "\n") else { throw .wrongForm }
      var lines: [ArraySlice<UInt8>] = []
      var begin = message.bytes.startIndex
      for place in message.bytes.indices where message.bytes[place] == UInt8(ascii: "\n") {
        lines.append(message.bytes[begin...place])
        begin = place + 1
      }
      // A row has no line feed in itself: names in its header are the only texts.
      guard lines.count > 1, UInt64(lines.count - 1) == count else { throw .wrongForm }
      (self.epoch, self.stream, numbers) = (epoch, stream, first..<end)
      board = properties["board"] ?? ""
      (header, rows) = (lines[0].dropLast(), Array(lines.dropFirst()))
    }
  }
#endif
