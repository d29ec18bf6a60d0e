import SluiceReadings
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
  static let fields = PlanFields<Self>(
    .required("path", \.path, .name), .optional("format", \.format, .text), .optional("layout", \.layout, .choice),
    .optional(
      "existing", \.existing, .choice([("refuse", .refuse), ("append", .append), ("overwrite", .overwrite)])),
    .optional("raw", \.raw, .flag), .optional("time", \.time, .choice),
    .optional("decimals", \.decimals, .count(0...)), .optional("header-units", \.headerUnits, .flag),
    .optional("encoding", \.encoding, .text), .optional("tags", \.tags, tagsForm)
  ) { Self($0) }

  private static let tagsForm = Form<[RowTag]>(.list(.text)) { node throws(PlanFault) in
    let texts = try node.texts()
    let tags = texts.compactMap { RowTag($0) }
    guard tags.count == texts.count else {
      throw node.fault(" takes a list of tags such as [\"site=cellar\"]")
    }
    return tags
  } json: {
    .array($0.map { .string($0.description) })
  }

  /// A key that version 1 of plans does not have; nil if it has none of them.
  var keyOfVersion2: String? {
    if !stages.isEmpty { return "stages" }
    if buffer != nil { return "buffer" }
    if encoding != nil { return "encoding" }
    return tags.isEmpty ? nil : "tags"
  }

  /// The keys that are no ``fields``, because they are objects, or one value together.
  static let furtherKeys: [PlanKey] = ["rotate", "keep", "stages", "buffer"]

  init(plan node: PlanNode) throws(PlanFault) {
    let object = try PlanObject(node, keys: Self.fields.keys + Self.furtherKeys)
    try object.checkKeys()
    self = try Self.fields.decode(object)
    let rotate: Rotation? = try object.value("rotate")
    let keep: Retention? = try object.value("keep")
    stages = try object.list("stages")
    if let index = stages.firstIndex(where: { $0.stage is BufferStage }) {
      throw object.error(
        at: ["stages", PlanKey(index)],
        ": the buffer of an output is not one of its stages; write it as \"buffer\" of the output")
    }
    buffer = try object.value("buffer")
    do throws(BrokenRule) {
      rotation = try Self.rotation(rotate, keep: keep)
      try checkRules()
    } catch {
      throw object.error(error)
    }
  }

  var json: JSON {
    var members = Self.fields.members(self)
    if let rotation { members.append(("rotate", rotation.json)) }
    if let keep = rotation?.keep { members.append(("keep", keep.json)) }
    if !stages.isEmpty { members.append(("stages", .array(stages.map(\.json)))) }
    if let buffer { members.append(("buffer", buffer.json)) }
    return .object(members)
  }
}

// MARK: Rules

extension OutputPlan {
  /// The rotation with the parts to keep.
  /// - Throws: If `keep` is given without `rotate`.
  package static func rotation(_ rotate: Rotation?, keep: Retention?) throws(BrokenRule) -> Rotation? {
    if rotate == nil, keep != nil {
      throw BrokenRule(
        "keep", sentence: " is for parts: give \"rotate\" too",
        option: "--keep says which parts are kept, and without --rotate there are none; give both")
    }
    return rotate.map { Rotation(size: $0.size, period: $0.period, keep: keep) }
  }

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
  package var unfit: [BrokenRule] {
    let format = RecordingFormats.type(of: path, format).name
    let (fitted, name) = (fitted, OutputKinds.isBroker(path) ? "\(format) in messages" : format)
    let rules = [
      BrokenRule(
        if: fitted.layout != layout, "layout", ": a layout is for CSV, and this is \(name); leave it out",
        option: "--layout is for CSV, and no output is CSV; leave it out"),
      BrokenRule(
        if: fitted.time != time, "time",
        ": a file of the format \(name) has its own time format; leave it out, or write CSV or JSON Lines",
        option: "--time is for CSV and JSON Lines, but no output is one of them; leave it out"),
      BrokenRule(
        if: fitted.decimals != decimals, "decimals",
        ": a file of the format \(name) keeps all digits; leave it out, and round in the query",
        option: "--decimals is for text formats, but no output is text; leave it out, and round in the query"),
      BrokenRule(
        if: fitted.headerUnits != headerUnits, "header-units",
        ": a file of the format \(name) has no header for units; leave it out, or write CSV",
        option: "--header-units is for CSV, but no output is CSV; leave it out"),
      BrokenRule(
        if: fitted.tags != tags, "tags",
        ": a file of the format \(name) has no tags; leave them out, or write line protocol",
        option: "--tag is for line protocol, but no output is line protocol; leave it out"),
    ]
    return rules.compactMap { $0 } + (encodingRule.map { [$0] } ?? [])
  }

