import SluiceArguments
import SluiceReadings
import SluiceRecording
import XCTest

@testable import SluicePipeline
@testable import SluiceTool

/// The rules of outputs, for the options of the command and for the file of a plan.
final class OutputRulesTests: XCTestCase {
  /// What the command says.
  private static let rules: Set = [
    "-o is empty: say a file, a folder, or - for standard output",
    "--keep is for parts: give --rotate too",
    "--rotate needs a file, and - is standard output, which has no parts",
    "--force cannot overwrite parts: remove the old parts, or append new ones",
    "--append needs a file, and - is standard output, which always begins with a header",
    "--layout is for CSV, and PATH is FORMAT: leave it out",
    "--time is for CSV and JSON Lines, and PATH is FORMAT: leave it out",
    "--time relative starts again at 0 in each run, so an appended file would mix times of different runs: use iso",
    "--decimals rounds values, but --raw writes them as the device gave them: give one of them",
    "--decimals takes N, not 19: N is 0 to 18",
    "--header-units is for CSV, and PATH is FORMAT: leave it out",
    "--header-units names units, but --raw writes values without them: give one of them",
    "--header-units is for the layout wide, where each column has one unit: leave it out",
    "--tag is for line protocol, and PATH is FORMAT: leave it out",
    "--tag: time cannot be a tag: time is the name of the time",
    "--tag: _site cannot be a tag: databases keep names that begin with _ for themselves",
    "--meta is noted beside a file, and standard output has no metadata: leave out one of them",
  ]
  #if SLUICE_SQLITE
    private static let noText = "x.db"
    private static let ofDatabases: Set = [
      "--decimals is for text formats, and PATH is FORMAT, which keeps all digits: leave it out, and round in the query"
    ]
  #else
    private static let noText = "x.vcd"
    private static let ofDatabases: Set<String> = []
  #endif

  /// The same sentence about a plan.
  private static func ofPlan(_ sentence: String) -> String {
    if sentence.hasPrefix("--decimals takes") { return "outputs[0].decimals takes 0 to 18, not 19" }
    let keys = ["-o": "path", "--append": "existing", "--force": "existing", "--tag": "tags", "--tag:": "tags[0]:"]
    var words = sentence.split(separator: " ").map(String.init)
    let key = keys[words[0]] ?? String(words[0].dropFirst(2))
    for (place, word) in words.enumerated().dropFirst() where word.hasPrefix("--") {
      words[place] = "\"\(keys[word] ?? String(word.dropFirst(2)))\""
    }
    words[0] = key == "meta" ? key : "outputs[0].\(key)"
    return words.joined(separator: " ")
  }

