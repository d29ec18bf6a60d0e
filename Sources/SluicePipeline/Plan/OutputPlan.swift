public import SluiceRecording

/// The path of an output, and its format.
///
/// Use it in ``RecordingPlan/outputs``; several outputs get the same readings.
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
    case rotate, keep
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
  }
}
