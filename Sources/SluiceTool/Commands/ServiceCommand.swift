import SluiceArguments
import SluicePipeline
import SluiceReadings
import SluiceSystem

struct ServiceCommand: ArgumentCommand {
  static let name = "service"
  static let summary = "Make a recording a service of systemd, and show its status."
  static let discussion = """
    Examples: sluice plan json record gpio:gpiochip0:3 --append -o meter.csv > meter.json
              sluice service install meter.json
              sluice service status meter
    """
  static var subcommands: [any ArgumentCommand.Type] {
    [
      ServiceInstallCommand.self, ServiceStatusCommand.self, ServiceRunCommand.self,
    ]
  }
  static var rows: [ArgumentRow<Self>] { [] }

  /// Its commands do something, and it shows its help.
  func run() {}
}

struct ServiceInstallCommand: ArgumentCommand {
  static let name = "install"
  static let summary = "Make a plan the service sluice-record@NAME, which records from the start of the machine on."
  static let discussion = """
    NAME is the name of the file without its ending. Without --yes it only says what it would do. If the \
    service runs already, it is restarted with the new plan.
    """

  var file = ""
  var yes = false
  var root = ""

  static var rows: [ArgumentRow<Self>] {
    [
      .argument(
        "FILE", "A station file (NAME.yaml), or a plan (NAME.json) as 'sluice plan json' prints it.", \.file,
        completion: .file),
      .flag("yes", "Do it.", \.yes),
      .option(
        "root", "DIR", "Install into this tree of another system, and start nothing.", \.root, completion: .folders),
    ]
  }

  func run() throws {
    try reportingErrors {
      let name = try ServiceName(file: file)
      let tree = root.hasSuffix("/") ? String(root.dropLast()) : root
      let record = try RecordCommand.parse(ServicePlan.arguments(file) + Self.options("\(tree)/etc/sluice/\(name).env"))
      let plan = try record.recordingPlan()
      _ = try plan.checked(record.plans.title)
      var needs = ServiceNeeds(plan, folder: name.folder)
      needs.add(
        isServed: record.viewers.isServed, textfile: record.control.textfile, program: record.control.onEvent)
      guard needs.faults.isEmpty else {
        throw SluiceError(.usage, "install", file, because: needs.faults.joined(separator: "; "))
      }
      let installation = ServiceInstallation(
        name, file: fileName(of: file), contents: try Self.contents(file), needs: needs,
        root: tree,
        existing: { try? Self.contents($0) })
      try printText(plan.unknownSources.asLines)
      guard yes else {
        let steps = installation.steps.map { "would \($0.text)\n" }.joined()
        return try printText(steps + "nothing is changed; --yes does it\n")
      }
      try installation.run { try printText("\($0.text)\n") }
    }
  }

  /// The options of the service; none without the file.
  private static func options(_ path: String) throws(SluiceError) -> [String] {
    do throws(SluiceError) {
      return ServiceOptions(String(decoding: try contents(path), as: UTF8.self)).words
    } catch  where error.code == .notFound {
      return []
    }
  }

  /// Reads a file, which may be a symbolic link.
  private static func contents(_ path: String) throws(SluiceError) -> [UInt8] {
    let real = realpath(path, nil)
    defer { free(real) }
    let path = real.map { String(cString: $0) } ?? path
    do throws(SystemErrno) { return try SystemFiles().contents(of: path, limit: RecordingPlan.longest) } catch {
      throw SluiceError("read", path, errno: error.code)
    }
  }
}

struct ServiceStatusCommand: ArgumentCommand {
  static let name = "status"
  static let summary = "Show the status of the services, with the last warnings of their journals."
  static let discussion = """
    Exit status: 0 if all of them run, 1 otherwise. The journal of a service is for root and the groups adm and \
    systemd-journal.
    """

  var name: String?
  var lines = 5

  static var rows: [ArgumentRow<Self>] {
    [
      .argument("NAME", "A service; without it, all services.", \.name),
      .option("lines", "N", "The number of warnings to show. (default: 5)", \.lines),
    ]
  }

  func validate() throws {
    if lines < 0 { throw Fault("--lines takes 0 or more") }
  }

  func run() throws {
    var isWell = true
    try reportingErrors {
      let units = try name.map { [try ServiceName($0).unit] } ?? Self.units()
      if units.isEmpty {
        isWell = false
        return try printText("there is no service of sluice; sluice service install FILE makes one\n")
      }
      for unit in units {
        let properties = ServiceState.properties.joined(separator: ",")
        let state = ServiceState(try Self.ask(["systemctl", "show", "--property=\(properties)", "--", unit]))
        isWell = isWell && state.isRunning
        try printText(state.text)
        guard lines > 0 else { continue }
        let journal = try Self.ask([
          "journalctl", "--unit=\(unit)", "--priority=warning", "--lines=\(lines)", "--output=short-iso",
          "--no-hostname", "--no-pager", "--quiet",
        ])
        for line in journal.split(separator: "\n") where !line.hasPrefix("--") { try printText("  \(line)\n") }
      }
    }
    if !isWell { throw ExitCode(1) }
  }

  /// The units that run, that have failed, or that start with the machine.
  private static func units() throws -> [String] {
    let pattern = "sluice-record@*.service"
    let loaded = try ask(["systemctl", "list-units", "--all", "--plain", "--no-legend", "--no-pager", pattern])
    let enabled = try ask(["systemctl", "list-unit-files", "--plain", "--no-legend", "--no-pager", pattern])
    let names = (loaded + "\n" + enabled).split(separator: "\n").compactMap { line in
      line.split(separator: " ").first.map(String.init)
    }
    // The template is no service.
    return Set(names).filter { $0.hasPrefix("sluice-record@") && $0 != "sluice-record@.service" }.sorted()
  }

  /// Runs a program.
  /// - Returns: The output of the program.
  private static func ask(_ words: [String]) throws(SluiceError) -> String {
    do throws(SystemErrno) {
      let (end, output) = try runProgram(words, limit: 1 << 20)
      guard case .exited = end else { throw SystemErrno(ECHILD) }
      return String(decoding: output, as: UTF8.self)
    } catch {
      throw SluiceError("run", words[0], errno: error.code, remedy: "this needs systemd")
    }
  }
}

struct ServiceRunCommand: ArgumentCommand {
  static let name = "run"
  static let summary = "Record as the service NAME. The unit sluice-record@NAME runs it."
  static let discussion = """
    Its file is NAME.yaml or NAME.json in CONFIGURATION_DIRECTORY, which systemd sets, or in /etc/sluice. The options are those that \
    'sluice record' takes beside a plan, such as --http and --on-event.
    """

  var name = ""
  var options: [String] = []

  static var rows: [ArgumentRow<Self>] {
    [
      .argument("NAME", "The service.", \.name),
      .rest("OPTION", "Options of 'sluice record'.", \.options),
    ]
  }

  func run() throws {
    try reportingErrors {
      let folder = Console.variable("CONFIGURATION_DIRECTORY") ?? "/etc/sluice"
      let plan = try ServicePlan(ServiceName(name), in: folder)
      // The options may have another name.
      let isNamed = options.contains { $0 == "--name" || $0.hasPrefix("--name=") }
      try RecordCommand.parse(plan.arguments + (isNamed ? [] : ["--name", name]) + options).run()
    }
  }
}
