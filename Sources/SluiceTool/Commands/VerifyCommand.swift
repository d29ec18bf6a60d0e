import ArgumentParser
import SluicePipeline
import SluiceReadings

struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Read all of a recording, and say whether its rows, order, metadata and account agree.",
    discussion: """
      Examples: sluice verify walk.csv
                sluice verify logger.csv --time-column 2 --time-unit ms --skip-bad

      It changes nothing. Exit status: 0 if there is no problem, 1 otherwise.
      """)

  @Argument(
    help: ArgumentHelp("A recording, or a folder of them; several may be given.", valueName: "FILE|DIR"),
    completion: .file())
  var paths: [String]

  @OptionGroup(title: "Input") var input: TraceFormatOptions

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    if paths.contains(where: { $0.isEmpty || $0 == "-" }) {
      throw ValidationError("verify takes files and folders, because what is to be compared stands beside them")
    }
  }

  func run() throws {
    var findings: [Finding] = []
    try reportingErrors {
      for path in paths { findings += try RecordingCheck.findings(path, input.plan([path])) }
      try printOutput(json ? Finding.json(findings).text + "\n" : Finding.text(findings))
    }
    if findings.contains(where: { $0.verdict == .problem }) { throw ExitCode(1) }
  }
}
