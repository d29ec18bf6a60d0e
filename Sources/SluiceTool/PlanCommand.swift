import SluiceArguments
import SluiceDevices
import SluicePipeline
import SluiceReadings

/// What a recording, a replay or a conversion would do.
struct PlanCommand: ArgumentCommand {
  static let name = "plan"
  static let summary = "Show what a recording, a replay or a conversion would do, without running it."
  static let discussion = """
    Examples: sluice plan check walk.yaml
              sluice plan explain record imu=iio:bmi160 --throttle 1s -o walk.csv
              sluice plan json convert a.csv b.csv -o all.db > all.json
    """
  static var subcommands: [any ArgumentCommand.Type] {
    [
      PlanCheckCommand.self, PlanExplainCommand.self, PlanJSONCommand.self, PlanStationCommand.self,
      PlanSchemaCommand.self,
    ]
  }

  static var rows: [ArgumentRow<Self>] { [] }

  func run() throws {}
}

/// A command that shows a plan.
protocol PlanViewCommand: ArgumentCommand {
  static var view: PlanView { get }
  /// The words behind the name of the command.
  var words: [String] { get set }
}

extension PlanViewCommand {
  static var name: String { view.rawValue }
  static var summary: String { view.summary }

  static var rows: [ArgumentRow<Self>] {
    [
      .rest(
        "FILE|COMMAND",
        "A station file (.yaml), a plan (.json), or a command with its arguments: record, replay or convert. If the command is left out, it is record.",
        \.words, isNeeded: true, completion: .commandLine(Self.commands, endings: ["yaml", "yml", "json"]))
    ]
  }

  /// Those that have a plan; the first if none is said.
  private static var commands: [String] { [RecordCommand.name, ReplayCommand.name, ConvertCommand.name] }

  /// The words, with the command at the beginning.
  private var commandLine: [String] {
    get throws(Fault) {
      let words = words.first == "--" ? Array(words.dropFirst()) : words
      let first = words.first ?? ""
      let ending = first.contains(":") ? nil : first.split(separator: ".").last
      if let ending, let option = ["json": "--plan", "yaml": "--station", "yml": "--station"][ending] {
        return [RecordCommand.name, option] + words
      }
      if first == "-" { return [RecordCommand.name, "--plan"] + words }
      if Self.commands.contains(first) { return words }
      if SluiceCommand.program.commands.contains(where: { $0.name == first }) {
        throw Fault("plan takes record, replay or convert, or a file, and not \(first)")
      }
      return [RecordCommand.name] + words
    }
  }

  func run() throws {
    let line = try commandLine
    var notices: [String] = []
    let request = try SluiceCommand.program.request(line, notices: &notices)
    for notice in notices { Console.warn(notice) }
    guard case .command(let command) = request else {
      if case .page(let text) = request { try printText(text) }
      return
    }
    do {
      try reportingErrors {
        switch command {
        case let command as RecordCommand where command.view == nil:
          try Self.view.show(command.recordingPlan(), command.settings.roots, title: command.plans.title)
        case let command as ReplayCommand where command.view == nil:
          try Self.view.show(command.recordingPlan(), DeviceRoots(), title: "the arguments are")
        case let command as ConvertCommand where command.view == nil:
          try Self.view.show(command.recordingPlan(), DeviceRoots(), title: "the arguments are")
        default: throw Fault("an old form such as --check does the same as sluice plan; give one of them")
        }
      }
    } catch let fault as Fault {
      throw SluiceCommand.program.explained(fault, line)
    }
  }
}

struct PlanCheckCommand: PlanViewCommand {
  static let view = PlanView.check
  var words: [String] = []
}

struct PlanExplainCommand: PlanViewCommand {
  static let view = PlanView.explain
  var words: [String] = []
}

struct PlanJSONCommand: PlanViewCommand {
  static let view = PlanView.json
  var words: [String] = []
}

struct PlanStationCommand: PlanViewCommand {
  static let view = PlanView.station
  var words: [String] = []
}

struct PlanSchemaCommand: ArgumentCommand {
  static let name = "schema"
  static let summary = "Print the JSON schema of station files, for editors."
  static var rows: [ArgumentRow<Self>] { [] }

  func run() throws { try reportingErrors { try printOutput(StationSchema().json.lines() + "\n") } }
}
