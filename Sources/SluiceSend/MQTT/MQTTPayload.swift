#if SLUICE_MQTT
  import SluiceReadings
  import SluiceRecording

  /// The messages of a stream: rows of CSV with their header, and what stands beside them.
  struct MQTTPayload {
    let description: StreamDescription
    let topic: String
    let encoder: CSVEncoder
    /// Properties that do not change: board, stream, epoch, units.
    let properties: [(String, String)]

    static let contentType = "text/csv"

    init(_ stream: Int, of described: EncoderStreams, _ topics: MQTTTopics, _ numbers: BoardNumbers) {
      description = described.streams[stream]
      topic = topics.readings(description.name)
      encoder = CSVEncoder(
        layout: .wide,
        EncoderStreams(
          [description], from: described.base + stream, raw: described.raw, style: described.style))
      var properties = numbers.board.isEmpty ? [] : [("board", numbers.board)]
      properties += [("stream", description.name), ("epoch", numbers.epoch)]
      let units = description.channels.map { described.raw ? "" : $0.unit ?? "" }
      // One unit for each column behind the time.
      if units.contains(where: { !$0.isEmpty }) { properties.append(("unit", units.joined(separator: ","))) }
      // A property has 65,535 bytes at most.
      self.properties = properties.map { ($0.0, Self.text($0.1)) }
    }

    /// Puts the rows into a buffer.
    func encode(_ readings: ArraySlice<Reading>, into rows: EncodedRows) {
      rows.removeAll()
      encoder.header.withUnsafeBufferPointer { rows.text.append($0) }
      readings.withUnsafeBufferPointer { _ = encoder.encode($0, into: rows, until: .max) }
      encoder.endRow(into: rows)
    }

    /// The properties of a message.
    /// - Parameters:
    ///   - run: The random number of the run that has numbered the rows; 0 if it is not known.
    ///   - clockError: How far the clock of this board may be wrong, in nanoseconds; nil if it is not known.
    func properties(_ numbers: Range<UInt64>, run: UInt64, clockError: Int64?) -> [(String, String)] {
      properties + (run == 0 ? [] : [("run", String(run, radix: 16))])
        + [("sequence", "\(numbers.lowerBound)"), ("rows", "\(numbers.count)")]
        + (clockError.map { [("clock_error_ns", "\($0)")] } ?? [])
    }

    /// A text that MQTT allows: without NUL, and not too long.
    private static func text(_ text: String) -> String {
      String(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7f }.prefix(8_000).map(Character.init))
    }
  }
#endif
