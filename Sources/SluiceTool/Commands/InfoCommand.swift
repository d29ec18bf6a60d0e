import ArgumentParser
import SluiceAnalysis
import SluicePipeline
import SluiceReadings

struct InfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Print the times, rates, gaps and values of a trace, and its metadata.",
    discussion: """
      Examples: sluice info walk.csv
                sluice info logger.csv --time-column 2 --time-unit ms --skip-bad

      It reads the whole trace once, and changes nothing. Exit status: 1 if a trace cannot be read to its end.
      """)

  @Argument(
    help: ArgumentHelp(
      "A trace, a folder of them, or - for standard input; several may be given.", valueName: "FILE|DIR|-"),
    completion: .file())
  var paths: [String]

  @OptionGroup(title: "Input") var input: TraceOptions

  @Flag(help: "Print JSON: an array with an object for each trace.")
  var json = false

  func validate() throws {
    if paths.contains("") { throw ValidationError("info takes a file, a folder, or - for standard input") }
  }

  func run() throws {
    var hasFailed = false
    var documents: [JSON] = []
    for (index, path) in paths.enumerated() {
      do {
        try reportingErrors {
          let info = try TraceInfo(input.plan([path]))
          if info.error != nil { hasFailed = true }
          if json { return documents.append(info.json) }
          try printText((index > 0 ? "\n" : "") + info.text)
        }
      } catch let code as ExitCode {
        if code != .success { hasFailed = true }
      }
    }
    if json { try reportingErrors { try printOutput(JSON.array(documents).lines() + "\n") } }
    if hasFailed { throw ExitCode(1) }
  }
}
