import SluiceReadings

/// The members of the metadata file. Numbers are strings at this point.
extension TraceMetadata {
  struct Document: Decodable {
    let tableSchema: Schema?
    let format: String?
    let version, state: String?
    let time: Choice<RowTime>?
    let timeZero: Number<Int64>?
    let decimals: Number<Count>?
    let values: Choice<Written>?
    let streams: [Stream]?
    let losses: [LossEntry]?
    let lossesShown: String?
    let gapBefore, initialLevel, late: [FlaggedEntry]?
    let ledger: [AccountEntry]?
    let pauses: [PauseEntry]?
    let restarts: [RestartEntry]?
    let totals: [TotalEntry]?
    let trace: OriginEntry?
    let earlierRuns: Number<Count>?
    let beganAtByte: Number<Int64>?
    let clocks: ClocksEntry?
    let errors: [String]?
    let undescribedRows: Bool?
    let repaired: RepairEntry?

    enum CodingKeys: String, CodingKey {
      case tableSchema
      case format = "sluice:format"
      case version = "sluice:version"
      case state = "sluice:state"
      case time = "sluice:time"
      case timeZero = "sluice:time_zero_ns"
      case decimals = "sluice:decimals"
      case values = "sluice:values"
      case streams = "sluice:streams"
      case losses = "sluice:losses"
      case lossesShown = "sluice:losses_shown"
      case gapBefore = "sluice:gap_before"
      case initialLevel = "sluice:initial_level"
      case late = "sluice:late"
      case ledger = "sluice:ledger"
      case pauses = "sluice:pauses"
      case restarts = "sluice:restarts"
      case totals = "sluice:totals"
      case trace = "sluice:trace"
      case earlierRuns = "sluice:earlier_runs"
      case beganAtByte = "sluice:began_at_byte"
      case clocks = "sluice:clocks"
      case errors = "sluice:errors"
      case undescribedRows = "sluice:undescribed_rows"
      case repaired = "sluice:repaired"
    }
  }

  struct Schema: Decodable { let columns: [Column] }

