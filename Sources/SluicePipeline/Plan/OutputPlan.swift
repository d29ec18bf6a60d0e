import SluiceReadings
@_spi(Preview) public import SluiceRecording

/// The path of an output, and its format.
///
/// Use it in ``RecordingPlan/outputs``. Several outputs get the same readings, unless one has stages of its own.
///
/// ```swift
/// let output = OutputPlan("walk.csv", layout: .long, existing: .append)
/// ```
public struct OutputPlan: Hashable, Sendable {
  /// A file, a folder (one file per stream; `/` at the end creates it), or `-` for standard output.
  public var path: String
  /// The name of a format, such as `csv`; nil for the format of the path's ending.
  public var format: String?
  /// The layout of a CSV file; nil for the layout that fits the streams.
  public var layout: CSVLayout?
  /// What happens if the file exists.
  public var existing: ExistingFile
  /// Whether values are written as the device gave them, without offset and scale.
  public var raw: Bool
  /// The format of times in CSV and JSON Lines.
  public var time: RowTime
  /// The number of decimals that values are rounded to, 0 to 18; nil for all digits.
  public var decimals: Int?
  /// Whether the header of a wide CSV file has units, as in `accel_x (m/s^2)`.
  public var headerUnits: Bool
  /// The rotation into parts; nil for one file.
  public var rotation: Rotation?
  /// The stages that only the readings of this output pass, behind those of all outputs. No stage with a total, such as
  /// ``StagePlan/pulses(_:unit:line:start:)``.
  public var stages: [StagePlan] = []
  /// The buffer of this output alone, behind its stages: what a slow output cannot take yet waits here, and does not
  /// hold the other outputs. Nil for none.
  public var buffer: Buffer?

  /// The buffer of one output.
  ///
  /// ```swift
  /// var output = OutputPlan("slow.csv")
  /// output.buffer = OutputPlan.Buffer(10_000)
  /// ```
  public struct Buffer: Hashable, Sendable {
    /// Readings per stream, 1 or more; nil for the number that fits 8 MB for all streams together.
    public var size: Int?
    /// The policy for a reading that arrives when it is full.
    public var whenFull: WhenFull

    /// Plans a buffer.
    public init(_ size: Int? = nil, whenFull: WhenFull = .dropOldest) {
      self.size = size
      self.whenFull = whenFull
    }

    init(_ stage: BufferStage) { self.init(stage.size, whenFull: stage.whenFull) }
  }

  /// Its stages, with its buffer behind them.
  var allStages: [any RecordingStage] {
    stages.map(\.stage) + (buffer.map { [BufferStage(size: $0.size, whenFull: $0.whenFull)] } ?? [])
  }

  /// Plans an output with this path.
  public init(
    _ path: String, format: String? = nil, layout: CSVLayout? = nil, existing: ExistingFile = .refuse,
    raw: Bool = false, time: RowTime = .nanoseconds, decimals: Int? = nil, headerUnits: Bool = false,
    rotation: Rotation? = nil
  ) {
    self.time = time
    self.decimals = decimals
    self.headerUnits = headerUnits
    self.rotation = rotation
    self.path = path
    self.format = format
    self.layout = layout
    self.existing = existing
    self.raw = raw
  }
}

extension OutputPlan: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case path, format, layout, existing, raw, time, decimals
    case headerUnits = "header-units"
    case rotate, keep, stages, buffer
  }

  private static let existingFiles: [(String, ExistingFile)] = [
    ("refuse", .refuse), ("append", .append), ("overwrite", .overwrite),
  ]

  public init(from decoder: any Decoder) throws {
    let object = try PlanObject<CodingKeys>(decoder)
    try object.checkKeys()
    path = try object.required(.path, object.text(.path))
    format = try object.text(.format)
    layout = try object.choice(.layout)
    existing = try object.choice(.existing, Self.existingFiles) ?? .refuse
    raw = try object.flag(.raw) ?? false
    time = try object.choice(.time) ?? .nanoseconds
    decimals = try object.number(.decimals, 0...)
    if let decimals, decimals > RowStyle.mostDecimals {
      throw object.error(.decimals, " takes 0 to \(RowStyle.mostDecimals), not \(decimals)")
    }
    if decimals != nil, raw {
      throw object.error(
        .decimals, " rounds values, but raw writes them as the device gave them: leave out one of them")
    }
    headerUnits = try object.flag(.headerUnits) ?? false
    if headerUnits, raw {
      throw object.error(.headerUnits, " are not those of raw values: leave out one of them")
    }
    if headerUnits, layout == .long {
      throw object.error(.headerUnits, " stand in the header of the wide layout: take the layout wide")
    }
    if time == .relative, existing == .append {
      throw object.error(.time, " would count from another first reading in each run: use iso to append")
    }
    rotation = try object.value(.rotate)
    let keep: Retention? = try object.value(.keep)
    if keep != nil, rotation == nil { throw object.error(.keep, " is for parts: give \"rotate\" too") }
    rotation?.keep = keep
    if path.isEmpty {
      throw object.error(.path, " is empty: say a file, a folder, or - for standard output")
    }
    if path == "-", rotation != nil {
      throw object.error(.rotate, ": only a file has parts, and - is standard output")
    }
    if existing == .overwrite, rotation != nil {
      throw object.error(.existing, ": parts are never overwritten; append to them, or remove them")
    }
    stages = try object.list(.stages)
    for (index, stage) in stages.enumerated() {
      if stage.stage is BufferStage {
        throw object.error(at: [CodingKeys.stages, PlanKey(index)], ": the buffer of an output is its \"buffer\"")
      }
      if stage.stage.totalStage != nil {
        throw object.error(
          at: [CodingKeys.stages, PlanKey(index)],
          ": \(type(of: stage.stage).name) has a total, which goes on in the next run; write it into the \"stages\" of "
            + "the plan, or of its source")
      }
    }
    buffer = try object.value(.buffer)
    if path == "-", existing == .append {
      throw object.error(.existing, ": only a file can be appended to, and - is standard output")
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(path, forKey: .path)
    try container.encodeIfPresent(format, forKey: .format)
    try container.encodeIfPresent(layout?.rawValue, forKey: .layout)
    if existing != .refuse {
      try container.encodeIfPresent(Self.existingFiles.first { $0.1 == existing }?.0, forKey: .existing)
    }
    if raw { try container.encode(raw, forKey: .raw) }
    if time != .nanoseconds { try container.encode(time.rawValue, forKey: .time) }
    try container.encodeIfPresent(decimals, forKey: .decimals)
    if headerUnits { try container.encode(headerUnits, forKey: .headerUnits) }
    try container.encodeIfPresent(rotation, forKey: .rotate)
    try container.encodeIfPresent(rotation?.keep, forKey: .keep)
    if !stages.isEmpty { try container.encode(stages, forKey: .stages) }
    try container.encodeIfPresent(buffer, forKey: .buffer)
  }
}

extension OutputPlan.Buffer: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case size
    case whenFull = "when-full"
  }

  public init(from decoder: any Decoder) throws {
    let object = try PlanObject<CodingKeys>(decoder)
    try object.checkKeys()
    size = try object.number(.size, 1...)
    if let size, size > BufferStage.largest {
      throw object.error(
        .size, " takes at most \(grouped(BufferStage.largest)) readings of each stream, not \(size)")
    }
    whenFull = try object.choice(.whenFull) ?? .dropOldest
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(size, forKey: .size)
    if whenFull != .dropOldest { try container.encode(whenFull.rawValue, forKey: .whenFull) }
  }
}
