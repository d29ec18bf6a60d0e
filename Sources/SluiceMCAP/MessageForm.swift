import SluiceCDR
import SluiceReadings
import SluiceRecording

/// How the messages of a channel become readings.
enum MessageForm {
  /// Messages that sluice has written as CDR: numbers of 64 bits behind the time and the flags.
  /// They are plain if their channels are in the order of the stream's, and all of these are there.
  case ours(channels: [Int], decimals: [Int], isPlain: Bool)
  /// Messages that sluice has written as JSON.
  case ourJSON([String: Int])
  /// Messages of ROS 2.
  case cdr(CDRReader)
  /// Objects of JSON, whose members become channels, those of nested objects too.
  case json([String: Int])
  /// What is no reading: marks and losses, which the metadata has.
  case silent
  /// What cannot be read, and why.
  case unknown(String)
}

/// The streams of a file, and how the messages of each channel become their readings.
struct MessageForms {
  private(set) var streams: [StreamDescription] = []
  /// By channel of the file.
  private(set) var channels: [UInt16: (stream: Int, form: MessageForm)] = [:]
  /// What a user should know: fields and channels that are left out.
  private(set) var notices: [String] = []
  /// The notices beyond the first few. A file can have 65,535 channels.
  private var moreNotices = 0
  static let mostNotices = 20
  private var places: [ExactName: Int] = [:]
  /// By topic, the last number that was given to a stream of it.
  private var numbers: [ExactName: Int] = [:]

  /// - Parameters:
  ///   - described: The streams of the metadata, in their order. Some may have no message.
  ///   - firstMessage: The data of a message of a channel, for channels whose schema does not say what they have.
  init(
    _ contents: Contents, _ described: [StreamDescription], _ name: String,
    firstMessage: (UInt16) throws(SluiceError) -> [UInt8]?
  ) throws(SluiceError) {
    for stream in described where contents.isOurs && places[ExactName(stream.name)] == nil { _ = add(stream) }
    for channel in contents.summary.channels {
      if contents.isOurs, channel.topic == Events.eventsTopic || channel.topic == Events.lossesTopic,
        channel.value(StreamSeries.key) == nil
      {
        channels[channel.id] = (0, .silent)
        continue
      }
      if let stream = StreamSeries.stream(of: channel) {
        addOurs(channel, stream, name)
        continue
      }
      let schema = contents.summary.schema(channel.schema)
      switch channel.encoding {
      case "cdr": addCDR(channel, schema, name)
      case "json": addJSON(channel, schema, try firstMessage(channel.id), name)
      case "ros1": leaveOut(channel, "they are of ROS 1, which sluice does not read", name)
      default: leaveOut(channel, "their encoding \"\(channel.encoding.prefix(40))\" is not known", name)
      }
    }
    if moreNotices > 0 {
      notices.append(
        "\(name): \(grouped(moreNotices)) more warning\(moreNotices == 1 ? "" : "s") about its channels \(moreNotices == 1 ? "is" : "are") not shown"
      )
    }
    // A later channel may add to a stream.
    for (id, channel) in channels {
      guard case .ours(let numbers, let decimals, _) = channel.form else { continue }
      let isPlain = numbers.elementsEqual(streams[channel.stream].channels.indices)
      channels[id]?.form = .ours(channels: numbers, decimals: decimals, isPlain: isPlain)
    }
  }

  private mutating func leaveOut(_ channel: ChannelRecord, _ cause: String, _ name: String) {
    channels[channel.id] = (0, .unknown(cause))
    note("\(name): the messages of \(channel.topic) are left out: \(cause)")
  }

  private mutating func note(_ notice: String) {
    if notices.count < Self.mostNotices { notices.append(notice) } else { moreNotices += 1 }
  }

  /// The place of a stream, which is added if it is new, or gets further channels.
  /// - Returns: The places of its channels in the stream of this name; nil if there is no room for it.
  private mutating func add(_ stream: StreamDescription) -> (place: Int, channels: [Int])? {
    guard let place = places[ExactName(stream.name)] else {
      guard streams.count < TraceMetadata.mostStreams, stream.channels.count <= Values.capacity else { return nil }
      places[ExactName(stream.name)] = streams.count
      streams.append(stream)
      return (streams.count - 1, Array(stream.channels.indices))
    }
    var numbers: [Int] = []
    for channel in stream.channels {
      if let known = streams[place].channels.firstIndex(where: { $0.name.isExactly(channel.name) }) {
        numbers.append(known)
        continue
      }
      guard streams[place].channels.count < Values.capacity else { return nil }
      numbers.append(streams[place].channels.count)
      streams[place].channels.append(channel)
    }
    return (place, numbers)
  }

