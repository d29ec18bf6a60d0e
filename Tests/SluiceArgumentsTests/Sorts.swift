import SluiceReadings

@testable import SluiceArguments

/// A colour, which an option takes.
enum Colour: String, NamedChoice, Sendable { case red, green }

/// A number that is a multiple of ten.
struct Ten: ArgumentValue, Equatable {
  var value = 0

  init() {}
  init?(argument: String) {
    guard let value = Int(argument), value.isMultiple(of: 10) else { return nil }
    self.value = value
  }

  static func why(_ argument: String) -> String? { Int(argument) == nil ? nil : "its last digit is 0" }
}

/// A thing by its name, which its form does not have.
struct Thing: ArgumentValue {
  var name = ""

  init?(argument: String) {
    guard Self.names.contains(argument) else { return nil }
    name = argument
  }

  static var names: [String] { ["nut", "bolt"] }
}

/// Options that several commands have.
struct PaintOptions: ArgumentGroup {
  var colour: Colour?
  var coats = Ten()
  var shiny = false

  static var rows: [ArgumentRow<Self>] {
    [
      .option("colour", short: "c", "red|green", "The colour.", \.colour).earlier("color"),
      .option("coats", "N", "How many coats.", \.coats, notice: { $0 == "90" ? ["90 coats are many"] : [] }),
      .flag("shiny", short: "s", "Make it shine.", \.shiny).named("-G", "--gloss", in: "brush"),
    ]
  }

  func validate() throws {
    if shiny, colour == nil { throw Fault("--shiny is for a colour; give --colour too") }
  }
}

/// A command with all sorts of rows.
struct SortCommand: ArgumentCommand {
  static let name = "sort"
  static let summary = "Sort things."
  static let discussion = "Example: tool sort a b\n\nIt takes a while."

  var first = ""
  var others: [String] = []
  var tags: [String] = []
  var count: Int?
  var live: Bool?
  var quick = false
  var order: String?
  var paint = PaintOptions()

  static var rows: [ArgumentRow<Self>] {
    [
      .argument("FIRST", "The first thing.", \.first, completion: .file),
      .argument("OTHER", "More things.", \.others, isNeeded: false, completion: .list(["x", "y"])),
      .option("tag", short: "t", "TEXT", "A tag. Can be repeated.", \.tags),
      .option("count", short: "n", "N", "How many.", \.count),
      .toggle("live", "Show it.", \.live),
      .flag("quick", short: "q", "Be quick.", \.quick),
      .option("order", "up|down", "The order. (alone: up)", \.order, alone: "up", completion: .list(["up", "down"]))
        .insteadOfTwice("there is one order"),
      .group("Paint, on all things", \.paint),
    ]
  }

  func run() {}
}

/// A command that passes words on.
struct PassCommand: ArgumentCommand {
  static let name = "pass"
  static let summary = "Pass words on."

  var to = ""
  var words: [String] = []
  var quick = false

  static var rows: [ArgumentRow<Self>] {
    [
      .argument("TO", "The receiver.", \.to), .rest("WORD", "What is passed on.", \.words),
      .flag("quick", "Be quick.", \.quick),
    ]
  }

  func run() {}
}

/// A command that needs an option, and one of a few names.
struct ThingCommand: ArgumentCommand {
  static let name = "thing"
  static let summary = "Make a thing."

  var things: [Thing] = []
  var output = ""

  static var rows: [ArgumentRow<Self>] {
    [
      .argument("thing", "What to make.", \.things, isNeeded: false),
      .option("output", short: "o", "DIR", "Where.", \.output, isNeeded: true, completion: .folders),
    ]
  }

  func run() {}
}

/// A command of commands.
struct BoxCommand: ArgumentCommand {
  static let name = "box"
  static let summary = "Boxes."
  static var subcommands: [any ArgumentCommand.Type] { [PassCommand.self] }
  static var rows: [ArgumentRow<Self>] { [] }

  func run() {}
}

var tool: ArgumentProgram {
  ArgumentProgram(
    "tool", "A tool.", discussion: "It is for things.", version: "1.0",
    commands: [SortCommand.self, ThingCommand.self, BoxCommand.self],
    elsewhere: { $0 == "--net" ? "this machine is enough" : nil })
}
