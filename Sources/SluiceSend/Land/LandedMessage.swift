#if SLUICE_MQTT
  import SluiceLog
  import SluiceReadings

  /// A message with readings, as a board sends it, or why it is none.
  struct LandedMessage: Equatable, Sendable {
    /// The name of the board; empty for one without a name.
    var board: String
    var topic: LandedTopic
    var stream: String
    var epoch: String
    /// The random number of the run that has numbered the rows; empty if it is not known.
    var run: String
    var numbers: Range<UInt64>
    /// Without its line feed.
    var header: ArraySlice<UInt8>
    /// The rows, each with its line feed.
    var body: ArraySlice<UInt8>

    enum Fault: Error, Equatable {
      case notNumbered, wrongForm
      /// Its property `board` is not the board of its topic. The broker's access list protects topics, not properties.
      case otherBoard
    }

    /// The largest message that is taken. Boards send messages of about 96 KiB (``MQTTTransport/mostBytes``).
    static let mostBytes = 1 << 20
    private static let longestHeader = 64 << 10
    private static let longestName = 256
    private static let lineFeed = UInt8(ascii: "\n")

    /// - Parameter common: The levels of the filter that are no part of a board's name.
    init(_ message: MQTTMessage, common: Int = 0) throws(Fault) {
      let properties = message.properties
      guard let epoch = properties["epoch"], let stream = properties["stream"],
        let first = properties["sequence"].flatMap(UInt64.init), let count = properties["rows"].flatMap(UInt64.init)
      else { throw .notNumbered }
      board = properties["board"] ?? ""
      let levels = message.topic.split(separator: "/", omittingEmptySubsequences: false)
      guard levels.count > 1, let topic = LandedTopic(root: levels.dropLast(2), board: board, common: common) else {
        throw .otherBoard
      }
      self.topic = topic
      let run = properties["run"] ?? ""
      let isHexadecimal =
        !epoch.isEmpty
        && [epoch, run].allSatisfy {
          $0.utf8.count <= 64 && $0.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
        }
      let (end, overflows) = first.addingReportingOverflow(count)
      // No board has a larger number.
      guard isHexadecimal, !overflows, end <= SegmentLog.mostReadings, message.bytes.count <= Self.mostBytes,
        count <= MQTTTransport.mostReadings, message.bytes.last == Self.lineFeed,
        let header = message.bytes.firstIndex(of: Self.lineFeed), header <= Self.longestHeader,
        ![board, stream].contains(where: { $0.hasControlCharacters || $0.utf8.count > Self.longestName })
      else { throw .wrongForm }
      body = message.bytes[(header + 1)...]
      // A row has no line feed in itself: names in its header are the only texts.
      guard count > 0, body.reduce(0, { $0 + ($1 == Self.lineFeed ? 1 : 0) }) == count else { throw .wrongForm }
      (self.epoch, self.run, self.stream, numbers, self.header) = (
        epoch, run, stream, first..<end, message.bytes[..<header]
      )
    }

    /// The rows of some of its numbers.
    /// - Parameter some: In their order.
    func rows(_ some: [Range<UInt64>]) -> [UInt8] {
      if some == [numbers] { return Array(body) }
      var (rows, number, begin, next) = ([UInt8](), numbers.lowerBound, body.startIndex, 0)
      for place in body.indices where body[place] == Self.lineFeed {
        if next < some.count, some[next].contains(number) { rows += body[begin...place] }
        number += 1
        begin = place + 1
        while next < some.count, some[next].upperBound <= number { next += 1 }
      }
      return rows
    }
  }
#endif
