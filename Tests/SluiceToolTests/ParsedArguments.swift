import SluiceArguments
import SluiceReadings
import XCTest

@testable import SluiceTool

/// The command that the arguments ask for, which is not run.
func parsed(_ arguments: [String]) throws -> any ArgumentCommand {
  var notices: [String] = []
  guard case .command(let command) = try SluiceCommand.program.request(arguments, notices: &notices) else {
    throw Fault("the arguments ask for a page")
  }
  return command
}

/// The page that the arguments ask for; nil if they ask for a command.
func page(_ arguments: [String]) throws -> String? {
  var notices: [String] = []
  guard case .page(let text) = try SluiceCommand.program.request(arguments, notices: &notices) else { return nil }
  return text
}
