import ArgumentParser
import Foundation
import XCTest

@testable import SluiceTool

final class RepeatedOptionsTests: XCTestCase {
  private func fault(_ arguments: String...) -> String? {
    do { _ = try SluiceCommand.parsed(arguments) } catch { return SluiceCommand.message(for: error) }
    return nil
  }

  func testAnOptionWithOneValueIsGivenOnce() {
    XCTAssertEqual(
      fault("record", "sim:imu", "-o", "a.csv", "--reduce", "1s", "--reduce=2s"),
      "--reduce is given twice, and takes one value")
    XCTAssertEqual(
      fault("record", "sim:imu", "-o", "a.csv", "--while", "x > 1", "--while", "y > 1"),
      "--while is given twice, and takes one value; join the conditions with or, such as 'door == 1 or window == 1'")
    XCTAssertEqual(
      fault("record", "sim:imu", "-o", "a.csv", "-n", "1", "-n2"), "-n is given twice, and takes one value")
    XCTAssertNil(fault("record", "sim:imu", "-o", "a.csv", "-o", "b.csv", "--where", "x > 1", "--where", "y > 1"))
    XCTAssertNil(fault("record", "sim:imu", "-o", "a.csv", "--force", "--force"))
  }

  /// The help says of each option that can be repeated that it can, and of no other.
  func testTheHelpKnowsAllOptionsThatCanBeRepeated() throws {
    for command in SluiceCommand.configuration.subcommands {
      let dump = try JSONSerialization.jsonObject(with: Data(command._dumpHelp().utf8)) as? [String: Any]
      let arguments = try XCTUnwrap((dump?["command"] as? [String: Any])?["arguments"] as? [[String: Any]])
      let help = HelpSections(command)
      for argument in arguments where argument["kind"] as? String == "option" {
        guard argument["shouldDisplay"] as? Bool == true else { continue }
        for name in argument["names"] as? [[String: Any]] ?? [] {
          let dashes = name["kind"] as? String == "long" ? "--" : "-"
          let word = dashes + (name["name"] as? String ?? "")
          XCTAssertEqual(
            RepeatedOptions.takesOneValue(word, help), argument["isRepeating"] as? Bool != true,
            "\(command.configuration.commandName ?? "") \(word)")
        }
      }
    }
  }
}
