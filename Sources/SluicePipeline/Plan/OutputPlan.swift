package import SluiceReadings
public import SluiceRecording

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
  /// How the values of MCAP are encoded, `cdr` or `json`; nil for CDR, and JSON for streams whose values it would round.
  public var encoding: String?
  /// Whether the header of a wide CSV file has units, as in `accel_x (m/s^2)`.
  public var headerUnits: Bool
  /// The tags of each row of line protocol, such as `site=cellar`; no name twice.
  public var tags: [RowTag] = []
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

extension OutputPlan: PlanPart {
  package static let settings = Settings<Self>(
    .required("path", \.path, .name),
    .optional("format", \.format, .text)
      .option(
        "FORMAT",
        "Format of the outputs: \(RecordingFormats.names.joined(separator: ", ")). (default: by the ending of the file's name, or else csv)",
        completion: .words(RecordingFormats.names)),
    .optional("layout", \.layout, .choice)
      .option(
        "Columns: wide has one per channel, long is time_ns,stream,channel,value. (default: that of a trace that is replayed; or else long for several streams in one file, and wide for one)"
      ),
    .optional("existing", \.existing, existing)
      .option("Append to an existing file with the same streams, units and scales.", named: "append", for: "append")
      .option("Overwrite an existing file.", named: "force", for: "overwrite")
      .says("What happens if the file exists."),
    .optional("raw", \.raw, .flag)
      .option("Write values as the device gave them, without offset and scale."),
    .optional("time", \.time, .choice)
      .option(
        "Times in CSV and JSON Lines: ns are nanoseconds since the epoch (time_ns), relative are seconds since the first reading (time_s), iso is ISO 8601 in UTC (time). (default: ns)"
      ),
    .optional("decimals", \.decimals, decimals)
      .option("N", "Round values to at most N decimals, 0 to 18. (default: all digits)")
      .excludes("raw") { " rounds values, but \(setting: $0) writes them as the device gave them: give one of them" },
    .optional("header-units", \.headerUnits, .flag)
      .option("Write units into the header of a wide CSV file, as in accel_x (m/s^2).")
      .excludes("raw") { " names units, but \(setting: $0) writes values without them: give one of them" },
    .optional("encoding", \.encoding, .text).says("How the format encodes values: cdr or json, for MCAP."),
    .optional("tags", \.tags, tags)
      .option(
        "NAME=VALUE", "Give each row of line protocol this tag, such as site=cellar; can be repeated.", named: "tag",
        list: .repeated),
    .optional("rotate", \.rotate, .part(.rotation).explaining(Rotation.form) { TimeReason.why($0, orSize: true) })
      .option(
        "SIZE|T|T,SIZE",
        "Cut each output into parts by size (100M), by time (1h, from midnight UTC), or by both (1h,100M): NAME.000001.20261121T145507Z.csv."
      ),
    .optional("keep", \.keep, .part(.retention).explaining(Retention.form) { TimeReason.why($0, orSize: true) })
      .option("T|SIZE|Nparts", "With --rotate: remove old parts beyond this age (7d), size (10G) or number (100parts).")
      .needs("rotate", says: " is for parts: give \(setting: "rotate") too"),
    .optional("stages", \.stages, .list()).says("The stages that only the readings of this output pass."),
    .optional("buffer", \.buffer, .part(.object)).says("The buffer of this output alone, behind its stages.")
  ) { Self($0) }

  private static let existing = Form<ExistingFile>.choice([
    ("refuse", .refuse), ("append", .append), ("overwrite", .overwrite),
  ])

  private static let decimals = Form<Int>(.wholeNumber(from: 0), "0 to \(RowStyle.mostDecimals)") { json in
    json.written.flatMap { Int($0) }.flatMap { (0...RowStyle.mostDecimals).contains($0) ? $0 : nil }
  } json: {
    JSON($0)
  }

  private static let tags = Form<[RowTag]>(.list(.text)) { node throws(Fault) in
    var tags: [RowTag] = []
    for text in try node.texts() {
      guard let tag = RowTag(text) else { throw node.fault(" takes NAME=VALUE, such as site=cellar, not \(text)") }
      tags.append(tag)
    }
    return tags
  } json: {
    .array($0.map { .string($0.description) })
  }

  /// The rotation without the parts to keep.
  private var rotate: Rotation? {
    get {
      // An empty rotation is written, so that it is refused.
      guard let rotation, rotation.size != nil || rotation.period != nil || rotation.keep == nil else { return nil }
      return Rotation(size: rotation.size, period: rotation.period)
    }
    set { rotation = Rotation(size: newValue?.size, period: newValue?.period, keep: keep) }
  }

  private var keep: Retention? {
    get { rotation?.keep }
    set { rotation = Rotation(size: rotation?.size, period: rotation?.period, keep: newValue) }
  }

  /// A key that version 1 of plans does not have; nil if it has none of them.
  var keyOfVersion2: String? {
    if !stages.isEmpty { return "stages" }
    if buffer != nil { return "buffer" }
    if encoding != nil { return "encoding" }
    return tags.isEmpty ? nil : "tags"
  }

  init(plan node: PlanNode) throws(Fault) {
    let object = try PlanObject(node, keys: Self.settings.keys)
    try object.checkKeys()
    self = try Self.settings.decode(object)
    if let index = stages.firstIndex(where: { $0.stage is BufferStage }) {
      throw object.error(
        at: ["stages", PlanKey(index)],
        ": the buffer of an output is not one of its stages; write it as \"buffer\" of the output")
    }
    do throws(Fault) { try checkRules() } catch { throw error.inside(node.path) }
  }

