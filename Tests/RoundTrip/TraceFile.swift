import SluiceReadings
import SluiceRecording

/// A trace as another program might write it. It has its own encoders, so that the readers are not tested with the
/// encoders of this library.
struct TraceFile {
  var name: String
  var text: String
  /// The metadata beside it; nil for none.
  var metadata: String?
  /// What a reader of this file has to find.
  var trace: Trace

  // MARK: JSON Lines

  static func jsonLines(_ trace: Trace, _ name: String, isDescribed: Bool, _ random: inout Randomness) -> TraceFile {
    let lines = trace.readings.map { reading in
      let stream = trace.streams[Int(reading.stream.index)]
      let values = zip(stream.channels, reading.values).map { channel, value in
        "\(json(channel.name)):\(value.isMissing ? "null" : number(value, &random))"
      }
      let flags = reading.flags.isEmpty ? "" : ",\"flags\":[\(names(reading.flags).joined(separator: ","))]"
      return
        "{\"time_ns\":\(reading.time),\"stream\":\(json(stream.name)),\"values\":{\(values.joined(separator: ","))}\(flags)}\n"
    }
    return TraceFile(
      name: name, text: lines.joined(), metadata: isDescribed ? metadata(trace.streams, format: "jsonl") : nil,
      trace: isDescribed ? trace : undescribed(trace))
  }

  private static func names(_ flags: Reading.Flags) -> [String] {
    let all: [(Reading.Flags, String)] = [
      (.gapBefore, "gap_before"), (.initialLevel, "initial_level"), (.late, "late"),
      (.uncertainTime, "uncertain_time"), (.possibleDuplicate, "possible_duplicate"),
      (.uncertainLevel, "uncertain_level"),
    ]
    return all.filter { flags.contains($0.0) }.map { json($0.1) }
  }

  /// The number in one of the forms that JSON has.
  private static func number(_ value: ExactDecimal, _ random: inout Randomness) -> String {
    random.chance(20) && value.exponent != 0 ? "\(value.significand)e\(value.exponent)" : value.description
  }

  /// Replay.md: "If rows name their streams (the long layout, JSON Lines), a file without metadata is read twice,
  /// first for its streams." They have the order in which they come.
  static func undescribed(_ trace: Trace) -> Trace {
    var order: [Int] = []
    for reading in trace.readings where !order.contains(Int(reading.stream.index)) {
      order.append(Int(reading.stream.index))
    }
    var known = Trace(streams: order.map { trace.streams[$0] }, readings: trace.readings)
    for index in known.readings.indices {
      let stream = order.firstIndex(of: Int(known.readings[index].stream.index)) ?? 0
      known.readings[index].stream = StreamID(UInt16(stream))
    }
    return known
  }

  // MARK: CSV

  /// In the long layout.
  static func longRows(_ trace: Trace, _ name: String) -> TraceFile {
    var text = "time_ns,stream,channel,value\n"
    for reading in trace.readings {
      let stream = trace.streams[Int(reading.stream.index)]
      for (channel, value) in zip(stream.channels, reading.values) {
        text += "\(reading.time),\(cell(stream.name)),\(cell(channel.name)),\(value)\n"
      }
    }
    return TraceFile(name: name, text: text, metadata: nil, trace: undescribed(trace))
  }

  /// In the wide layout; each row has the cells of one stream.
  ///
  /// Record.md: "Columns are `time_ns` and `STREAM.channel`, or `STREAM` for a stream of one channel". Replay.md: "Without
  /// metadata, a file with the time column `time_ns` has columns `STREAM.channel`, which are split at the first dot."
  static func wideRows(_ trace: Trace, _ name: String) -> TraceFile {
    let titles = trace.streams.flatMap { stream in
      stream.channels.count == 1 ? [cell(stream.name)] : stream.channels.map { cell("\(stream.name).\($0.name)") }
    }
    var text = (["time_ns"] + titles).joined(separator: ",") + "\n"
    for reading in trace.readings {
      var cells: [String] = []
      for (number, stream) in trace.streams.enumerated() {
        let isOwn = number == Int(reading.stream.index)
        // A reading without any value would be none.
        let isMissing = isOwn && reading.values.allSatisfy(\.isMissing)
        for channel in stream.channels.indices {
          cells.append(isMissing && channel == 0 ? "nan" : isOwn ? reading.values[channel].description : "")
        }
      }
      text += "\(reading.time),\(cells.joined(separator: ","))\n"
    }
    var trace = trace
    for stream in trace.streams.indices where trace.streams[stream].channels.count == 1 {
      trace.streams[stream].channels[0].name = "value"
    }
    return TraceFile(name: name, text: text, metadata: nil, trace: trace)
  }

  private static func cell(_ text: String) -> String {
    "\"" + text.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
  }

  // MARK: Metadata

  /// Streams and nothing else, as a user might write it.
  private static func metadata(_ streams: [StreamDescription], format: String) -> String {
    let described = streams.map { stream in
      let channels = stream.channels.map { channel in
        var members = ["\"sluice:name\":\(json(channel.name))"]
        if let unit = channel.unit { members.append("\"sluice:unit\":\(json(unit))") }
        if let format = channel.format { members.append("\"sluice:format\":\(json(format))") }
        members.append("\"sluice:scale\":\(channel.scale),\"sluice:offset\":\(channel.offset)")
        return "{\(members.joined(separator: ","))}"
      }
      let device = stream.device.map {
        "\"sluice:device\":{\"sluice:path\":\(json($0.path ?? "")),\"sluice:bus\":\(json($0.bus ?? ""))},"
      }
      return
        "{\"sluice:name\":\(json(stream.name)),\(device ?? "")\"sluice:channels\":[\(channels.joined(separator: ","))]}"
    }
    let values = streams.first?.isScaled ?? true ? "scaled" : "raw"
    return """
      {"sluice:format":"\(format)","sluice:state":"finished","sluice:values":"\(values)",
      "sluice:streams":[\(described.joined(separator: ",\n"))]}

      """
  }

  private static func json(_ text: String) -> String {
    "\""
      + text.unicodeScalars.map { scalar in
        switch scalar {
        case "\"", "\\": "\\\(scalar)"
        case _ where scalar.value < 0x20:
          "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
        default: String(scalar)
        }
      }.joined() + "\""
  }
}