  /// One of the values known to this version.
  struct Choice<Value: RawRepresentable & CaseIterable>: Decodable where Value.RawValue == String {
    let value: Value

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      let text = try container.decode(String.self)
      guard let value = Value(rawValue: text) else {
        let known = Value.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: " and ")
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "is \"\(text)\", but this version knows only \(known)")
      }
      self.value = value
    }
  }

  /// The standard allows one title, several titles, or titles for each language.
  struct Column: Decodable {
    let title: String
    private enum CodingKeys: String, CodingKey { case titles, name }

    init(from decoder: any Decoder) throws {
      let members = try decoder.container(keyedBy: CodingKeys.self)
      if let title = try? members.decode(String.self, forKey: .titles) {
        self.title = title
      } else if let titles = try? members.decode([String].self, forKey: .titles), let title = titles.first {
        self.title = title
      } else {
        title = try members.decodeIfPresent(String.self, forKey: .name) ?? ""
      }
    }
  }

  struct Stream: Decodable {
    let name: String
    let channels: [Channel]
    let device: Device?
    let columns: String?

    private enum CodingKeys: String, CodingKey {
      case name = "sluice:name"
      case channels = "sluice:channels"
      case device = "sluice:device"
      case columns = "sluice:columns"
    }

    func description(isScaled: Bool) -> StreamDescription {
      var stream = StreamDescription(name: name, channels: channels.map(\.description))
      stream.device = device?.description
      stream.isScaled = isScaled
      stream.hasForeignColumns = columns == "channel"
      return stream
    }
  }

  struct Channel: Decodable {
    let name: String
    let unit, format: String?
    let scale, offset: Number<ExactDecimal>?

    private enum CodingKeys: String, CodingKey {
      case name = "sluice:name"
      case unit = "sluice:unit"
      case format = "sluice:format"
      case scale = "sluice:scale"
      case offset = "sluice:offset"
    }

    var description: StreamDescription.Channel {
      StreamDescription.Channel(
        name: name, unit: unit, format: format, scale: scale?.value ?? .one, offset: offset?.value ?? .zero)
    }
  }

  struct Device: Decodable {
    let path, bus, label, name: String?

    private enum CodingKeys: String, CodingKey {
      case path = "sluice:path"
      case bus = "sluice:bus"
      case label = "sluice:label"
      case name = "sluice:name"
    }

    var description: StreamDescription.Device {
      StreamDescription.Device(path: path, bus: bus, label: label, name: name)
    }
  }

  struct LossEntry: Decodable {
    let streams: [String]?
    let reason: String
    let count: Number<Count>
    let unit: String?
    let uncounted: Bool?
    let first, last: Number<Int64>?

    private enum CodingKeys: String, CodingKey {
      case streams = "sluice:streams"
      case reason = "sluice:reason"
      case count = "sluice:count"
      case unit = "sluice:unit"
      case uncounted = "sluice:uncounted"
      case first = "sluice:first_ns"
      case last = "sluice:last_ns"
    }

    var loss: Loss {
      // The first version did not distinguish removals from readings.
      let isRemoval = unit == nil && reason == "times removed"
      return Loss(
        streams: streams ?? [], reason: reason, count: count.value.value, first: first?.value, last: last?.value,
        countsReadings: (unit == nil && !isRemoval) || unit == "readings", isUncounted: uncounted ?? isRemoval)
    }
  }

  struct RestartEntry: Decodable {
    let ended: Number<Int64>?
    let began: Number<Int64>
    let streams: [String]?

    private enum CodingKeys: String, CodingKey {
      case ended = "sluice:ended_ns"
      case began = "sluice:began_ns"
      case streams = "sluice:streams"
    }

    var restart: Restart { Restart(ended: ended?.value, began: began.value, streams: streams ?? []) }
  }

  struct FlaggedEntry: Decodable {
    let stream: String
    let count: Number<Count>?
    let times: [Number<Int64>]?

    private enum CodingKeys: String, CodingKey {
      case stream = "sluice:stream"
      case count = "sluice:count"
      case times = "sluice:times_ns"
    }

    var flagged: FlaggedReadings {
      let times = (times ?? []).map(\.value)
      return FlaggedReadings(stream: stream, count: count?.value.value ?? times.count, times: times)
    }
  }

  struct AccountEntry: Decodable {
    let stream: String
    let received, written, dropped, suppressed, used, made, discarded, unwritten: Number<Count>?

    private enum CodingKeys: String, CodingKey {
      case stream = "sluice:stream"
      case received = "sluice:received"
      case written = "sluice:written"
      case dropped = "sluice:dropped"
      case suppressed = "sluice:suppressed"
      case used = "sluice:used"
      case made = "sluice:made"
      case discarded = "sluice:discarded"
      case unwritten = "sluice:unwritten"
    }

    var account: StreamAccount {
      func count(_ number: Number<Count>?) -> Int { number?.value.value ?? 0 }
      return StreamAccount(
        stream: stream, received: count(received), dropped: count(dropped), suppressed: count(suppressed),
        used: count(used), made: count(made), discarded: count(discarded), written: count(written),
        unwritten: count(unwritten))
    }
  }

  struct PauseEntry: Decodable {
    let from: Number<Int64>
    let to: Number<Int64>?

    private enum CodingKeys: String, CodingKey {
      case from = "sluice:from_ns"
      case to = "sluice:to_ns"
    }

    var pause: Pause { Pause(from: from.value, to: to?.value) }
  }

  struct ClocksEntry: Decodable {
    let began, ended, offset: Number<Int64>?
    let synchronised: Bool?
    let changes: [ClockChangeEntry]?

    private enum CodingKeys: String, CodingKey {
      case began = "sluice:began_ns"
      case ended = "sluice:ended_ns"
      case offset = "sluice:monotonic_to_epoch_ns"
      case synchronised = "sluice:synchronised"
      case changes = "sluice:changes"
    }

    var clocks: Clocks {
      Clocks(
        began: began?.value, ended: ended?.value, offset: offset?.value, isSynchronised: synchronised,
        changes: (changes ?? []).compactMap(\.change))
    }
  }

  struct ClockChangeEntry: Decodable {
    let time: Number<Int64>
    let cause: String
    let offset: Number<Int64>
    let suspended: Number<Int64>?

    private enum CodingKeys: String, CodingKey {
      case time = "sluice:at_ns"
      case cause = "sluice:cause"
      case offset = "sluice:monotonic_to_epoch_ns"
      case suspended = "sluice:suspended_ns"
    }

    /// The change; nil for a cause from a later version.
    var change: ClockChange? {
      ClockChange.Cause(rawValue: cause).map {
        ClockChange(time: time.value, cause: $0, offset: offset.value, suspended: suspended?.value)
      }
    }
  }

  struct OriginEntry: Decodable {
    let file, state: String?
    let errors: [String]?

    private enum CodingKeys: String, CodingKey {
      case file = "sluice:file"
      case state = "sluice:state"
      case errors = "sluice:errors"
    }
  }

  // MARK: Numbers

  /// A type that can be made from the text of a number.
  protocol Readable { init?(number: ExactDecimal) }

  /// A whole number of zero or more.
  struct Count: Readable {
    let value: Int
    init?(number: ExactDecimal) {
      guard let value = number.whole(power: 0).flatMap({ Int(exactly: $0) }), value >= 0 else { return nil }
      self.value = value
    }
  }

  /// A number with all its digits. A number that does not fit is refused.
  struct Number<Value: Readable>: Decodable {
    let value: Value

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      let text = try container.decode(String.self)
      guard let value = ExactDecimal(text).flatMap({ Value(number: $0) }) else {
        let kind = Value.self == ExactDecimal.self ? "number" : "whole number"
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "is \(text), which is no \(kind) whose digits fit in 64 bits")
      }
      self.value = value
    }
  }
}

extension Int64: TraceMetadata.Readable {
  init?(number: ExactDecimal) {
    guard let value = number.whole(power: 0) else { return nil }
    self = value
  }
}

extension ExactDecimal: TraceMetadata.Readable {
  init?(number: ExactDecimal) { self = number }
}
