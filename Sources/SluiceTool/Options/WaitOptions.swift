import SluiceArguments
import SluicePipeline
import SluiceReadings

/// Where readings wait on the disk: `/mnt/stick`, `/mnt/stick,8G`.
struct DiskArgument: ArgumentValue {
  let folder: String
  let size: ByteSize?

  init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
    let last = parts.count > 1 ? parts.last.map(String.init) : nil
    size = last.flatMap { ByteSize(argument: $0) }
    folder = size == nil ? argument : parts.dropLast().joined(separator: ",")
    // A misspelt size would be a part of the name. A folder with such a name ends in a slash.
    let isMisspelt = size == nil && (last?.first?.isNumber ?? false) && !(last?.contains("/") ?? false)
    if folder.isEmpty || folder.hasSuffix(",") || isMisspelt || folder.hasControlCharacters { return nil }
  }

  static var completion: ArgumentCompletion { .folders }
}

/// The options for what waits on the disk, and for outputs that are servers. Most settings of servers share one.
struct WaitOptions: ArgumentGroup {
  var disk: DiskArgument?
  var spill = SpillPlan()
  var sending = SendingPlan()

  static var rows: [ArgumentRow<Self>] {
    let instead: (String) -> String = { _ in "--wait-on-disk DIR,SIZE" }
    var rows: [ArgumentRow<Self>] = [
      .option(
        "wait-on-disk", "DIR[,SIZE]",
        "Keep readings in this folder: for a file, those that it cannot take yet; for a server, all that it has not acknowledged. Those of a server stay there after this program ends; 'sluice resend' sends them. SIZE is for each output. (default: 1G)",
        \.disk)
    ]
    rows += .settings("spill", "spill-size", of: SpillPlan.settings, \.spill).map { $0.written(as: instead) }
    rows += .settings("spool", "spool-size", of: SendingPlan.settings, \.sending).map { $0.written(as: instead) }
    rows.append(.setting("spool-full", of: SendingPlan.settings, \.sending))
    return rows + [.server(\.sending)]
  }

  /// Gives a plan with outputs the settings.
  /// - Parameter hasPolicy: Whether the user has said what a full buffer does.
  func set(in plan: inout RecordingPlan, hasPolicy: Bool) throws(Fault) {
    var (spill, sending) = (spill, sending)
    if plan.replay != nil, spill != SpillPlan() {
      throw Fault("--spill and --spill-size are for recordings, because a replay waits for its files; leave them out")
    }
    if let disk {
      if spill != SpillPlan() || sending.spool != nil || sending.spoolSize != nil {
        throw Fault("--wait-on-disk is the new form of --spill and --spool; leave these out")
      }
      let servers = plan.outputs.count { OutputKinds.isServer($0.path) }
      if servers > 0 { (sending.spool, sending.spoolSize) = (disk.folder, disk.size) }
      if servers == 0, plan.replay != nil {
        throw Fault("--wait-on-disk is for servers here, because a replay waits for its files; leave it out")
      }
      if servers < plan.outputs.count, plan.replay == nil {
        try Self.spill(&plan, hasPolicy: hasPolicy)
        spill = SpillPlan(folder: disk.folder, size: disk.size)
      }
    }
    plan.spill = spill == SpillPlan() ? nil : spill
    plan.sending = sending == SendingPlan() ? nil : sending
    try plan.checkSending()
  }

  /// What the buffers of files cannot hold goes to the disk.
  private static func spill(_ plan: inout RecordingPlan, hasPolicy: Bool) throws(Fault) {
    func spilling(_ policy: WhenFull, _ option: String) throws(Fault) -> WhenFull {
      if policy == .spill || policy == .dropOldest && !hasPolicy { return .spill }
      throw Fault(
        "--wait-on-disk keeps what a full buffer cannot hold, but \(option) \(policy == .fail ? "ends the recording" : "drops it"); leave out one of them"
      )
    }
    if let output = plan.outputs.first(where: { $0.path == "-" || $0.path.hasSuffix("/") }) {
      throw Fault(
        "--wait-on-disk is for files and servers, and \(output.path == "-" ? "-o - is standard output" : "\(output.path) is a folder"); leave out one of them"
      )
    }
    for number in plan.outputs.indices where !OutputKinds.isServer(plan.outputs[number].path) {
      guard var buffer = plan.outputs[number].buffer else { continue }
      buffer.whenFull = try spilling(
        buffer.whenFull, "when-full=\(buffer.whenFull.rawValue) of \(plan.outputs[number].path)")
      plan.outputs[number].buffer = buffer
    }
    guard plan.outputs.contains(where: { $0.buffer == nil && !OutputKinds.isServer($0.path) }) else { return }
    guard let index = plan.stages.firstIndex(where: { $0.stage is BufferStage }),
      var buffer = plan.stages[index].stage as? BufferStage
    else {
      throw Fault("--wait-on-disk needs a buffer, but --buffer 0 means no buffer; leave out one of them")
    }
    buffer.whenFull = try spilling(buffer.whenFull, "--when-full \(buffer.whenFull.rawValue)")
    plan.stages[index] = StagePlan(buffer)
  }
}

extension ArgumentRow {
  /// The settings of servers that share an option.
  static func server(_ place: @autoclosure @escaping () -> WritableKeyPath<Owner, SendingPlan>) -> Self {
    .option(
      "server", "KEY=VALUE",
      "A setting of the servers; can be repeated: board (a tag of each row), token-file, login-file (USER:PASSWORD), secrets-for (HOST), ca, cert and key (PEM files), send-timeout (30s), mqtt (5, or 3.1.1).",
      isRepeated: true
    ) { owner, text throws(Fault) in
      guard let setting = ServerArgument(argument: text) else { return false }
      do throws(Fault) { try owner[keyPath: place()].set(setting.key, to: setting.value) } catch {
        throw Fault("--server \(error)")
      }
      return true
    }
  }
}
