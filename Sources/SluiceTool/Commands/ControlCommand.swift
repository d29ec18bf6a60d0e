import SluiceArguments
import SluiceControl
import SluicePipeline
import SluiceReadings

struct ControlCommand: ArgumentCommand {
  static let name = "ctl"
  static let summary = "Show and control a running recording: its status, pauses, marks, parts and plan."
  static let discussion = """
    Examples: sluice ctl
              sluice ctl walk status --follow
              sluice ctl walk mark door opened

    Without NAME it lists the running recordings of this user and of services. NAME is the name of --name, or \
    else of the first output's file. Without ACTION it prints the status.

    status  the account so far; --follow prints it every second, with the events
    health  what is not well
    pause, resume
    mark TEXT  mark this moment with a text, in the metadata and in pictures
    rotate  begin a new part of each output that has parts
    flush  write and sync everything received so far
    reload  read the plan again, and take over the changes that are possible during a recording
    stop  end it, and wait until everything is written

    Exit status: 0 done, 1 refused or not found, 64 wrong usage. Of health: 0 all is well, 1 somebody should look, 2 \
    readings are not recorded or not kept, or the recording does not run.
    """

  var name: String?
  var action: String?
  var text: [String] = []
  var json = false
  var follow = false

  static var rows: [ArgumentRow<Self>] {
    [
      .argument("NAME", "The name of a recording.", \.name, completion: .running),
      .argument(
        "ACTION", "What to do: \(Self.actions.joined(separator: ", ")).", \.action, completion: .list(Self.actions)),
      .argument("TEXT", "The text of a mark.", \.text, isNeeded: false),
      .flag("json", "Print JSON.", \.json),
      .flag("follow", "Print the status every second, and events when they happen.", \.follow),
    ]
  }

  static let actions = ["status", "health", "pause", "resume", "mark", "rotate", "flush", "reload", "stop"]

  func validate() throws {
    guard let name else {
      if follow { throw Fault("--follow is for one recording; give its name") }
      return
    }
    do throws(SluiceError) { _ = try ControlName(name) } catch {
      throw Fault("\(name) is no name of a recording: \(error.cause)")
    }
    let request = try request()
    let isStatus = if case .status = request { true } else { false }
    if follow, !isStatus { throw Fault("--follow is for the status; leave it out with \(request.word)") }
    if json, !isStatus, request != .health {
      throw Fault("--json is for status and health; leave it out with \(request.word)")
    }
  }

  private func request() throws -> ControlRequest {
    if action != "mark", let more = text.first {
      throw Fault("\(action ?? "status") takes no \(more); only mark takes a text")
    }
    switch action {
    case nil, "status": return .status(follows: follow)
    case "health": return .health
    case "pause": return .pause
    case "resume": return .resume
    case "mark":
      if text.isEmpty { throw Fault("mark takes a text, such as: sluice ctl NAME mark door opened") }
      return .mark(text.joined(separator: " "))
    case "rotate": return .rotate
    case "flush": return .flush
    case "reload": return .reload
    case "stop": return .stop
    case let action?:
      let hint = nearest(to: action, among: Self.actions).map { "; did you mean \($0)?" } ?? ""
      throw Fault(
        "there is no action \(action)\(hint.isEmpty ? "; there are \(Self.actions.joined(separator: ", "))" : hint)")
    }
  }

  func run() throws {
    try reportingErrors {
      let running = RunningRecordings(.ofThisProcess)
      guard let name else { return try list(running) }
      let request = try request()
      guard request == .health else { return try ask(ControlName(name), running, request) }
      do {
        try ask(ControlName(name), running, request)
      } catch let error as SluiceError {
        // For `health`, a recording that does not answer has the worst status.
        Console.printError(error)
        throw ExitCode(2)
      }
    }
  }

  // MARK: What runs