  /// The rule that an encoding is one of the format.
  private var encodingRule: BrokenRule? {
    guard let encoding else { return nil }
    let type = RecordingFormats.type(of: path, format)
    guard !type.encodings.contains(encoding) else { return nil }
    let known = type.encodings.joined(separator: " or ")
    return type.encodings.isEmpty
      ? BrokenRule(
        "encoding", sentence: ": a file of the format \(type.name) has one encoding; leave it out",
        option: "-o \(path): encoding is for MCAP, and this is \(type.name); leave it out")
      : BrokenRule(
        "encoding", sentence: " takes \(known), not \"\(encoding)\"",
        option: "-o \(path): encoding takes \(known), not \"\(encoding)\"")
  }

  /// The rule that each tag has a name of its own.
  private var tagRule: BrokenRule? {
    var names: Set<String> = []
    for (index, tag) in tags.enumerated() {
      let fault = tag.fault ?? (names.insert(tag.name).inserted ? nil : "it is given twice")
      guard let fault else { continue }
      return BrokenRule(
        "tags", PlanKey(index), sentence: ": \(tag.name) cannot be a tag: \(fault)",
        option: "--tag \(tag.name) cannot be a tag: \(fault)")
    }
    return nil
  }

  /// - Throws: The first broken rule. Files and streams are not looked at.
  package func checkRules() throws(BrokenRule) {
    let most = RowStyle.mostDecimals
    if OutputKinds.hasSecrets(path) { Secrets.note(in: path) }
    let rules = [
      BrokenRule(
        if: path.isEmpty, "path", " is empty: say a file, a folder, or - for standard output",
        option: "-o takes a file, a folder, or - for standard output"),
      BrokenRule(
        if: OutputKinds.hasSecrets(path) && Secrets.pieces(of: path) == nil, "path",
        " has a ${ without a name and } behind it: write ${NAME}, or $${ for ${ itself",
        option: "-o \(path) has a ${ without a name and } behind it: write ${NAME}, or $${ for ${ itself"),
      BrokenRule(
        if: time == .relative && existing == .append, "time",
        " would count from another first reading in each run: use iso to append",
        option: "--time relative counts from the first reading of each run, so --append would mix them; use --time iso"),
      BrokenRule(
        if: decimals.map { !(0...most).contains($0) } ?? false, "decimals",
        " takes 0 to \(most), not \(decimals ?? 0)", option: "--decimals takes 0 to \(most)"),
      BrokenRule(
        if: decimals != nil && raw, "decimals",
        " rounds values, but raw writes them as the device gave them: leave out one of them",
        option: "--decimals rounds values, but --raw writes them as the device gave them; give one of them"),
      BrokenRule(
        if: headerUnits && raw, "header-units", " are not those of raw values: leave out one of them",
        option: "--header-units names units, but --raw writes values without them; give one of them"),
      BrokenRule(
        if: headerUnits && layout == .long, "header-units",
        " stand in the header of the wide layout: take the layout wide",
        option: "--header-units is for --layout wide, where each column has one unit; leave one of them out"),
      tagRule,
      BrokenRule(
        if: existing == .overwrite && rotation != nil, "existing",
        ": parts are never overwritten; append to them, or remove them",
        option: "--force overwrites, and parts never are: remove them, or give --append for further parts"),
      BrokenRule(
        if: path == "-" && rotation != nil, "rotate",
        ": only a file has parts, and - is standard output",
        option: "--rotate needs a file; standard output has no parts"),
      BrokenRule(
        if: path == "-" && existing == .append, "existing",
        ": only a file can be appended to, and - is standard output",
        option: "--append needs a file; standard output always begins with a header"),
    ]
    if let rule = unfit.first ?? rules.lazy.compactMap({ $0 }).first { throw rule }
    try Self.check(stages)
  }

  /// - Throws: If one of the stages has a total.
  static func check(_ stages: [StagePlan]) throws(BrokenRule) {
    guard let index = stages.firstIndex(where: { type(of: $0.stage).isTotal }) else { return }
    let total = "\(type(of: stages[index].stage).name) has a total, which goes on in the next run"
    throw BrokenRule(
      "stages", PlanKey(index),
      sentence: ": \(total); write it into the \"stages\" of the plan, or of its source",
      option: "\(total); give --\(type(of: stages[index].stage).name), or write it behind a source")
  }
}

extension OutputPlan.Buffer: PlanFieldsPart {
  static let fields = PlanFields<Self>(
    .optional("size", \.size, size), .optional("when-full", \.whenFull, .choice)
  ) { Self() }

  private static let size = Form<Int>(.wholeNumber(from: 1)) { node throws(PlanFault) in
    let size = try node.number(1...)
    if size > BufferStage.largest {
      throw node.fault(" takes at most \(grouped(BufferStage.largest)) readings of each stream, not \(size)")
    }
    return size
  } json: {
    JSON($0)
  }
}
