package import SluiceDevices
import SluiceReadings
import SluiceRecording

/// Says in sentences what a plan will do and what it can lose, without opening anything.
package struct Explanation {
  private let plan: RecordingPlan
  private let budget: LossBudget?

  /// - Parameter roots: The folders of the devices. Only sysfs is read.
  package init(_ plan: RecordingPlan, roots: DeviceRoots = DeviceRoots()) {
    self.plan = plan
    budget = plan.replay == nil ? LossBudget(plan, roots: roots) : nil
  }

  /// The sentences as lines, each with a line feed.
  package var text: String {
    ([beginning] + sources + stages + outputs + end + losses).asLines
  }

  // MARK: The recording

  private var beginning: String {
    let name = plan.name.map { " \"\($0)\"" } ?? ""
    guard let replay = plan.replay else {
      let count = plan.sources.count
      return "The recording\(name) reads \(count == 1 ? "a source" : "\(grouped(count)) sources"):"
    }
    let pace = replay.rate.map { ", \($0 == 1 ? "as fast as recorded" : "\($0) times as fast as recorded")" } ?? ""
    return "The replay\(name) reads \(listed(replay.files))\(pace)."
  }

  private var sources: [String] {
    (budget?.lines ?? []).enumerated().flatMap { index, line in
      let source = plan.sources[index]
      let text = "\(source.spec.kind.name):\(source.spec.what)"
      let settings = source.spec.settings.keys.map(\.name)
      let rate =
        line.forecast.rate.map { "\(Self.rate($0)) reading\($0 == 1 ? "" : "s")/s\(Self.each(line.forecast.streams))" }
        ?? (source.spec.kind.isOfEvents ? "readings as they come" : "at a rate that only the device knows")
      let with = settings.isEmpty ? "" : ", with \(settings.joined(separator: ", "))"
      let first = "  \(line.name == text ? text : "\(line.name): \(text)"): \(rate)\(with)"
      return [first] + source.stages.map { "    then \(Self.stage($0))" }
    }
  }

  private static func each(_ streams: [StreamDescription]?) -> String {
    (streams?.count ?? 1) > 1 ? " of each line" : ""
  }

  /// The rate without needless decimals: `400`, `0.0167`.
  private static func rate(_ rate: Double) -> String {
    let text = rate >= 100 ? grouped(rate, 0) : grouped(rate, rate >= 1 ? 2 : 4)
    guard text.contains(".") else { return text }
    let digits = text.reversed().drop { $0 == "0" }.drop { $0 == "." }
    return String(digits.reversed())
  }

  /// `throttle (interval 1s, keep first)`
  private static func stage(_ plan: StagePlan) -> String {
    let name = type(of: plan.stage).name
    let members = plan.json.members
    let settings = members.dropFirst().map { "\($0.0) \(value($0.1))" }
    return settings.isEmpty ? name : "\(name) (\(settings.joined(separator: ", ")))"
  }

  private static func value(_ json: JSON) -> String {
    switch json {
    case .string(let text): text
    case .array(let elements): elements.map { value($0) }.joined(separator: " ")
    case .null, .bool, .number, .object: json.text
    }
  }

  private var stages: [String] {
    guard !plan.stages.isEmpty else {
      return plan.replay == nil ? ["No buffer: while an output waits, nothing but the kernel keeps readings."] : []
    }
    let stages = plan.stages.map { plan -> String in
      guard let buffer = plan.stage as? BufferStage else { return Self.stage(plan) }
      let size =
        buffer.size.map { "\(grouped($0)) readings" } ?? budget?.buffered.map { "\(grouped($0)) readings (8 MB)" }
      let full =
        switch buffer.whenFull {
        case .dropOldest: "the oldest is dropped when it is full"
        case .dropNewest: "the newest is dropped when it is full"
        case .fail: "the recording fails when it is full"
        case .spill: "readings go to the disk when it is full, and the oldest is dropped when the spill is full too"
        }
      return "a buffer for each stream of \(size ?? "what 8 MB hold"); \(full)"
    }
    return ["All readings pass:"] + stages.map { "  \($0)" }
  }

  private var outputs: [String] {
    ["They are written to:"]
      + plan.outputs.flatMap { output -> [String] in
        let kind = OutputKinds.kind(of: output.path)
        let hasFormat = kind.hasFiles || kind.format != nil || output.format != nil
        let details = [
          hasFormat ? RecordingFormats.type(of: output.path, output.format).name : nil, output.raw ? "raw values" : nil,
        ].compactMap { $0 }
        let existing =
          switch output.existing {
          case _ where !kind.hasFiles: ""
          case .refuse: output.path == "-" ? "" : ", which must not exist"
          case .append: ", to which it is appended"
          case .overwrite: ", which is overwritten"
          }
        let format = details.isEmpty ? "" : " (\(details.joined(separator: ", ")))"
        var line = "  \(outputTitle(output.path))\(format)\(existing)"
        if let rotation = output.rotation {
          line += "; a new part begins after \(Self.amount(rotation.period, rotation.size, parts: nil))"
          line +=
            rotation.keep.map { ", and \(Self.amount($0.age, $0.bytes, parts: $0.parts)) of old parts are kept" } ?? ""
        }
        let buffer = output.buffer.map {
          "    then a buffer of \($0.size.map { grouped($0) + " readings" } ?? "8 MB") of its own"
        }
        return [line] + output.stages.map { "    then \(Self.stage($0))" }
          + [buffer, spill(of: output)].compactMap { $0 }
      }
  }

  private func spill(of output: OutputPlan) -> String? {
    guard let number = plan.outputs.firstIndex(where: { $0.path == output.path }), plan.spills[number].isSpilling else {
      return nil
    }
    let settings = plan.spill ?? SpillPlan()
    let when = plan.spills[number].always ? "when the buffer is full, and in a pause," : "in a pause,"
    let size = settings.size ?? ByteSize(bytes: SpillPlan.standardSize)
    return
      "    \(when) readings wait on the disk in \(SpillPath.path(of: output.path, in: settings.folder)), \(size) at most"
  }

  /// `1 h or 100M`
  private static func amount(_ time: Duration?, _ bytes: Int?, parts: Int?) -> String {
    [
      time.map { unit(TimeSpan(nanoseconds: max(1, $0.nanoseconds))) }, bytes.map { ByteSize(bytes: $0).description },
      parts.map { "\(grouped($0)) parts" },
    ].compactMap { $0 }.joined(separator: " or ")
  }

  /// In the largest unit that gives a whole number: `7d`.
  private static func unit(_ time: TimeSpan) -> String {
    // Not a loop: see TimeSpan.description.
    if time.nanoseconds % 86_400_000_000_000 == 0 { return "\(time.nanoseconds / 86_400_000_000_000)d" }
    if time.nanoseconds % 3_600_000_000_000 == 0 { return "\(time.nanoseconds / 3_600_000_000_000)h" }
    if time.nanoseconds % 60_000_000_000 == 0 { return "\(time.nanoseconds / 60_000_000_000)m" }
    return time.description
  }

  private var end: [String] {
    let limits = plan.limits
    let ends = [
      limits.duration.map { "after \(Self.unit($0))" }, limits.count.map { "after \(grouped($0)) readings" },
      limits.idleTimeout.map { "when nothing has come for \(Self.unit($0))" },
      limits.minFree.map { "when less than \($0) is free on the disk of an output" },
    ].compactMap { $0 }
    let stop = plan.replay == nil ? "when it is stopped" : "with the trace"
    var lines = ["It ends \((ends + [stop]).joined(separator: ", or "))."]
    if plan.startPaused { lines.append("It begins paused.") }
    if let error = limits.maxClockError {
      lines.append("It does not begin if the wall clock may be wrong by more than \(error).")
    }
    if let loss = limits.maxLoss {
      lines.append(
        "It has failed if \(loss == 0 ? "a reading is lost" : "more than \(grouped(loss)) readings are lost").")
    }
    return lines
  }

  // MARK: Losses

  private var losses: [String] {
    guard let budget else { return ["", "A replay waits for its outputs, and loses nothing."] }
    let rows = budget.lines.map { line in
      [
        line.name, line.forecast.rate.map { "\(Self.rate($0))" } ?? "unknown", Self.kernel(line.forecast.queue),
        budget.buffered.map { $0 == 0 ? "nothing" : grouped($0) } ?? "unknown", line.outputs?.text ?? "",
        line.pause?.text ?? "discards", line.program.text,
      ]
    }
    var lines = [
      "",
      "Loss budget: the outputs (their disk is full or slow) or this program may stand still, or a pause may last, for at",
      "least this long before a reading is lost.", "",
    ]
    lines += table(
      [["source", "readings/s", "the kernel keeps", "the buffer keeps", "outputs", "a pause", "this program"]] + rows
    ).map { "  \($0)" }
    for own in budget.lines.first?.ownBuffers.map(\.path) ?? [] {
      let stalls = budget.lines.compactMap { line in
        line.ownBuffers.first { $0.path == own }.map { "\(line.name) \($0.stall.text)" }
      }
      lines.append("\(own) has a buffer of its own, and may stand still alone: \(stalls.joined(separator: ", ")).")
    }
    if plan.outputs.count > 1, plan.spills.contains(where: { !$0.always }) {
      lines.append(
        "If one output waits for its disk while another takes readings, the first keeps 1 MB of rows, and then misses readings."
      )
    }
    if budget.buffered == nil {
      let unknown = budget.lines.filter { $0.forecast.streams == nil }.map(\.name)
      lines.append(
        "How many readings 8 MB hold is known only when the streams of \(listed(unknown)) are known; a buffer with a size has a figure."
      )
    }
    if budget.lines.contains(where: { $0.isOfAssumedRate }) {
      lines.append("Nobody knows how fast events come: a time \"at 1,000/s\" assumes 1,000 readings per second.")
    }
    return lines
  }

  private static func kernel(_ queue: KernelQueue?) -> String {
    switch queue {
    case .nothing?: "nothing"
    case .readings(let capacity, _)?: grouped(capacity)
    case .bytes(let capacity, _)?: "\(grouped(capacity)) bytes"
    case .sender?: "the sender waits"
    case nil: "unknown"
    }
  }
}
