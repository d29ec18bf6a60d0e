import SluiceRecording

/// The JSON that docs/Plan.md describes. It omits defaults. The keys are in the order of their declaration.
extension RecordingPlan: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case version, name, sources, replay, stages, outputs, limits, sync
    case pauseMode = "pause-mode"
    case spill, sending
    case startPaused = "start-paused"
    case notes = "meta"
  }

  /// All keys.
  static let keys = CodingKeys.allCases.map(\.stringValue)

  /// The keys with plain values, and how these are written.
  static let forms: [(key: String, form: ValueForm)] = [
    ("name", .text), ("sync", .sync), ("pause-mode", .choice(PauseMode.allCases.map(\.rawValue))),
    ("start-paused", .flag),
  ]

  /// - Throws: A `DecodingError`. Its `debugDescription` is a sentence with the place of the error.
  public init(from decoder: any Decoder) throws {
    let object = try PlanObject<CodingKeys>(decoder)
    // A newer version may have other keys.
    let version = try object.required(.version, object.number(.version, 1...))
    guard version <= Self.version else {
      throw object.error(
        .version, " is \(version), and this sluice reads plans up to version \(Self.version); use a newer sluice")
    }
    try object.checkKeys()
    name = try object.name(.name)
    if let name, let fault = Self.nameFault(name) {
      throw object.error(.name, " cannot be \(PlanValue.text(name)), because \(fault)")
    }
    let sources: [SourcePlan] = try object.list(.sources)
    let replay: ReplayPlan? = try object.value(.replay)
    stages = try object.list(.stages)
    outputs = try object.list(.outputs)
    limits = try object.value(.limits) ?? Limits()
    sync = try object.value(.sync)
    pauseMode = try object.choice(.pauseMode) ?? .hold
    spill = try object.value(.spill)
    sending = try object.value(.sending)
    startPaused = try object.flag(.startPaused) ?? false
    notes = try object.list(.notes)
    input = try Self.input(
      sources, replay, object, hasOtherSources: Self.hasOtherSources.flatMap { decoder.userInfo[$0] as? Bool } ?? false)
    // A sluice that knows only this version would refuse it too.
    if version < self.version, let place = placeOfVersion2 {
      throw object.error(.version, " is \(version), and \(place) needs version \(self.version)", about: .several)
    }
    try checkReplay(object)
    do throws(BrokenRule) { try checkRules() } catch { throw object.error(error) }
  }

  /// Whether a recording has sources of a program besides those of its plan.
  static let hasOtherSources = CodingUserInfoKey(rawValue: "sluice.hasOtherSources")

  private static func input(
    _ sources: [SourcePlan], _ replay: ReplayPlan?, _ object: PlanObject<CodingKeys>, hasOtherSources: Bool
  ) throws -> Input {
    switch (sources.isEmpty, replay) {
    case (false, nil): return .sources(sources)
    case (true, nil) where hasOtherSources: return .sources([])
    case (true, let replay?): return .trace(replay)
    case (false, _): throw object.error(" has \"sources\" and a \"replay\": leave out one of them")
    case (true, nil):
      throw object.error(at: [], " has no \"sources\" and no \"replay\": say what to record", about: .several)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(version, forKey: .version)
    try container.encodeIfPresent(name, forKey: .name)
    switch input {
    case .sources(let sources): if !sources.isEmpty { try container.encode(sources, forKey: .sources) }
    case .trace(let replay): try container.encode(replay, forKey: .replay)
    }
    if !stages.isEmpty { try container.encode(stages, forKey: .stages) }
    try container.encode(outputs, forKey: .outputs)
    if limits != Limits() { try container.encode(limits, forKey: .limits) }
    try container.encodeIfPresent(sync, forKey: .sync)
    if pauseMode != .hold { try container.encode(pauseMode.rawValue, forKey: .pauseMode) }
    try container.encodeIfPresent(spill, forKey: .spill)
    try container.encodeIfPresent(sending, forKey: .sending)
    if startPaused { try container.encode(startPaused, forKey: .startPaused) }
    if !notes.isEmpty { try container.encode(notes, forKey: .notes) }
  }

  // MARK: Keys that depend on each other

  /// What only sources have.
  private func checkReplay(_ object: PlanObject<CodingKeys>) throws {
    guard replay != nil else { return }
    if limits.duration != nil {
      throw object.error(
        at: [CodingKeys.limits, PlanKey("duration")], " is for sources; write replay.duration instead")
    }
    let live: [([any CodingKey], Bool)] = [
      ([CodingKeys.limits, PlanKey("count")], limits.count != nil),
      ([CodingKeys.limits, PlanKey("idle-timeout")], limits.idleTimeout != nil),
      ([CodingKeys.limits, PlanKey("max-clock-error")], limits.maxClockError != nil),
      ([CodingKeys.pauseMode], pauseMode != .hold), ([CodingKeys.spill], spill != nil),
      ([CodingKeys.startPaused], startPaused),
    ]
    if let place = live.first(where: { $0.1 })?.0 {
      throw object.error(at: place, " is for sources, and a replay has none; leave it out")
    }
  }

  /// - Throws: The first broken rule about all outputs together, or about the notes.
  package func checkRules() throws(BrokenRule) {
    if outputs.isEmpty {
      throw BrokenRule(
        sentence: " has no \"outputs\": say where to write", option: "say where to write: -o FILE, -o DIR/ or -o -")
    }
    let si = sources.firstIndex { $0.spec.settings.si ?? false }
    for (index, output) in outputs.enumerated() {
      if outputs[..<index].contains(where: { $0.path == output.path }) {
        throw BrokenRule(
          CodingKeys.outputs, PlanKey(index), PlanKey("path"),
          sentence: ": \(PlanValue.text(output.path)) is an output already",
          option: "-o \(output.path) is given twice; give each output a file of its own")
      }
      if output.raw, let si {
        throw BrokenRule(
          CodingKeys.outputs, PlanKey(index), PlanKey("raw"),
          sentence: " writes what the device gave, and sources[\(si)].si another unit: leave out one of them",
          option: "--raw writes what the device gave, and --si another unit: take one")
      }
    }
    try checkWindows()
    try checkSpill()
    try checkSending()
    for (index, note) in notes.enumerated() where notes[..<index].contains(where: { $0.key == note.key }) {
      throw BrokenRule(
        CodingKeys.notes, PlanKey(index), PlanKey("key"), sentence: ": \(PlanValue.text(note.key)) is noted twice",
        option: "--meta \(note.key) is given twice")
    }
    if !notes.isEmpty, outputs.allSatisfy({ $0.path == "-" }) {
      throw BrokenRule(
        CodingKeys.notes,
        sentence: " is noted beside a file, and standard output has no metadata; leave out one of them",
        option: "--meta is noted beside a file, and standard output has no metadata; leave out one of them")
    }
  }
}

