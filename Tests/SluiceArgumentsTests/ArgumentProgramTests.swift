import SluiceReadings
import XCTest

@testable import SluiceArguments

/// What the arguments of a program ask for, and what is said about those that are wrong.
final class ArgumentProgramTests: XCTestCase {
  private func sentence(_ line: String) -> String {
    var notices: [String] = []
    do throws(Fault) {
      switch try tool.request(line.split(separator: " ").map(String.init), notices: &notices) {
      case .nothing: return "nothing"
      case .command(let command): return "\(type(of: command))"
      case .page(let text), .script(let text): return text
      }
    } catch {
      return error.text
    }
  }

  func testRequests() {
    XCTAssertEqual(sentence(""), "nothing")
    XCTAssertEqual(sentence("sort a"), "SortCommand")
    XCTAssertEqual(sentence("box pass a"), "PassCommand")
    XCTAssertEqual(sentence("sort --version"), "1.0\n")
    XCTAssertEqual(sentence("box pass a --version"), "PassCommand")
    for help in ["sort --help", "sort -h", "sort --frob --help", "help sort"] {
      XCTAssertTrue(sentence(help).hasPrefix("OVERVIEW: Sort things.\n"), help)
    }
    XCTAssertEqual(sentence("box"), sentence("help box"))
    XCTAssertEqual(sentence("box pass -h"), sentence("help box pass"))
    XCTAssertEqual(sentence("help"), sentence("--help"))
  }

  func testUnknownOptionsAndCommands() {
    for (line, text) in [
      ("srt", "there is no command srt; did you mean sort? See 'tool --help'"),
      ("zzzzzz", "there is no command zzzzzz; the commands are sort, thing, box; see 'tool --help'"),
      ("box pss", "box has no command pss; did you mean pass? See 'tool box --help'"),
      ("sort --color red", "unknown option '--color'; its name is now --colour; see 'tool sort --help'"),
      ("sort --gloss", "unknown option '--gloss'; for --gloss of brush, give --shiny; see 'tool sort --help'"),
      ("thing -G", "unknown option '-G'; for -G of brush, give --shiny; see 'tool thing --help'"),
      ("sort --net", "unknown option '--net'; this machine is enough; see 'tool sort --help'"),
      ("sort --output x", "unknown option '--output'; tool thing has it; see 'tool sort --help'"),
      ("sort --thing", "unknown option '--thing'; thing is a command of its own: tool thing; see 'tool sort --help'"),
      ("sort --cuont 3", "unknown option '--cuont'; did you mean '--count'? See 'tool sort --help'"),
      ("sort --qqqqqqqq", "unknown option '--qqqqqqqq'; see 'tool sort --help'"),
      ("sort --count --qqqqqqqq", "unknown option '--qqqqqqqq'; see 'tool sort --help'"),
      ("sort -count", "unknown option '-count'; did you mean '--count'? See 'tool sort --help'"),
      ("--frob", "unknown option '--frob'; see 'tool --help'"),
      ("help srt", "there is no command and no option srt; did you mean 'tool help sort'? See 'tool --help'"),
      ("help sort pant", "sort has no group and no option pant; did you mean paint? See 'tool sort --help'"),
      ("help thing x", "thing has no option x; see 'tool thing --help'"),
      ("help sort a b", "help takes a command, and a group or an option of it; see 'tool sort --help'"),
      ("sort", "missing argument '<FIRST>'; see 'tool sort --help'"),
    ] {
      XCTAssertEqual(sentence(line), text, line)
    }
  }