  private func list(_ running: RunningRecordings) throws {
    var rows: [[String]] = []
    var objects: [JSON] = []
    for entry in running.entries {
      switch RunningRecordings.standing(entry) {
      case nil: continue
      case .running(let process, let line)?:
        rows.append([entry.name, process.map { "\($0)" } ?? "", line])
        objects.append(
          .object([("name", .string(entry.name)), ("process", JSON(process.map(Int.init))), ("text", .string(line))]))
      case .silent(let error)?:
        rows.append([entry.name, "", error.cause])
        objects.append(.object([("name", .string(entry.name)), ("error", .string(error.cause))]))
      }
    }
    if json { return try printOutput(JSON.array(objects).lines() + "\n") }
    guard !rows.isEmpty else {
      let place: String? = if case .failure(let error) = Result(catching: Self.ownPlace) { "\(error)" } else { nil }
      Console.say("this user can see no running recording" + (place.map { "; \($0)" } ?? ""))
      return
    }
    try printText(table([["NAME", "PROCESS", "STATUS"]] + rows) { $0 == 1 }.map { "\($0)\n" }.joined())
  }

  private static func ownPlace() throws -> ControlPlace { try ControlPlace.own(.ofThisProcess) }

  // MARK: One recording

  private func ask(_ name: ControlName, _ running: RunningRecordings, _ request: ControlRequest) throws {
    guard let client = try Self.client(name, running) else { throw Self.missing(name, running) }
    try client.send(request)
    // A stop and a flush write all received readings first, and a disk may be slow.
    let limit: Int? =
      switch request {
      case .status(let follows): follows ? 10_000 : 5_000
      case .stop: nil
      case .flush, .reload: 30_000
      case .health, .pause, .resume, .mark, .rotate: 5_000
      }
    while let reply = try client.reply(within: limit) {
      switch reply.kind {
      case "refused":
        Console.printLine("sluice: \(name): \(reply.content)", .error)
        throw ExitCode(1)
      case "done":
        try printText(([reply.content] + (reply.changed + reply.kept).map { "  \($0)" }).asLines)
        return
      case "health":
        try json ? printOutput(reply.content + "\n") : printText((reply.text ?? "") + "\n")
        if let level = reply.level, level != 0 { throw ExitCode(Int32(clamping: level)) }
        return
      case "ended":
        guard follow else {
          Console.printLine("sluice: \(name): \(reply.content)", .error)
          throw ExitCode(1)
        }
        let line = json ? #"{"ended": \#(JSON.string(reply.content).text)}"# : reply.content
        return try printLine(line)
      default: try show(reply)
      }
      if !follow { return }
    }
    throw SluiceError(.failed, request.word, "\(name)", because: "it ended meanwhile")
  }

  private func show(_ reply: ControlClient.Reply) throws {
    if json {
      return try printOutput((follow ? #"{"\#(reply.kind)": \#(reply.content)}"# : reply.content) + "\n")
    }
    switch reply.kind {
    case "status":
      let lines = (reply.text ?? reply.content).split(separator: "\n", omittingEmptySubsequences: false)
      try printText((follow ? String(lines.dropFirst().first ?? "") : lines.joined(separator: "\n")) + "\n")
    case "event":
      let text = reply.text ?? ""
      try printLine(text)
    case "missed":
      try printText("\(reply.content) lines were not sent, because they were not read in time\n")
    default: break
    }
  }

  /// Connects to the first running recording of this name.
  private static func client(_ name: ControlName, _ running: RunningRecordings) throws(SluiceError) -> ControlClient? {
    for entry in running.named(name) {
      do throws(SluiceError) {
        return try ControlClient(entry.path, entry.name)
      } catch  where error.code == .notFound {
        // A killed recording has left this socket.
      }
    }
    return nil
  }

  private static func missing(_ name: ControlName, _ running: RunningRecordings) -> SluiceError {
    if running.entries.isEmpty, case .failure(let error) = Result(catching: ownPlace), let error = error as? SluiceError
    {
      return SluiceError(
        .notFound, "find", "\(name)", because: "this user can see no running recording; \(error)")
    }
    let names = Set(running.entries.filter { RunningRecordings.standing($0, within: 500) != nil }.map(\.name)).sorted()
    let hint = nearest(to: name.description, among: names).map { "did you mean \($0)?" }
    return SluiceError(
      .notFound, "find", "\(name)", because: "this user can see no running recording of this name",
      remedy: hint
        ?? (names.isEmpty ? "'sluice record --name NAME' gives a recording its name" : "these run: \(listed(names))"))
  }
}