  var json: JSON { .object(Self.settings.members(self)) }
}

// MARK: Rules

extension OutputPlan {
  /// This output without the settings that its format does not support.
  package var fitted: OutputPlan {
    let type = RecordingFormats.type(of: path, format)
    var plan = self
    if type != CSVFormat.self { (plan.layout, plan.headerUnits) = (nil, false) }
    if !type.takesTimes { plan.time = .nanoseconds }
    if !type.takesDecimals { plan.decimals = nil }
    if !type.hasTags { plan.tags = [] }
    // A message has one column for each channel, and times in nanoseconds; its units stand beside it.
    if OutputKinds.isBroker(path) { (plan.layout, plan.headerUnits, plan.time) = (nil, false, .nanoseconds) }
    return plan
  }

  /// A broken rule for each setting that the format does not support. An option of the command is for all outputs, so the
  /// command refuses it only if no output supports it.
  package var unfit: [(key: String, fault: Fault)] {
    let fitted = fitted
    let name = RecordingFormats.type(of: path, format).name
    let this = "\(path) is \(name)\(OutputKinds.isBroker(path) ? " in messages" : "")"
    var unfit: [(key: String, fault: Fault)] = []
    func add(_ isUnfit: Bool, _ key: String, _ sentence: RuleSentence, of option: String? = nil) {
      if isUnfit { unfit.append((key, Fault(rule: PlanKey(key), says: sentence, of: option))) }
    }
    add(fitted.layout != layout, "layout", " is for CSV, and \(this): leave it out")
    add(fitted.time != time, "time", " is for CSV and JSON Lines, and \(this): leave it out")
    add(
      fitted.decimals != decimals, "decimals",
      " is for text formats, and \(this), which keeps all digits: leave it out, and round in the query")
    add(fitted.headerUnits != headerUnits, "header-units", " is for CSV, and \(this): leave it out")
    add(fitted.tags != tags, "tags", " is for line protocol, and \(this): leave it out", of: "--tag")
    let encodings = RecordingFormats.type(of: path, format).encodings
    if let encoding, !encodings.contains(encoding) {
      let isEncoded = !encodings.isEmpty
      let known = encodings.joined(separator: " or ")
      add(isEncoded, "encoding", " takes \(known), not \"\(encoding)\"", of: "-o \(path): encoding")
      add(!isEncoded, "encoding", " is for MCAP, and \(this): leave it out", of: "-o \(path): encoding")
    }
    return unfit
  }

  /// - Throws: The first broken rule. Files and streams are not looked at.
  package func checkRules() throws(Fault) {
    if OutputKinds.hasSecrets(path) { Secrets.note(in: path) }
    if path.isEmpty {
      throw Fault(rule: "path", says: " is empty: say a file, a folder, or - for standard output", of: "-o")
    }
    if OutputKinds.hasSecrets(path), Secrets.pieces(of: path) == nil {
      throw Fault(
        rule: "path", says: " has a ${ without a name and } behind it: write ${NAME}, or $${ for ${ itself",
        of: "-o \(path)")
    }
    if let rule = unfit.first { throw rule.fault }
    try Self.settings.check(self)
    if time == .relative, existing == .append {
      throw Fault(
        rule: "time",
        says:
          " relative starts again at 0 in each run, so an appended file would mix times of different runs: use iso"
      )
    }
    if headerUnits, layout == .long {
      throw Fault(rule: "header-units", says: " is for the layout wide, where each column has one unit: leave it out")
    }
    try checkTags()
    if existing == .overwrite, rotation != nil {
      throw Fault(
        rule: "existing", says: " cannot overwrite parts: remove the old parts, or append new ones", of: "--force")
    }
    if path == "-", rotation != nil {
      throw Fault(rule: "rotate", says: " needs a file, and - is standard output, which has no parts")
    }
    if path == "-", existing == .append {
      throw Fault(
        rule: "existing", says: " needs a file, and - is standard output, which always begins with a header",
        of: "--append")
    }
    try Self.check(stages)
  }

  private func checkTags() throws(Fault) {
    var names: Set<String> = []
    for (index, tag) in tags.enumerated() {
      guard let fault = tag.fault ?? (names.insert(tag.name).inserted ? nil : "it is given twice") else { continue }
      throw Fault(rule: "tags", PlanKey(index), says: ": \(tag.name) cannot be a tag: \(fault)", of: "--tag")
    }
  }

  /// - Throws: If one of the stages has a total.
  static func check(_ stages: [StagePlan]) throws(Fault) {
    guard let index = stages.firstIndex(where: { type(of: $0.stage).isTotal }) else { return }
    let name = type(of: stages[index].stage).name
    let total = "\(name) has a total, which goes on in the next run"
    throw Fault(
      rule: "stages", PlanKey(index),
      says: ": \(total); write it into the \"stages\" of the plan, or of its source",
      command: "\(total); give --\(name), or write it behind a source")
  }
}

extension OutputPlan.Buffer: SettingsPart {
  static let settings = Settings<Self>(
    .optional("size", \.size, BufferStage.readings(from: 1)).says("Readings per stream."),
    .optional("when-full", \.whenFull, .choice).says("What this buffer does if it is full.")
  ) { Self() }
}