  /// Each option with the member of an output that it is; the note is a member of the plan.
  private static let options = [
    ("--layout=wide", #""layout": "wide""#), ("--layout=long", #""layout": "long""#),
    ("--append", #""existing": "append""#), ("--force", #""existing": "overwrite""#), ("--raw", #""raw": true"#),
    ("--time=iso", #""time": "iso""#), ("--time=relative", #""time": "relative""#), ("--decimals=2", #""decimals": 2"#),
    ("--decimals=19", #""decimals": 19"#), ("--header-units", #""header-units": true"#),
    ("--rotate=1h", #""rotate": "1h""#), ("--keep=7d", #""keep": "7d""#), ("--meta=a=b", ""),
    ("--tag=site=cellar", #""tags": ["site=cellar"]"#), ("--tag=time=1", #""tags": ["time=1"]"#),
    ("--tag=_site=1", #""tags": ["_site=1"]"#),
  ]

  private func command(_ arguments: [String]) -> (plan: RecordingPlan?, sentence: String) {
    do {
      return (try OutputOptions.parse(arguments).plan(.trace(ReplayPlan("in.csv"))), "")
    } catch {
      return (nil, error.argument)
    }
  }

  private func file(_ outputs: String, notes: String = "") -> (plan: RecordingPlan?, sentence: String) {
    let text = #"{"version": 2, "replay": {"file": "in.csv"}, "outputs": [\#(outputs)], "meta": [\#(notes)]}"#
    do throws(SluiceError) {
      return (try RecordingPlan(json: Array(text.utf8), name: "p.json"), "")
    } catch {
      return (nil, error.description)
    }
  }

  /// Each option, and each two of them, with each kind of path: both refuse them by the same rule, or make the same plan.
  func testOptionsAndPlansHaveTheSameRules() throws {
    var broken: Set<String> = []
    func check(_ path: String, _ options: (option: String, member: String)...) {
      let option = command(["-o", path] + options.map(\.option))
      let members = ["\"path\": \"\(path)\""] + options.map(\.member).filter { !$0.isEmpty }
      let plan = file(
        "{\(members.joined(separator: ", "))}",
        notes: options.contains { $0.member.isEmpty } ? #"{"key": "a", "value": "b"}"# : "")
      XCTAssertEqual(option.plan, plan.plan, "\(path) \(options)")
      guard option.plan == nil else { return }
      let format = RecordingFormats.type(of: path, nil).name
      broken.insert(option.sentence.replacingOccurrences(of: "\(path) is \(format)", with: "PATH is FORMAT"))
      XCTAssertEqual(
        plan.sentence, "cannot use the plan p.json: \(Self.ofPlan(option.sentence))", "\(path) \(options)")
    }
    check("")
    for path in ["x.csv", "x.jsonl", "x.lp", Self.noText, "-"] {
      for (number, first) in Self.options.enumerated() {
        check(path, first)
        for second in Self.options[(number + 1)...]
        where first.1.prefix(while: { $0 != ":" }) != second.1.prefix(while: { $0 != ":" }) {
          check(path, first, second)
        }
      }
    }
    XCTAssertEqual(broken, Self.rules.union(Self.ofDatabases))
  }

  func testRulesOfSeveralOutputs() {
    for (options, outputs, notes, rule, sentence) in [
      ("", "", "", "say where to write: -o FILE, -o DIR/ or -o -", "it has no \"outputs\": say where to write"),
      (
        "-o x -o y -o x", #"{"path": "x"}, {"path": "y"}, {"path": "x"}"#, "",
        "-o x is given twice; give each output a file of its own", #"outputs[2].path: "x" is an output already"#
      ),
      (
        "-o x -o - --rotate 1h", #"{"path": "x", "rotate": "1h"}, {"path": "-", "rotate": "1h"}"#, "",
        "--rotate needs a file, and - is standard output, which has no parts",
        "outputs[1].rotate needs a file, and - is standard output, which has no parts"
      ),
      (
        "-o x,pulses=1", #"{"path": "x", "stages": [{"stage": "pulses", "amount": "1"}]}"#, "",
        "-o x,pulses=1: pulses has a total, which goes on in the next run; give --pulses, or write it behind a source",
        #"outputs[0].stages[0]: pulses has a total, which goes on in the next run; write it into the "stages" of the plan, or of its source"#
      ),
      (
        "-o x.lp --tag a=b --tag c=d --tag a=e", #"{"path": "x.lp", "tags": ["a=b", "c=d", "a=e"]}"#, "",
        "--tag: a cannot be a tag: it is given twice", "outputs[0].tags[2]: a cannot be a tag: it is given twice"
      ),
      (
        "-o x --meta a=b --meta a=c", #"{"path": "x"}"#, #"{"key": "a", "value": "b"}, {"key": "a", "value": "c"}"#,
        #"--meta: "a" is noted twice"#, #"meta[1].key: "a" is noted twice"#
      ),
    ] {
      XCTAssertEqual(command(options.split(separator: " ").map(String.init)).sentence, rule)
      XCTAssertEqual(file(outputs, notes: notes).sentence, "cannot use the plan p.json: \(sentence)")
    }
  }

  func testRawAndTheUnitsOfSources() {
    XCTAssertThrowsError(try parsed(["record", "timer:1s", "iio:a,si", "-o", "x", "--raw"])) {
      XCTAssertEqual(
        ($0 as? Fault)?.argument, "--raw writes what the device gave, and si another unit: leave out one of them")
    }
    let text =
      #"{"version": 1, "sources": [{"kind": "iio", "what": "a", "si": true}], "outputs": [{"path": "x", "raw": true}]}"#
    XCTAssertThrowsError(try RecordingPlan(json: Array(text.utf8), name: "p.json")) {
      XCTAssertEqual(
        "\($0)",
        "cannot use the plan p.json: outputs[0].raw writes what the device gave, and sources[0].si another unit: "
          + "leave out one of them")
    }
  }

  /// An option is for all outputs, and each has what its format has.
  func testAnOptionIsForTheOutputsThatHaveIt() throws {
    let lines = ["--layout=long", "--time=iso", "--decimals=2"]
    let plan = try XCTUnwrap(command(["-o", "x.jsonl", "-o", "x.csv", "-o", "x.vcd"] + lines).plan)
    XCTAssertEqual(
      plan.outputs,
      [
        OutputPlan("x.jsonl", time: .iso, decimals: 2), OutputPlan("x.csv", layout: .long, time: .iso, decimals: 2),
        OutputPlan("x.vcd", decimals: 2),
      ])
    XCTAssertEqual(
      command(["-o", "x.jsonl", "-o", "x.vcd"] + lines).sentence,
      "--layout is for CSV, and x.jsonl is jsonl: leave it out")
    let tagged = try XCTUnwrap(command(["-o", "x.csv", "-o", "x.lp", "--tag", "site=a=b"]).plan)
    XCTAssertEqual(tagged.outputs.map { $0.tags.map(\.value) }, [[], ["a=b"]])
    // The format is unknown, and so is what it has.
    XCTAssertNotNil(command(["-o", "x.vcd", "--format", "cvs", "--time", "iso"]).plan)
  }
}
