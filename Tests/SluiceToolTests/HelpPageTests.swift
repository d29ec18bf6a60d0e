import ArgumentParser
import XCTest

@testable import SluiceTool

/// The help of commands with many options, and what is asked of it.
final class HelpPageTests: XCTestCase {
  private func text(_ arguments: String) throws -> String? {
    try HelpPage(arguments.split(separator: " ").map(String.init))?.text
  }

  private static var grouped: [(name: String, command: any GroupedOptions.Type)] {
    SluiceCommand.configuration.subcommands.compactMap { command in
      guard let name = command.configuration.commandName, let grouped = command as? any GroupedOptions.Type else {
        return nil
      }
      return (name, grouped)
    }
  }

  func testRecordBeginsWithWhatNearlyAllRecordingsNeed() throws {
    let page = try XCTUnwrap(text("record --help"))
    let parts = ["EXAMPLES:", "<source>", "-o, --output", "--duration <T>", "MORE OPTIONS", "--every --throttle"]
    let places = parts.map { page.firstRange(of: $0)?.lowerBound }
    XCTAssertFalse(places.contains(nil), page)
    XCTAssertEqual(places.compactMap { $0 }, places.compactMap { $0 }.sorted())
    XCTAssertLessThan(page.split(separator: "\n").count, 80)
    XCTAssertTrue(page.contains("'sluice help OPTION' explains one option, such as throttle."), page)
    for form in ["help record", "record -h", "record timer:1ms -o t.csv --help"] {
      XCTAssertEqual(try text(form), page, form)
    }
  }

  /// Nothing is hidden: each option is explained or named, and is explained in its group.
  func testEachOptionIsOnTheFirstPageAndInItsGroup() throws {
    XCTAssertEqual(
      Self.grouped.map(\.name), ["record", "replay", "convert", "info", "plot", "diff", "bench", "verify"])
    for (name, command) in Self.grouped {
      let page = try XCTUnwrap(text("help \(name)"))
      let sections = HelpSections(command)
      for first in command.firstOptions {
        XCTAssertTrue(sections.entries.contains { $0.has("--\(first)") }, "\(name) has no option --\(first)")
      }
      for group in sections.groups {
        let explained = try XCTUnwrap(text("help \(name) \(group.word)"))
        for entry in group.entries {
          guard let option = entry.name else { continue }
          let words = page.split { $0 == " " || $0 == "\n" || $0 == "," }
          XCTAssertTrue(words.contains { $0 == option }, "\(name) \(option)")
          XCTAssertTrue(explained.contains(entry.lines.joined(separator: "\n")), "\(name) \(group.word) \(option)")
        }
      }
      XCTAssertEqual(Set(sections.groups.map(\.word)).count, sections.groups.count, "\(name) has two groups of a name")
      XCTAssertTrue(page.split(separator: "\n").allSatisfy { $0.count <= 80 || $0.contains("sluice \(name) ") }, page)
      XCTAssertEqual(try text("help \(name) all"), SluiceCommand.helpMessage(for: command))
    }
  }

  func testAGroupAndAnOptionOfACommand() throws {
    let stages = try XCTUnwrap(text("help record stages"))
    XCTAssertTrue(stages.hasPrefix("sluice record:\nSTAGES, WHICH COMPUTE RESULTS FROM READINGS:\n  --settle"), stages)
    XCTAssertFalse(stages.contains("--throttle"), stages)
    XCTAssertTrue(try text("help stages")?.hasPrefix("sluice record, sluice replay, sluice convert:\nSTAGES") ?? false)
    let throttle = try XCTUnwrap(text("help replay throttle"))
    XCTAssertTrue(throttle.hasPrefix("sluice replay:\n  --throttle <T>"), throttle)
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
      XCTAssertTrue("\($0)".hasPrefix("record has no group and no option frobnicate; the groups are sources, "))
    }
  }

  /// ArgumentParser answers these.
  func testOtherArguments() throws {
    for arguments in [
      "", "--help", "help", "help throttle", "list --help", "record timer:1ms -- --help", "service install -h",
    ] {
      XCTAssertNil(try text(arguments), arguments)
    }
  }

  /// A list of values stands once, in the form of the option.
  func testValuesStandOnce() {
    for command in SluiceCommand.configuration.subcommands {
      for entry in HelpSections(command).entries where entry.lines.joined().contains("(values: ") {
        XCTAssertFalse(entry.lines.joined().contains("|"), entry.lines.joined(separator: "\n"))
      }
    }
  }
}
