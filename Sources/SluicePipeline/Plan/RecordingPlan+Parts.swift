package import SluiceReadings
import SluiceRecording

/// The JSON that docs/Plan.md describes. It omits defaults. The keys are in the order of their declaration.
extension RecordingPlan: PlanPart {
  /// All keys.
  static let keys: [PlanKey] = [
    "version", "name", "sources", "replay", "stages", "outputs", "limits", "sync", "pause-mode", "spill", "sending",
    "start-paused", "meta",
  ]

  /// The keys with plain values, and how these are written.
  static let forms: [(key: String, form: ValueForm)] = [
    ("name", .text), ("sync", .sync), ("pause-mode", .choice(PauseMode.allCases.map(\.rawValue))),
    ("start-paused", .flag),
  ]

  /// - Throws: A ``PlanFault``.
  init(plan node: PlanNode) throws(PlanFault) {
    let object = try PlanObject(node, keys: Self.keys)
    // A newer version may have other keys.
    let version = try object.required("version", object.number("version", 1...))
    guard version <= Self.version else {
      throw object.error(
        "version", " is \(version), and this sluice reads plans up to version \(Self.version); use a newer sluice")
    }
    try object.checkKeys()
    name = try object.name("name")
    if let name, let fault = Self.nameFault(name) {
      throw object.error("name", " cannot be \(quoted(name, atMost: 64)), because \(fault)")
    }
    let sources: [SourcePlan] = try object.list("sources")
    let replay: ReplayPlan? = try object.value("replay")
    stages = try object.list("stages")
    outputs = try object.list("outputs")
    limits = try object.value("limits") ?? Limits()
    sync = try object.value("sync")
    pauseMode = try object.value("pause-mode", Form<PauseMode>.choice) ?? .hold
    spill = try object.value("spill")
    sending = try object.value("sending")
    startPaused = try object.flag("start-paused") ?? false
    notes = try object.list("meta")
    input = try Self.input(sources, replay, object)
    // A sluice that knows only this version would refuse it too.
    if version < self.version, let place = placeOfVersion2 {
      throw object.error("version", " is \(version), and \(place) needs version \(self.version)", about: .several)
    }
    try checkReplay(object)
    do throws(BrokenRule) { try checkRules() } catch { throw object.error(error) }
  }

  private static func input(_ sources: [SourcePlan], _ replay: ReplayPlan?, _ object: PlanObject) throws(PlanFault)
    -> Input
  {
    switch (sources.isEmpty, replay) {
    case (false, nil): return .sources(sources)
    case (true, nil) where object.node.hasOtherSources: return .sources([])
    case (true, let replay?): return .trace(replay)
    case (false, _): throw object.node.fault(" has \"sources\" and a \"replay\": leave out one of them")
    case (true, nil):
      throw object.node.fault(" has no \"sources\" and no \"replay\": say what to record", about: .several)
    }
  }

  package var json: JSON {
    var members: [(String, JSON)] = [("version", JSON(version))]
    if let name { members.append(("name", .string(name))) }
    switch input {
    case .sources(let sources): if !sources.isEmpty { members.append(("sources", .array(sources.map(\.json)))) }
    case .trace(let replay): members.append(("replay", replay.json))
    }
    if !stages.isEmpty { members.append(("stages", .array(stages.map(\.json)))) }
    members.append(("outputs", .array(outputs.map(\.json))))
    if limits != Limits() { members.append(("limits", limits.json)) }
    if let sync { members.append(("sync", sync.json)) }
    if pauseMode != .hold { members.append(("pause-mode", .string(pauseMode.rawValue))) }
    if let spill { members.append(("spill", spill.json)) }
    if let sending { members.append(("sending", sending.json)) }
    if startPaused { members.append(("start-paused", .bool(true))) }
    if !notes.isEmpty { members.append(("meta", .array(notes.map(\.json)))) }
    return .object(members)
  }

  // MARK: Keys that depend on each other

  /// What only sources have.
  private func checkReplay(_ object: PlanObject) throws(PlanFault) {
    guard replay != nil else { return }
    if limits.duration != nil {
      throw object.error(at: ["limits", "duration"], " is for sources; write replay.duration instead")
    }
    let live: [([PlanKey], Bool)] = [
      (["limits", "count"], limits.count != nil),
      (["limits", "idle-timeout"], limits.idleTimeout != nil),
      (["limits", "max-clock-error"], limits.maxClockError != nil),
      (["pause-mode"], pauseMode != .hold), (["spill"], spill != nil),
      (["start-paused"], startPaused),
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
          "outputs", PlanKey(index), "path",
          sentence: ": \(quoted(output.path, atMost: 64)) is an output already",
          option: "-o \(output.path) is given twice; give each output a file of its own")
      }
      if output.raw, let si {
        throw BrokenRule(
          "outputs", PlanKey(index), "raw",
          sentence: " writes what the device gave, and sources[\(si)].si another unit: leave out one of them",
          option: "--raw writes what the device gave, and --si another unit: take one")
      }
    }
    try checkWindows()
    try checkSpill()
    try checkSending()
    for (index, note) in notes.enumerated() where notes[..<index].contains(where: { $0.key == note.key }) {
      throw BrokenRule(
        "meta", PlanKey(index), "key", sentence: ": \(quoted(note.key, atMost: 64)) is noted twice",
        option: "--meta \(note.key) is given twice")
    }
    if !notes.isEmpty, outputs.allSatisfy({ $0.path == "-" }) {
      throw BrokenRule(
        "meta",
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
              "outputs", PlanKey(number),
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
        "spill",
        sentence: " says where readings are kept, but no \"when-full\" or \"pause-mode\" is \"spill\"",
        option: "--spill and --spill-size are for --when-full spill and --pause-mode spill; give one of these too")
    }
    if (spill?.size?.bytes ?? .max) < SpillPlan.leastSize {
      throw BrokenRule(
        "spill", sentence: " has a size below 64k", option: "--spill-size takes 64k or more")
    }
    if isSpilling, replay != nil {
      throw BrokenRule(
        "stages", sentence: ": a replay waits for its outputs, so nothing has to be spilled",
        option: "--when-full spill is for recordings: a replay waits for its outputs")
    }
    if isSpilling, pauseMode == .discard {
      throw BrokenRule(
        "pause-mode",
        sentence: " is \"discard\", and a spill keeps what comes in a pause: take \"hold\" or \"spill\"",
        option: "--pause-mode discard discards what --when-full spill keeps; take one of them")
    }
  }
}

extension RecordingPlan.Limits: PlanFieldsPart {
  static let fields = PlanFields<Self>(
    .optional("duration", \.duration, .time), .optional("count", \.count, .count(1...)),
    .optional("idle-timeout", \.idleTimeout, .time), .optional("grace", \.grace, .time),
    .optional("min-free", \.minFree, .size), .optional("max-loss", \.maxLoss, .count(0...)),
    .optional("max-clock-error", \.maxClockError, .time)
  ) { Self() }
}

extension RecordingPlan.Note: PlanPart {
  init(plan node: PlanNode) throws(PlanFault) {
    let object = try PlanObject(node, keys: ["key", "value"])
    try object.checkKeys()
    key = try object.required("key", object.name("key"))
    value = try object.required("value", object.text("value"))
    if key.isEmpty { throw object.error("key", " is empty: give the value a name") }
  }

  var json: JSON { .object([("key", .string(key)), ("value", .string(value))]) }
}
