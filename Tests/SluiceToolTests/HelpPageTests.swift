import SluiceArguments
import SluicePipeline
import XCTest

@testable import SluiceTool

/// The help of commands with many options, and what is asked of it.
final class HelpPageTests: XCTestCase {
  private func text(_ arguments: String) throws -> String? {
    try page(arguments.split(separator: " ").map(String.init))
  }

  private static var grouped: [(command: any ArgumentCommand.Type, firstOptions: [String])] {
    SluiceCommand.program.commands.compactMap { command in command.firstOptions.map { (command, $0) } }
  }

  func testRecordBeginsWithWhatNearlyAllRecordingsNeed() throws {
    let page = try XCTUnwrap(text("record --help"))
    let parts = [
      "EXAMPLES:", "<source>", "-o, --output", "--duration <T>", "--throttle <T[:first]>", "MORE OPTIONS",
      "  operators",
    ]
    let places = parts.map { page.firstRange(of: $0)?.lowerBound }
    XCTAssertFalse(places.contains(nil), page)
    XCTAssertEqual(places.compactMap { $0 }, places.compactMap { $0 }.sorted())
    XCTAssertLessThanOrEqual(page.split(separator: "\n", omittingEmptySubsequences: false).count, 46, page)
    XCTAssertTrue(page.contains("'sluice help OPTION' one option."), page)
    for form in ["help record", "record -h", "record timer:1ms -o t.csv --help"] {
      XCTAssertEqual(try text(form), page, form)
    }
  }

  /// Nothing is hidden: each group is on the first page, and each option is explained in its group.
  func testEachGroupIsOnTheFirstPageAndEachOptionInItsGroup() throws {
    XCTAssertEqual(
      Self.grouped.map { $0.command.name }, ["record", "replay", "convert", "info", "plot", "diff", "bench", "verify"])
    for (command, firstOptions) in Self.grouped {
      let name = command.name
      let page = try XCTUnwrap(text("help \(name)")), all = try XCTUnwrap(text("help \(name) all"))
      let sections = ArgumentSection.all(of: command)
      for first in firstOptions {
        XCTAssertTrue(
          sections.contains { $0.rows.contains { $0.has("--\(first)") } }, "\(name) has no option --\(first)")
      }
      let groups = sections.filter { $0.title != nil }
      for group in groups {
        let explained = try XCTUnwrap(text("help \(name) \(group.word)"))
        XCTAssertTrue(all.contains(explained.drop { $0 != "\n" }.dropFirst()), explained)
        XCTAssertTrue(page.contains("\n  \(group.word) "), "\(name) \(group.word)")
        for row in group.rows where !row.isPositional {
          XCTAssertTrue(explained.contains(row.title), "\(name) \(group.word) \(row.name)")
        }
      }
      XCTAssertEqual(Set(groups.map(\.word)).count, groups.count, "\(name) has two groups of a name")
      XCTAssertTrue(page.split(separator: "\n").allSatisfy { $0.count <= 80 || $0.contains("sluice \(name) ") }, page)
    }
  }

  func testAGroupAndAnOptionOfACommand() throws {
    let stages = try XCTUnwrap(text("help record stages"))
    XCTAssertTrue(stages.hasPrefix("sluice record:\nSTAGES, WHICH COMPUTE RESULTS FROM READINGS:\n  --settle"), stages)
    XCTAssertFalse(stages.contains("--throttle"), stages)
    XCTAssertTrue(try text("help stages")?.hasPrefix("sluice record, sluice replay, sluice convert:\nSTAGES") ?? false)
    let throttle = try XCTUnwrap(text("help replay throttle"))
    XCTAssertTrue(throttle.hasPrefix("sluice replay:\n  --throttle <T[:first]>"), throttle)
    XCTAssertEqual(try text("help replay --throttle"), throttle)
  }

  func testWhatIsNoGroup() throws {
    for (arguments, sentence) in [
      ("help record throtle", "record has no group and no option throtle; did you mean throttle?"),
      ("help list frobnicate", "list has no option frobnicate"),
    ] {
      XCTAssertThrowsError(try text(arguments)) { XCTAssertEqual("\($0)", sentence) }
    }
    XCTAssertThrowsError(try text("help record frobnicate")) {
      XCTAssertTrue("\($0)".hasPrefix("record has no group and no option frobnicate; the groups are output, "))
    }
  }

  func testOtherArguments() throws {
    XCTAssertEqual(try text("--help"), try text("help"))
    XCTAssertEqual(try text("service install -h"), try text("help service install"))
    XCTAssertTrue(try text("service install -h")?.contains("USAGE: sluice service install <FILE> [--yes]") ?? false)
    XCTAssertTrue(try text("list --help")?.hasPrefix("OVERVIEW: List the devices") ?? false)
    XCTAssertEqual(try text("service"), try text("service --help"))
    XCTAssertEqual(try text("record --version"), "\(SluicePipeline.version)\n")
    // What stands behind `--` or the name of a service is not for this command.
    XCTAssertThrowsError(try text("record timer:1ms -- --help"))
    XCTAssertNil(try text("service run n --help"))
  }

  /// The sentence of an option says whether it can be repeated.
  func testTheHelpKnowsAllOptionsThatCanBeRepeated() throws {
    for command in SluiceCommand.program.commands.flatMap({ [$0] + $0.subcommands }) {
      for row in ArgumentSection.all(of: command).flatMap(\.rows) where !row.isPositional {
        let says = row.help.lowercased().contains("can be repeated")
        XCTAssertEqual(says, row.isRepeated, "\(command.name) \(row.name)")
      }
    }
  }

  /// No two options of a command have the same name, and each has a sentence.
  func testNamesAreUnique() {
    for command in SluiceCommand.program.commands.flatMap({ [$0] + $0.subcommands }) {
      let rows = ArgumentSection.all(of: command).flatMap(\.rows)
      let names = rows.flatMap(\.names)
      XCTAssertEqual(Set(names).count, names.count, "\(command.name): \(names.sorted())")
      for row in rows { XCTAssertTrue(row.help.count > 5 && row.help.first?.isLowercase == false, row.help) }
      XCTAssertTrue(command.firstOptions?.allSatisfy { first in rows.contains { $0.name == first } } ?? true)
    }
  }

  /// A list of values stands once, in the form of the option.
  func testValuesStandOnce() {
    for command in SluiceCommand.program.commands {
      for row in ArgumentSection.all(of: command).flatMap(\.rows) where row.help.contains("(values: ") {
        XCTAssertFalse(row.form.contains("|"), row.form)
      }
    }
  }
}
