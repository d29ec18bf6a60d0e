import ArgumentParser
import SluicePipeline
import XCTest

@testable import SluiceTool

/// What a subcommand reads by itself, and when the root is asked instead.
final class ParsedCommandTests: XCTestCase {
  func testASubcommandReadsItsArguments() throws {
    let line = ["record", "--timer", "1ms", "--count", "3", "-o", "a.csv", "-o", "b.jsonl", "--throttle", "1s"]
    let command = try XCTUnwrap(SluiceCommand.parsed(line) as? RecordCommand)
    XCTAssertEqual(
      try command.recordingPlan(), try XCTUnwrap(SluiceCommand.parseAsRoot(line) as? RecordCommand).recordingPlan())
  }

  func testAllButACommandIsTheRoots() throws {
    XCTAssert(try SluiceCommand.parsed([]) is SluiceCommand)
    for line in ["--help", "-h", "help", "record --help", "record -h", "help record", "--help record"] {
      let words = line.split(separator: " ").map(String.init)
      XCTAssertEqual(
        "\(type(of: try SluiceCommand.parsed(words)))", "\(type(of: try SluiceCommand.parseAsRoot(words)))", line)
    }
  }

  /// The sentences name the whole command, and the version is the root's.
  func testErrorsAreTheRoots() {
    for line in [
      "recrod", "record", "record --version", "--version", "record --timer 5 -o a", "record --timer 1ms -o a --coutn 5",
      "record --timer 1ms -o a -o a", "record --generate-completion-script bash", "replay a b --rate x", "list x",
      "record --experimental-dump-help",
    ] {
      let words = line.split(separator: " ").map(String.init)
      let alone = message { try SluiceCommand.parsed(words) }
      XCTAssertNotEqual(alone, "", line)
      XCTAssertEqual(alone, message { try SluiceCommand.parseAsRoot(words) }, line)
    }
  }

  private func message(_ parse: () throws -> any ParsableCommand) -> String {
    do {
      _ = try parse()
      return ""
    } catch {
      return SluiceCommand.fullMessage(for: error)
    }
  }
}