extension RecordingPlan {
  /// Both stages of windows would give each stream a channel of the same name, unless it is renamed between them.
  private func checkWindows() throws(BrokenRule) {
    let ofSources: [[StagePlan]] = sources.isEmpty ? [[]] : sources.map(\.stages)
    for (number, output) in outputs.enumerated() {
      for before in ofSources {
        let plans = before + stages + output.stages
        // Without a search for conformances, which each start would pay for.
        guard plans.count > 1 else { continue }
        var windows: String?
        for plan in plans {
          if let rename = plan.stage as? RenameStage, rename.isOfWindow { windows = nil }
          guard plan.stage is any WindowStage else { continue }
          let name = type(of: plan.stage).name
          if let first = windows {
            throw BrokenRule(
              CodingKeys.outputs, PlanKey(number),
              sentence: " gets the windows of two stages, \(first) and \(name): leave out one of them",
              option: "\(output.path) gets the windows of two stages, \(first) and \(name); leave out one of them")
          }
          windows = name
        }
      }
    }
  }

  private func checkSpill() throws(BrokenRule) {
    let isSpilling = spills.contains(where: \.isSpilling)
    if spill != nil, !isSpilling {
      throw BrokenRule(
        CodingKeys.spill,
        sentence: " says where readings are kept, but no \"when-full\" or \"pause-mode\" is \"spill\"",
        option: "--spill and --spill-size are for --when-full spill and --pause-mode spill; give one of these too")
    }
    if (spill?.size?.bytes ?? .max) < SpillPlan.leastSize {
      throw BrokenRule(
        CodingKeys.spill, sentence: " has a size below 64k", option: "--spill-size takes 64k or more")
    }
    if isSpilling, replay != nil {
      throw BrokenRule(
        CodingKeys.stages, sentence: ": a replay waits for its outputs, so nothing has to be spilled",
        option: "--when-full spill is for recordings: a replay waits for its outputs")
    }
    if isSpilling, pauseMode == .discard {
      throw BrokenRule(
        CodingKeys.pauseMode,
        sentence: " is \"discard\", and a spill keeps what comes in a pause: take \"hold\" or \"spill\"",
        option: "--pause-mode discard discards what --when-full spill keeps; take one of them")
    }
  }
}

extension RecordingPlan.Limits: Codable {
  static let fields = PlanFields<Self>(
    .optional("duration", \.duration, .time), .optional("count", \.count, .count(1...)),
    .optional("idle-timeout", \.idleTimeout, .time), .optional("grace", \.grace, .time),
    .optional("min-free", \.minFree, .size), .optional("max-loss", \.maxLoss, .count(0...)),
    .optional("max-clock-error", \.maxClockError, .time)
  ) { Self() }

  public init(from decoder: any Decoder) throws {
    let object = try PlanObject(decoder, keys: Self.fields.keys)
    try object.checkKeys()
    self = try Self.fields.decode(object)
  }

  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: PlanKey.self)
    try Self.fields.encode(self, into: &members)
  }
}

extension RecordingPlan.Note: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable { case key, value }

  public init(from decoder: any Decoder) throws {
    let object = try PlanObject<CodingKeys>(decoder)
    try object.checkKeys()
    key = try object.required(.key, object.name(.key))
    value = try object.required(.value, object.text(.value))
    if key.isEmpty { throw object.error(.key, " is empty: give the value a name") }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(key, forKey: .key)
    try container.encode(value, forKey: .value)
  }
}
