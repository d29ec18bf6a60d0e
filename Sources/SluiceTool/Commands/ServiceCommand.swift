import ArgumentParser
import SluicePipeline
import SluiceReadings
import SluiceSystem

struct ServiceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "service",
    abstract: "Make a recording a service of systemd, and show its status.",
    discussion: """
      Examples: sluice record gpio:gpiochip0:3 --append -o meter.csv --print-plan > meter.json
                sluice service install meter.json
                sluice service status meter
      """,
    subcommands: [ServiceInstallCommand.self, ServiceStatusCommand.self, ServiceRunCommand.self])
}

struct ServiceInstallCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "install",
    abstract: "Make a plan the service sluice-record@NAME, which records from the start of the machine on.",
    discussion: """
      NAME is the name of the file without its ending. Without --yes it only says what it would do. If the \
      service runs already, it is restarted with the new plan.
      """)

  @Argument(
    help: ArgumentHelp(
      "A station file (NAME.yaml), or a plan (NAME.json) as 'sluice record --print-plan' prints it.", valueName: "FILE"),
    completion: .file())
  var file: String

  @Flag(help: "Do it.")
  var yes = false

  @Option(
    help: ArgumentHelp("Install into this tree of another system, and start nothing.", valueName: "DIR"),
    completion: .directory)
  var root = ""

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

struct ServiceStatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show the status of the services, with the last warnings of their journals.",
    discussion: """
      Exit status: 0 if all of them run, 1 otherwise. The journal of a service is for root and the groups adm and \
      systemd-journal.
      """)

  @Argument(help: ArgumentHelp("A service; without it, all services.", valueName: "NAME"))
  var name: String?

  @Option(help: ArgumentHelp("The number of warnings to show.", valueName: "N"))
  var lines = 5

  func validate() throws {
    if lines < 0 { throw ValidationError("--lines takes 0 or more") }
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

struct ServiceRunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Record as the service NAME. The unit sluice-record@NAME runs it.",
    discussion: """
      Its file is NAME.yaml or NAME.json in CONFIGURATION_DIRECTORY, which systemd sets, or in /etc/sluice. The options are those that \
      'sluice record' takes beside a plan, such as --http and --on-event.
      """)

  @Argument(help: ArgumentHelp("The service.", valueName: "NAME"))
  var name: String

  @Argument(parsing: .captureForPassthrough, help: ArgumentHelp("Options of 'sluice record'.", valueName: "OPTION"))
  var options: [String] = []

  func run() throws {
    try reportingErrors {
      let folder = Console.variable("CONFIGURATION_DIRECTORY") ?? "/etc/sluice"
      let plan = try ServicePlan(ServiceName(name), in: folder)
      try RecordCommand.parse(plan.arguments + ["--name", name] + options).run()
    }
  }
}