  private mutating func addOurs(_ channel: ChannelRecord, _ stream: StreamDescription, _ name: String) {
    guard let (place, numbers) = add(stream) else { return leaveOut(channel, "there are too many of them", name) }
    switch channel.encoding {
    case "cdr":
      let decimals = stream.channels.map { channel in
        // Raw values are whole numbers from the device.
        guard stream.isScaled else { return 0 }
        let offset = channel.offset.significand == 0 ? 0 : min(0, Int(channel.offset.exponent))
        return min(22, max(0, -(offset + Int(channel.scale.exponent))))
      }
      channels[channel.id] = (place, .ours(channels: numbers, decimals: decimals, isPlain: false))
    case "json":
      let fields = ROS2Fields.names(of: stream)
      channels[channel.id] = (place, .ourJSON(Dictionary(zip(fields, numbers), uniquingKeysWith: { $1 })))
    default: leaveOut(channel, "their encoding \"\(channel.encoding.prefix(40))\" is not known", name)
    }
  }

  /// A schema of ROS 2 has some hundred bytes.
  private static let longestSchema = 1 << 20

  private mutating func addCDR(_ channel: ChannelRecord, _ schema: SchemaRecord?, _ name: String) {
    guard let schema, schema.encoding == "ros2msg" else {
      return leaveOut(
        channel,
        schema.map { "their schema is in \"\($0.encoding.prefix(40))\", and sluice reads ros2msg" }
          ?? "there is no schema for them", name)
    }
    guard schema.data.count <= Self.longestSchema else {
      return leaveOut(channel, "their schema is longer than 1 MiB", name)
    }
    let text = String(decoding: schema.data, as: UTF8.self)
    do throws(ROS2Definition.Fault) {
      let reader = try CDRReader(try ROS2Definition(text))
      // A comment may be in any encoding.
      if reader.names.contains(where: { $0.unicodeScalars.contains("\u{fffd}") }), !text.utf8.elementsEqual(schema.data)
      {
        throw ROS2Definition.Fault(text: "the name of a field is not UTF-8")
      }
      guard !reader.names.isEmpty else { return leaveOut(channel, "they have no number", name) }
      addForeign(channel, reader.names, .cdr(reader), name)
      noteLeftOut(reader.leftOut, channel, name)
    } catch {
      leaveOut(channel, "their schema \(schema.name) cannot be read: \(error.text)", name)
    }
  }

  private mutating func noteLeftOut(_ fields: [String], _ channel: ChannelRecord, _ name: String) {
    guard !fields.isEmpty else { return }
    let more = fields.count > 8 ? " and \(fields.count - 8) more" : ""
    note("\(name): of \(channel.topic) are left out: \(fields.prefix(8).joined(separator: ", "))\(more)")
  }

  private mutating func addJSON(
    _ channel: ChannelRecord, _ schema: SchemaRecord?, _ first: [UInt8]?, _ name: String
  ) {
    var names: [String] = []
    var arrays: [String] = []
    var beyond = 0
    if let first {
      first.withUnsafeBytes { data in
        _ = JSONMessage.forEachNumber(data, leftOut: { arrays.append($0) }) { name, _, _ in
          guard !names.contains(where: { $0.isExactly(name) }) else { return }
          if names.count < Values.capacity { names.append(name) } else { beyond += 1 }
        }
      }
    }
    if beyond > 0 {
      note(
        "\(name): of \(channel.topic) are left out: \(grouped(beyond)) numbers beyond \(Values.capacity) channels")
    }
    noteLeftOut(arrays, channel, name)
    guard !names.isEmpty else {
      return leaveOut(
        channel, first == nil ? "it has no message that can be read" : "the first of them has no number", name)
    }
    addForeign(channel, names, .json(Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { $1 })), name)
  }

  private mutating func addForeign(
    _ channel: ChannelRecord, _ names: [String], _ form: MessageForm, _ name: String
  ) {
    var topic = channel.topic
    if !channel.hasTextTopic {
      note("\(name): the topic \(topic) is not UTF-8; each wrong byte in it is read as \u{FFFD}")
    }
    while topic.hasPrefix("/") { topic.removeFirst() }
    var own = topic.isEmpty ? "channel\(channel.id)" : topic
    // Two channels of one topic may have different messages.
    var number = numbers[ExactName(own)] ?? 1
    let first = ExactName(own)
    while places[ExactName(own)] != nil {
      number += 1
      own = "\(topic)_\(number)"
    }
    numbers[first] = number
    var stream = StreamDescription(name: own, channels: names.map { StreamDescription.Channel(name: $0) })
    stream.isScaled = true
    guard let (place, _) = add(stream) else { return leaveOut(channel, "there are too many of them", name) }
    channels[channel.id] = (place, form)
  }
}

/// The names of fields that sluice gives to the channels of a stream.
enum ROS2Fields {
  static func names(of stream: StreamDescription) -> [String] { ROS2Message(stream).fields }
}
