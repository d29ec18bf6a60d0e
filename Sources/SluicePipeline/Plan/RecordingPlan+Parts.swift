package import SluiceReadings
import SluiceRecording

/// The JSON that docs/Plan.md describes. It omits defaults. The keys are in the order of their declaration.
extension RecordingPlan: PlanPart {
  package static let settings = Settings<Self>(
    .optional("name", \.name, recordingName)
      .says("The name for 'sluice ctl', which no other running recording has."),
    .optional("sources", \.sourceList, .list()).says("What is recorded: sources by their names, or a list of them."),
    .optional("replay", \.replayed, .part(.object)).says("A trace that is replayed, instead of sources."),
    .optional("stages", \.stages, .list()).says("The stages that all readings pass, in this order."),
    .optional("outputs", \.outputs, .list())
      .says("Where readings are written: a list of paths, or a map of paths with settings."),
    .optional("limits", \.limits, .part(.object)).says("When the recording ends, and what it may lose."),
    .optional("sync", \.sync, .part(.sync).explaining(SyncPolicy.form) { TimeReason.why($0) })
      .option(
        "T|batch|none",
        "When written data is forced to the disk: every T (1s), after each write (batch), or when the system decides (none). (default: 1s when recording, none when replaying)"
      ),
    .optional("pause-mode", \.pauseMode, .choice)
      .option(
        "While paused: hold keeps readings in the buffer, discard drops and counts them, spill writes them to a folder beside the output, FILE-spill, or to that of --wait-on-disk. (default: hold)"
      ),
    .optional("spill", \.spill, .part(.object))
      .says("Where readings wait on the disk while an output does not take them."),
    .optional("sending", \.sending, .part(.object)).says("How readings are sent to outputs that are servers."),
    .optional("start-paused", \.startPaused, .flag).option("Begin paused; SIGUSR2 resumes."),
    .optional("meta", \.notes, .list())
      .option("KEY=VALUE", "Note this in the metadata beside the file; can be repeated.", list: .repeated) {
        Note(argument: $0)?.json
      }
      .says("Notes for the metadata.")
  ) { RecordingPlan() }

  private static let recordingName = Form<String>(.text) { node throws(Fault) in
    let name = try node.name()
    if let fault = Self.nameFault(name) {
      throw node.fault(" cannot be \(quoted(name, atMost: 64)), because \(fault)")
    }
    return name
  } json: {
    .string($0)
  }

  /// A plan that says nothing yet.
  package init() { self.init(input: .sources([]), outputs: []) }

  private var sourceList: [SourcePlan] {
    get { sources }
    set { input = .sources(newValue) }
  }

  private var replayed: ReplayPlan? {
    get { replay }
    set { if let newValue { input = .trace(newValue) } }
  }

  /// - Throws: A ``Fault``.
  init(plan node: PlanNode) throws(Fault) {
    let object = try PlanObject(node, keys: ["version"] + Self.settings.keys)
    // A newer version may have other keys.
    let version = try object.required("version", object.number("version", 1...))
    guard version <= Self.version else {
      throw object.error(
        "version", " is \(version), and this sluice reads plans up to version \(Self.version); use a newer sluice")
    }
    try object.checkKeys()
    self = try Self.settings.decode(object)
    if replay != nil, try !object.elements("sources").isEmpty {
      throw node.fault(" has \"sources\" and a \"replay\": leave out one of them")
    }
    if replay == nil, sources.isEmpty, !node.hasOtherSources {
      throw node.fault(" has no \"sources\" and no \"replay\": say what to record", about: .several)
    }
    // A sluice that knows only this version would refuse it too.
    if version < self.version, let place = placeOfVersion2 {
      throw object.error("version", " is \(version), and \(place) needs version \(self.version)", about: .several)
    }
    try checkReplay(object)
    do throws(Fault) { try checkRules() } catch { throw error.inside(node.path) }
  }

  package var json: JSON {
    .object([("version", JSON(version))] + Self.settings.members(self))
  }

  // MARK: Keys that depend on each other

