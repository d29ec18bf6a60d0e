package import SluiceReadings

/// The document beside a recording, by which it is written and read. docs/Metadata.md describes it.
///
/// It uses W3C's Metadata Vocabulary for Tabular Data. The standard allows other properties if their names are absolute
/// URLs, or have a prefix from a fixed list. `sluice:` is not in that list: a reader takes it for a URI scheme. So every
/// name of our own has it, at each depth: here where this type names the member, and below by ``prefix``.
///
/// Members are added, never renamed. What is not known is left out, unknown members are ignored, and documents of
/// earlier versions have fewer. They are written in the order of the keys.
package struct MetadataDocument: Codable {
  package var context: Unneeded<String>?
  package var url: Unneeded<String>?
  package var tableSchema: TableSchema?
  package var format: String?
  package var version: String?
  package var state: String?
  package var part: Unneeded<Int>?
  package var values: Choice<TraceMetadata.Written>?
  package var time: Choice<RowTime>?
  package var timeZero: Int64?
  package var decimals: Int?
  package var streams: [Stream]?
  package var pipeline: Unneeded<Pipeline>?
  package var clocks: Clocks?
  package var host: Unneeded<Host>?
  package var notes: Unneeded<[Note]>?
  package var trace: Trace?
  package var beganAtByte: Int64?
  package var earlierRuns: Int?
  package var hasUndescribedRows: Bool?
  package var accountVersion: Unneeded<Int>?
  package var ledger: [StreamAccount]?
  package var losses: [Loss]?
  package var lossesShown: String?
  package var gapBefore: [FlaggedReadings]?
  package var initialLevel: [FlaggedReadings]?
  package var late: [FlaggedReadings]?
  package var uncertainTime: [FlaggedReadings]?
  package var possibleDuplicate: [FlaggedReadings]?
  package var uncertainLevel: [FlaggedReadings]?
  package var pauses: [Pause]?
  package var marks: [Mark]?
  package var restarts: [TraceMetadata.Restart]?
  package var timesLimit: Unneeded<Int>?
  package var errors: [String]?
  package var totals: [TraceMetadata.Total]?
  package var repaired: TraceMetadata.Repair?

  package init() {}

  enum CodingKeys: String, CodingKey {
    case context = "@context"
    case url, tableSchema
    case format = "sluice:format"
    case version = "sluice:version"
    case state = "sluice:state"
    case part = "sluice:part"
    case values = "sluice:values"
    case time = "sluice:time"
    case timeZero = "sluice:time_zero_ns"
    case decimals = "sluice:decimals"
    case streams = "sluice:streams"
    case pipeline = "sluice:pipeline"
    case clocks = "sluice:clocks"
    case host = "sluice:host"
    case notes = "sluice:meta"
    case trace = "sluice:trace"
    case beganAtByte = "sluice:began_at_byte"
    case earlierRuns = "sluice:earlier_runs"
    case hasUndescribedRows = "sluice:undescribed_rows"
    case accountVersion = "sluice:account_version"
    case ledger = "sluice:ledger"
    case losses = "sluice:losses"
    case lossesShown = "sluice:losses_shown"
    case gapBefore = "sluice:gap_before"
    case initialLevel = "sluice:initial_level"
    case late = "sluice:late"
    case uncertainTime = "sluice:uncertain_time"
    case possibleDuplicate = "sluice:possible_duplicate"
    case uncertainLevel = "sluice:uncertain_level"
    case pauses = "sluice:pauses"
    case marks = "sluice:marks"
    case restarts = "sluice:restarts"
    case timesLimit = "sluice:times_limit"
    case errors = "sluice:errors"
    case totals = "sluice:totals"
    case repaired = "sluice:repaired"
  }

  /// The prefix of the names inside of a member; none in the members of the standard.
  static func prefix(inside member: String) -> String { member == CodingKeys.tableSchema.rawValue ? "" : "sluice:" }

  // MARK: Streams

  package struct Stream: Codable {
    var name: String
    /// `channel` if the columns of a wide file are named by the channel alone.
    var columns: String?
    var device: Device?
    var channels: [Channel]

    package init(_ stream: StreamDescription) {
      name = stream.name
      columns = stream.hasForeignColumns ? Self.foreign : nil
      device = stream.device.flatMap { $0 == StreamDescription.Device() ? nil : Device($0) }
      channels = stream.channels.map(Channel.init)
    }

    func description(isScaled: Bool) -> StreamDescription {
      var stream = StreamDescription(name: name, channels: channels.map(\.description), device: device?.description)
      stream.isScaled = isScaled
      stream.hasForeignColumns = columns == Self.foreign
      return stream
    }

    private static var foreign: String { "channel" }
  }

  struct Device: Codable {
    var path, bus, label, name: String?

    init(_ device: StreamDescription.Device) {
      (path, bus, label, name) = (device.path, device.bus, device.label, device.name)
    }

    var description: StreamDescription.Device {
      StreamDescription.Device(path: path, bus: bus, label: label, name: name)
    }
  }

  struct Channel: Codable {
    var name: String
    var unit, format: String?
    var scale, offset: ExactNumber?

    init(_ channel: StreamDescription.Channel) {
      (name, unit, format) = (channel.name, channel.unit, channel.format)
      (scale, offset) = (ExactNumber(channel.scale), ExactNumber(channel.offset))
    }

    var description: StreamDescription.Channel {
      StreamDescription.Channel(
        name: name, unit: unit, format: format, scale: scale?.value ?? .one, offset: offset?.value ?? .zero)
    }
  }

  // MARK: Run

  package struct Pipeline: Codable {
    var command: String
    var arguments: [String]
    /// The JSON of the plan, as a string. As an object, each of its members would need the prefix, so it would not be a
    /// plan any more.
    var plan: String?
    /// What was taken over from a plan that was read again while it ran.
    var planChanges: [PlanChange]?

    private enum CodingKeys: String, CodingKey {
      case command, arguments, plan
      case planChanges = "plan_changes"
    }

    package init(command: String, arguments: [String], plan: String?, changes: [PlanChange] = []) {
      (self.command, self.arguments, self.plan) = (command, arguments, plan)
      planChanges = changes.isEmpty ? nil : changes
    }
  }

  package struct PlanChange: Codable {
    var at: Int64
    var changed: [String]

    package init(at time: Int64, changed: [String]) { (at, self.changed) = (time, changed) }

    private enum CodingKeys: String, CodingKey {
      case at = "at_ns"
      case changed
    }
  }

  package struct Note: Codable {
    var key: String
    var value: String

    package init(key: String, value: String) { (self.key, self.value) = (key, value) }
  }

  package struct Clocks: Codable {
    package var began, ended, offset: Int64?
    package var offsetAtEnd: Unneeded<Int64>?
    package var isSynchronised: Bool?
    package var changes: [ClockChange]?
    package var changesCount: Unneeded<Int>?
    package var maxError, estimatedError, maxErrorAtEnd, estimatedErrorAtEnd: Unneeded<Int64>?
    package var excesses: Unneeded<[ClockExcess]>?
    package var excessesCount: Unneeded<Int>?

    package init() {}

    private enum CodingKeys: String, CodingKey {
      case began = "began_ns"
      case ended = "ended_ns"
      case offset = "monotonic_to_epoch_ns"
      case offsetAtEnd = "monotonic_to_epoch_at_end_ns"
      case isSynchronised = "synchronised"
      case changes
      case changesCount = "changes_count"
      case maxError = "max_error_ns"
      case estimatedError = "estimated_error_ns"
      case maxErrorAtEnd = "max_error_at_end_ns"
      case estimatedErrorAtEnd = "estimated_error_at_end_ns"
      case excesses = "above_max_error"
      case excessesCount = "above_max_error_count"
    }

    var clocks: TraceMetadata.Clocks {
      TraceMetadata.Clocks(
        began: began, ended: ended, offset: offset, isSynchronised: isSynchronised,
        changes: (changes ?? []).compactMap(\.change), errors: .init(maxError, estimatedError),
        errorsAtEnd: .init(maxErrorAtEnd, estimatedErrorAtEnd),
        excesses: (excesses?.value ?? []).map {
          TraceMetadata.ClockExcess(from: $0.from, to: $0.to, greatest: $0.maxError)
        }, excessCount: excessesCount?.value)
    }
  }

  package struct ClockExcess: Codable {
    var from: Int64
    var to: Int64?
    var maxError: Int64

    private enum CodingKeys: String, CodingKey {
      case from = "from_ns"
      case to = "to_ns"
      case maxError = "max_error_ns"
    }

    package init(_ excess: TraceMetadata.ClockExcess) {
      (from, to, maxError) = (excess.from, excess.to, excess.greatest)
    }
  }

  package struct ClockChange: Codable {
    var time: Int64
    var cause: String
    var offset: Int64
    var suspended: Int64?
    var maxError, estimatedError: Unneeded<Int64>?

    private enum CodingKeys: String, CodingKey {
      case time = "at_ns"
      case cause
      case offset = "monotonic_to_epoch_ns"
      case suspended = "suspended_ns"
      case maxError = "max_error_ns"
      case estimatedError = "estimated_error_ns"
    }

    package init(_ change: TraceMetadata.ClockChange) {
      (time, cause, offset) = (change.time, change.cause.rawValue, change.offset)
      suspended = change.suspended
      maxError = change.errors.map { .init($0.greatest) }
      estimatedError = change.errors.map { .init($0.estimated) }
    }

    /// The change; nil for a cause from a later version.
    var change: TraceMetadata.ClockChange? {
      TraceMetadata.ClockChange.Cause(rawValue: cause).map {
        TraceMetadata.ClockChange(
          time: time, cause: $0, offset: offset, suspended: suspended, errors: .init(maxError, estimatedError))
      }
    }
  }

  package struct Trace: Codable {
    var file: String?
    var files: Unneeded<[String]>?
    var state: String?
    var errors: [String]?

    package init(file: String?, files: [String]?, state: TraceMetadata.State?, errors: [String]) {
      (self.file, self.files, self.state) = (file, files.map(Unneeded.init), state?.rawValue)
      self.errors = errors.isEmpty ? nil : errors
    }
  }

  // MARK: Values

  // Both are generic without a condition: the runtime would look for each conformance when it makes the type, which is a
  // search through all conformances of the program (0.3 % of a recording's start each).

  /// One of the values known to this version.
  package struct Choice<Value> {
    let value: Value

    package init(_ value: Value) { self.value = value }
  }

  /// A value that no reader of the trace needs. So a document in which it is of another kind is read all the same.
  package struct Unneeded<Value> {
    let value: Value?

    package init(_ value: Value) { self.value = value }
  }
}

extension TraceMetadata.ClockErrors {
  fileprivate init?(_ greatest: MetadataDocument.Unneeded<Int64>?, _ estimated: MetadataDocument.Unneeded<Int64>?) {
    guard let greatest = greatest?.value, let estimated = estimated?.value else { return nil }
    self.init(greatest: greatest, estimated: estimated)
  }
}

extension MetadataDocument.Choice: Codable where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let value = Value(rawValue: text) else {
      let known = Value.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: " and ")
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "is \"\(text)\", but this version knows only \(known)")
    }
    self.value = value
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value.rawValue)
  }
}

extension MetadataDocument.Unneeded: Codable where Value: Codable {
  package init(from decoder: any Decoder) throws {
    value = try? decoder.singleValueContainer().decode(Value.self)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}