  func testPages() {
    XCTAssertEqual(
      sentence("sort --help"),
      """
      OVERVIEW: Sort things.

      Example: tool sort a b

      It takes a while.

      USAGE: tool sort <FIRST> [<OTHER> ...] [--colour <red|green>] [--coats <N>] [--shiny] [--tag <TEXT> ...] [--count <N>] [--no-live] [--quick] [--order <up|down>]

      ARGUMENTS:
        <FIRST>                 The first thing.
        <OTHER>                 More things.

      PAINT, ON ALL THINGS:
        -c, --colour <red|green>
                                The colour.
        --coats <N>             How many coats.
        -s, --shiny             Make it shine.

      OPTIONS:
        -t, --tag <TEXT>        A tag. Can be repeated.
        -n, --count <N>         How many.
        --live/--no-live        Show it.
        -q, --quick             Be quick.
        --order <up|down>       The order. (alone: up)
        --version               Show the version.
        -h, --help              Show help information.

      """)
    XCTAssertEqual(
      sentence("help quick"),
      "tool sort:\n  -q, --quick             Be quick.\n\ntool box pass:\n  --quick                 Be quick.\n")
    XCTAssertEqual(sentence("help sort paint").split(separator: "\n").first, "tool sort:")
    XCTAssertEqual(sentence("help sort -n"), "tool sort:\n  -n, --count <N>         How many.\n")
  }

  func testManualPages() throws {
    XCTAssertEqual(sentence("--generate-manual"), "tool\ntool-sort\ntool-thing\ntool-box\ntool-box-pass\n")
    let text = sentence("--generate-manual tool-sort 2026-11-21")
    for part in [
      ".Dd 2026-11-21\n.Dt TOOL-SORT 1\n.Os\n.Sh NAME\n.Nm tool-sort\n.Nd Sort things\n",
      ".Nm \"tool sort\"\n", ".Op Fl n | Fl \\-count Ar \\&N\n", ".Ar FIRST\n.Op Ar OTHER ...\n",
      ".Dl tool sort a b\n", ".Ss Paint, on all things\n", ".It Fl c , Fl \\-colour Ar red|green\nThe colour.\n",
      ".Sh SEE ALSO\n.Xr tool 1 ,\n.Xr tool 7\n",
    ] {
      XCTAssertTrue(text.contains(part), "\(part)\nin\n\(text)")
    }
    XCTAssertTrue(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    XCTAssertTrue(sentence("--generate-manual tool").contains(".It Cm sort\nSort things.\n"))
    XCTAssertEqual(sentence("--generate-manual nothing"), "there is no manual page nothing")
  }

  func testScriptsOfShells() {
    for shell in Shell.allCases {
      let script = sentence("--generate-completion-script \(shell.rawValue)")
      XCTAssertTrue(script.contains("---complete \(shell.rawValue)"), script)
      XCTAssertFalse(script.contains("PROGRAM") || script.contains("COMPLETE"), script)
    }
    XCTAssertEqual(
      sentence("--generate-completion-script tcsh"),
      "--generate-completion-script takes bash or zsh or fish; see 'tool --help'")
  }

  func testWordsForTheTabKey() {
    for (line, words) in [
      ("bash so", "words sort thing box help"), ("bash --", "words --version --help"),
      ("bash sort a.csv x", "words x y"),
      ("bash sort x", "files "), ("bash sort --count ", "words"), ("bash sort --colour g", "words red green"),
      ("bash sort --colour=g", "words --colour=red --colour=green"), ("bash sort -cg", "words -cred -cgreen"),
      ("bash sort a --order u", "words up down"), ("bash sort a --order q", "words up down x y"),
      ("bash thing -od", "folders -o"), ("bash thing --output ", "folders "), ("bash thing n", "words nut bolt"),
      ("bash box ", "words pass"), ("bash help box ", "words pass version help"), ("bash box pass n -", "words"),
      ("bash thing --o", "words --output --version --help"), ("bash nothing x", "words"), ("tcsh sort", ""),
      ("bash thing --output x --o", "words --version --help"),
    ] {
      let line = "---complete \(line)".split(separator: " ", omittingEmptySubsequences: false).map(String.init)
      var notices: [String] = []
      guard case .script(let text)? = try? tool.request(line, notices: &notices) else { return XCTFail("\(line)") }
      XCTAssertEqual(
        text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().joined(separator: " "), words,
        "\(line)")
    }
  }
}