  /// What only sources have.
  private func checkReplay(_ object: PlanObject) throws(Fault) {
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
  package func checkRules() throws(Fault) {
    if outputs.isEmpty {
      throw Fault(
        says: " has no \"outputs\": say where to write", command: "say where to write: -o FILE, -o DIR/ or -o -")
    }
    let si = sources.firstIndex { $0.spec.settings.si ?? false }
    for (index, output) in outputs.enumerated() {
      if outputs[..<index].contains(where: { $0.path == output.path }) {
        throw Fault(
          rule: "outputs", PlanKey(index), "path",
          says: ": \(quoted(output.path, atMost: 64)) is an output already",
          command: "-o \(output.path) is given twice; give each output a file of its own")
      }
      if output.raw, let si {
        throw Fault(
          rule: "outputs", PlanKey(index), "raw",
          says: " writes what the device gave, and sources[\(si)].si another unit: leave out one of them",
          command: "--raw writes what the device gave, and si another unit: leave out one of them")
      }
    }
    try checkWindows()
    try checkSpill()
    try checkSending()
    for (index, note) in notes.enumerated() where notes[..<index].contains(where: { $0.key == note.key }) {
      throw Fault(
        rule: "meta", PlanKey(index), "key", says: ": \(quoted(note.key, atMost: 64)) is noted twice", of: "--meta")
    }
    if !notes.isEmpty, outputs.allSatisfy({ $0.path == "-" }) {
      throw Fault(
        rule: "meta", says: " is noted beside a file, and standard output has no metadata: leave out one of them")
    }
  }
}

extension RecordingPlan {
  /// Both stages of windows would give each stream a channel of the same name, unless it is renamed between them.
  private func checkWindows() throws(Fault) {
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
            throw Fault(
              rule: "outputs", PlanKey(number),
              says: " gets the windows of two stages, \(first) and \(name): leave out one of them",
              of: output.path)
          }
          windows = name
        }
      }
    }
  }

  private func checkSpill() throws(Fault) {
    let isSpilling = spills.contains(where: \.isSpilling)
    if let spill, !isSpilling {
      let key = spill.folder == nil ? "spill-size" : "spill"
      throw Fault(
        rule: "spill",
        says:
          " says where readings are kept, but no \(setting: "when-full") or \(setting: "pause-mode") is \"spill\": give one of these too",
        command: "--\(key) alone does nothing: write --wait-on-disk DIR,SIZE instead")
    }
    if (spill?.size?.bytes ?? .max) < SpillPlan.leastSize {
      throw Fault(rule: "spill", "size", says: " takes 64k or more", of: "SIZE of --wait-on-disk")
    }
    if isSpilling, replay != nil {
      throw Fault(
        rule: "stages", says: ": a replay waits for its outputs, so nothing has to be spilled",
        of: "--when-full spill")
    }
    if isSpilling, pauseMode == .discard {
      throw Fault(
        rule: "pause-mode",
        says: " is \"discard\", and a spill keeps what comes in a pause: take \"hold\" or \"spill\"",
        command:
          "--pause-mode discard drops the readings of a pause, but --wait-on-disk (or --when-full spill) keeps them: leave out one of them"
      )
    }
  }
}

extension RecordingPlan.Limits: SettingsPart {
  package static let settings = Settings<Self>(
    .optional("duration", \.duration, .time).option("T", "Stop after T, such as 500ms, 90s or 5m."),
    .optional("count", \.count, .count(1...)).option("N", "Stop after N received readings.", short: "n"),
    .optional("idle-timeout", \.idleTimeout, .time).option("T", "Stop when nothing has come for T, such as 30s."),
    .optional("grace", \.grace, .time)
      .option(
        "T", "After a stop, give up what cannot be written within T, and exit with status 1. (default: 10s)"),
    .optional("min-free", \.minFree, .size)
      .option("SIZE", "Stop when less than SIZE is free on the disk of an output, such as 100M."),
    .optional("max-loss", \.maxLoss, .count(0...))
      .option("N", "Exit with status 3 if more than N readings, or an unknown number, are lost."),
    .optional("max-clock-error", \.maxClockError, .time)
      .option(
        "T",
        "Do not begin if the wall clock is not synchronised, or may be wrong by more than T, such as 10ms; readings that come while the clock is worse than this are flagged."
      )
  ) { Self() }
}

extension RecordingPlan.Note: PlanPart {
  /// `site=Cellar, left wall`
  fileprivate init?(argument: String) {
    guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex else { return nil }
    (key, value) = (String(argument[..<equals]), String(argument[argument.index(after: equals)...]))
  }

  init(plan node: PlanNode) throws(Fault) {
    let object = try PlanObject(node, keys: ["key", "value"])
    try object.checkKeys()
    key = try object.required("key", object.name("key"))
    value = try object.required("value", object.text("value"))
    if key.isEmpty { throw object.error("key", " is empty: give the value a name") }
  }

  var json: JSON { .object([("key", .string(key)), ("value", .string(value))]) }
}
