import SluiceArguments
import SluiceDevices
import SluicePipeline
import SluiceReadings

/// What a recording, a replay or a conversion would do.
struct PlanCommand: ArgumentCommand {
  static let name = "plan"
  static let summary = "Say what a recording, a replay or a conversion would do, and open nothing."
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
        "A station file (.yaml) or a plan (.json); or what stands behind sluice: record, replay or convert with their arguments. Without a command, they are those of record.",
        \.words, isNeeded: true, completion: .commandLine(Self.commands, endings: ["yaml", "yml", "json"]))
    ]
  }

  /// Those that have a plan; the first if none is said.
  private static var commands: [String] { [RecordCommand.name, ReplayCommand.name, ConvertCommand.name] }

  func run() throws {
    var line = words
    let ending = line.count == 1 ? line[0].split(separator: ".").last : nil
    if let ending, let option = ["json": "--plan", "yaml": "--station", "yml": "--station"][ending] {
      line = ["record", option, line[0]]
    } else if !Self.commands.contains(line.first ?? "") {
      line.insert(RecordCommand.name, at: 0)
    }
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
        case let command as RecordCommand:
          try Self.view.show(command.recordingPlan(), command.settings.roots, title: command.plans.title)
        case let command as ReplayCommand:
          try Self.view.show(command.recordingPlan(), DeviceRoots(), title: "the arguments are")
        case let command as ConvertCommand:
          try Self.view.show(command.recordingPlan(), DeviceRoots(), title: "the arguments are")
        default: break
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
