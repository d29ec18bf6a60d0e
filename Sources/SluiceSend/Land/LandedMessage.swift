#if SLUICE_MQTT
  import SluiceLog

  /// A message with readings, as a board sends it, or why it is none.
  struct LandedMessage: Equatable, Sendable {
    var board: String
    var stream: String
    var epoch: String
    var numbers: Range<UInt64>
    /// Without its line feed.
    var header: ArraySlice<UInt8>
    /// The rows, each with its line feed.
    var body: ArraySlice<UInt8>

    enum Fault: Error, Equatable {
      case notNumbered, wrongForm
      /// It says that it is of a board to whose topics it was not sent. The broker's access list is about topics.
      case otherBoard
    }

    /// A board sends at most 1,024 rows (``MQTTMachine``), of at most 64 values each.
    static let mostBytes = 4 << 20
    private static let lineFeed = UInt8(ascii: "\n")

    init(_ message: MQTTMessage) throws(Fault) {
      let properties = message.properties
      guard let epoch = properties["epoch"], let stream = properties["stream"],
        let first = properties["sequence"].flatMap(UInt64.init), let count = properties["rows"].flatMap(UInt64.init)
      else { throw .notNumbered }
      board = properties["board"] ?? ""
      let levels = message.topic.split(separator: "/", omittingEmptySubsequences: false)
      guard levels.count > 2, levels[levels.count - 3] == MQTTTopics.level(board) else { throw .otherBoard }
      let isHexadecimal =
        !epoch.isEmpty && epoch.utf8.count <= 64 && epoch.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
      let (end, overflows) = first.addingReportingOverflow(count)
      // No board has a larger number.
      guard isHexadecimal, !overflows, end <= SegmentLog.mostReadings, message.bytes.count <= Self.mostBytes,
        message.bytes.last == Self.lineFeed, let header = message.bytes.firstIndex(of: Self.lineFeed)
      else { throw .wrongForm }
      body = message.bytes[(header + 1)...]
      // A row has no line feed in itself: names in its header are the only texts.
      guard count > 0, body.reduce(0, { $0 + ($1 == Self.lineFeed ? 1 : 0) }) == count else { throw .wrongForm }
      (self.epoch, self.stream, numbers, self.header) = (epoch, stream, first..<end, message.bytes[..<header])
    }

    /// The rows of some of its numbers.
    func rows(_ some: Range<UInt64>) -> ArraySlice<UInt8> {
      if some == numbers { return body }
      var (number, begin) = (numbers.lowerBound, body.startIndex)
      for place in body.indices where body[place] == Self.lineFeed {
        number += 1
        if number == some.lowerBound { begin = place + 1 }
        if number == some.upperBound { return body[begin...place] }
      }
      return []
    }
  }
#endif
