import SluiceArguments
import SluicePipeline
import SluiceReadings

/// Where readings wait on the disk: `/mnt/stick`, `/mnt/stick,8G`.
struct DiskArgument: ArgumentValue {
  let folder: String
  let size: ByteSize?

  init?(argument: String) {
    // A folder may have commas.
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
    size = parts.count > 1 ? parts.last.flatMap { ByteSize(argument: String($0)) } : nil
    folder = size == nil ? argument : parts.dropLast().joined(separator: ",")
    if folder.isEmpty { return nil }
  }

  static var completion: ArgumentCompletion { .folders }
}

/// The options for what waits on the disk, and for outputs that are servers. Most settings of servers share one.
struct WaitOptions: ArgumentGroup {
  var disk: DiskArgument?
  var spill = SpillPlan()
  var sending = SendingPlan()

  static var rows: [ArgumentRow<Self>] {
    let instead: (String) -> String = { _ in "--wait-on-disk DIR[,SIZE], for servers and files" }
    var rows: [ArgumentRow<Self>] = [
      .option(
        "wait-on-disk", "DIR[,SIZE]",
        "Keep readings in this folder until they are written: for a file, those that its buffer cannot hold; for a server, all that it has not acknowledged, also after this program ends ('sluice resend' sends them). Without SIZE, each output has 1G.",
        \.disk)
    ]
    rows += .settings("spill", "spill-size", of: SpillPlan.settings, \.spill).map { $0.written(as: instead) }
    rows += .settings("spool", "spool-size", of: SendingPlan.settings, \.sending).map { $0.written(as: instead) }
    rows.append(.setting("spool-full", of: SendingPlan.settings, \.sending))
    return rows + [.server(\.sending)]
  }

  var isEmpty: Bool { disk == nil && spill == SpillPlan() && sending == SendingPlan() }

  /// Gives a plan with outputs the settings.
  func set(in plan: inout RecordingPlan) throws(Fault) {
    var (spill, sending) = (spill, sending)
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
        try Self.spill(&plan)
        spill = SpillPlan(folder: disk.folder, size: disk.size)
      }
    }
    plan.spill = spill == SpillPlan() ? nil : spill
    plan.sending = sending == SendingPlan() ? nil : sending
    try plan.checkSending()
  }

  /// What the buffer cannot hold goes to the disk.
  private static func spill(_ plan: inout RecordingPlan) throws(Fault) {
    guard let index = plan.stages.firstIndex(where: { $0.stage is BufferStage }),
      var buffer = plan.stages[index].stage as? BufferStage
    else {
      throw Fault("--wait-on-disk keeps what the buffer cannot hold, and --buffer 0 is none; leave out one of them")
    }
    guard [.dropOldest, .spill].contains(buffer.whenFull) else {
      throw Fault(
        "--wait-on-disk keeps what a full buffer cannot hold, and --when-full \(buffer.whenFull.rawValue) does not; leave out one of them"
      )
    }
    buffer.whenFull = .spill
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
