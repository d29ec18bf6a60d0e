import SluiceArguments
import SluiceReadings
import SluiceRecording
import XCTest

@testable import SluicePipeline
@testable import SluiceTool

/// The rules of outputs, for the options of the command and for the file of a plan.
final class OutputRulesTests: XCTestCase {
  /// What the command says, and what is said about the plan.
  private static let rules = [
    "-o takes a file, a folder, or - for standard output":
      "outputs[0].path is empty: say a file, a folder, or - for standard output",
    "--keep says which parts are kept, and without --rotate there are none; give both":
      "outputs[0].keep is for parts: give \"rotate\" too",
    "--rotate needs a file; standard output has no parts":
      "outputs[0].rotate: only a file has parts, and - is standard output",
    "--force overwrites, and parts never are: remove them, or give --append for further parts":
      "outputs[0].existing: parts are never overwritten; append to them, or remove them",
    "--append needs a file; standard output always begins with a header":
      "outputs[0].existing: only a file can be appended to, and - is standard output",
    "--layout is for CSV, and no output is CSV; leave it out":
      "outputs[0].layout: a layout is for CSV, and this is FORMAT; leave it out",
    "--time is for CSV and JSON Lines, but no output is one of them; leave it out":
      "outputs[0].time: a file of the format FORMAT has its own time format; leave it out, or write CSV or JSON Lines",
    "--time relative counts from the first reading of each run, so --append would mix them; use --time iso":
      "outputs[0].time would count from another first reading in each run: use iso to append",
    "--decimals rounds values, but --raw writes them as the device gave them; give one of them":
      "outputs[0].decimals rounds values, but raw writes them as the device gave them: leave out one of them",
    "--decimals takes 0 to 18": "outputs[0].decimals takes 0 to 18, not 19",
    "--header-units is for CSV, but no output is CSV; leave it out":
      "outputs[0].header-units: a file of the format FORMAT has no header for units; leave it out, or write CSV",
    "--header-units names units, but --raw writes values without them; give one of them":
      "outputs[0].header-units are not those of raw values: leave out one of them",
    "--header-units is for --layout wide, where each column has one unit; leave one of them out":
      "outputs[0].header-units stand in the header of the wide layout: take the layout wide",
    "--tag is for line protocol, but no output is line protocol; leave it out":
      "outputs[0].tags: a file of the format FORMAT has no tags; leave them out, or write line protocol",
    "--tag time cannot be a tag: time is the name of the time":
      "outputs[0].tags[0]: time cannot be a tag: time is the name of the time",
    "--tag _site cannot be a tag: databases keep names that begin with _ for themselves":
      "outputs[0].tags[0]: _site cannot be a tag: databases keep names that begin with _ for themselves",
    "--meta is noted beside a file, and standard output has no metadata; leave out one of them":
      "meta is noted beside a file, and standard output has no metadata; leave out one of them",
  ]
  #if SLUICE_SQLITE
    private static let noText = "x.db"
    private static let ofDatabases = [
      "--decimals is for text formats, but no output is text; leave it out, and round in the query":
        "outputs[0].decimals: a file of the format FORMAT keeps all digits; leave it out, and round in the query"
    ]
  #else
    private static let noText = "x.vcd"
    private static let ofDatabases: [String: String] = [:]
  #endif

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
      return (nil, "\(error)")
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
    let rules = Self.rules.merging(Self.ofDatabases) { rule, _ in rule }
    var broken: Set<String> = []
    func check(_ path: String, _ options: (option: String, member: String)...) {
      let option = command(["-o", path] + options.map(\.option))
      let members = ["\"path\": \"\(path)\""] + options.map(\.member).filter { !$0.isEmpty }
      let plan = file(
        "{\(members.joined(separator: ", "))}",
        notes: options.contains { $0.member.isEmpty } ? #"{"key": "a", "value": "b"}"# : "")
      XCTAssertEqual(option.plan, plan.plan, "\(path) \(options)")
      guard option.plan == nil else { return }
      broken.insert(option.sentence)
      let rule = (rules[option.sentence] ?? option.sentence)
        .replacingOccurrences(of: "FORMAT", with: RecordingFormats.type(of: path, nil).name)
      XCTAssertEqual(plan.sentence, "cannot use the plan p.json: \(rule)", "\(path) \(options)")
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
    XCTAssertEqual(broken, Set(rules.keys))
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
        "--rotate needs a file; standard output has no parts",
        "outputs[1].rotate: only a file has parts, and - is standard output"
      ),
      (
        "-o x,pulses=1", #"{"path": "x", "stages": [{"stage": "pulses", "amount": "1"}]}"#, "",
        "-o x,pulses=1: pulses has a total, which goes on in the next run; give --pulses, or write it behind a source",
        #"outputs[0].stages[0]: pulses has a total, which goes on in the next run; write it into the "stages" of the plan, or of its source"#
      ),
      (
        "-o x.lp --tag a=b --tag c=d --tag a=e", #"{"path": "x.lp", "tags": ["a=b", "c=d", "a=e"]}"#, "",
        "--tag a cannot be a tag: it is given twice", "outputs[0].tags[2]: a cannot be a tag: it is given twice"
      ),
      (
        "-o x --meta a=b --meta a=c", #"{"path": "x"}"#, #"{"key": "a", "value": "b"}, {"key": "a", "value": "c"}"#,
        "--meta a is given twice", #"meta[1].key: "a" is noted twice"#
      ),
    ] {
      XCTAssertEqual(command(options.split(separator: " ").map(String.init)).sentence, rule)
      XCTAssertEqual(file(outputs, notes: notes).sentence, "cannot use the plan p.json: \(sentence)")
    }
  }

  func testRawAndTheUnitsOfSources() {
    XCTAssertThrowsError(try parsed(["record", "timer:1s", "iio:a,si", "-o", "x", "--raw"])) {
      XCTAssertEqual(
        "\($0)", "--raw writes what the device gave, and --si another unit: take one")
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
      "--layout is for CSV, and no output is CSV; leave it out")
    let tagged = try XCTUnwrap(command(["-o", "x.csv", "-o", "x.lp", "--tag", "site=a=b"]).plan)
    XCTAssertEqual(tagged.outputs.map { $0.tags.map(\.value) }, [[], ["a=b"]])
    // The format is unknown, and so is what it has.
    XCTAssertNotNil(command(["-o", "x.vcd", "--format", "cvs", "--time", "iso"]).plan)
  }
}
