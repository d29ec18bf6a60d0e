import SluiceAnalysis
import SluiceArguments
import SluicePipeline
import SluiceReadings

struct VerifyCommand: ArgumentCommand {
  static let firstOptions: [String]? = []

  static let name = "verify"
  static let summary = "Read all of a recording, and say whether its rows, order, metadata and account agree."
  static let discussion = """
    Examples: sluice verify walk.csv
              sluice verify logger.csv --time-column 2 --time-unit ms --skip-bad

    It changes nothing. A recording that still runs is no problem. Exit status: 0 if there is no problem, 1 otherwise.
    """

  var paths: [String] = []
  var input = TraceFormatOptions()
  var json = false

  static var rows: [ArgumentRow<Self>] {
    [
      .argument("FILE|DIR", "A recording, or a folder of them; several may be given.", \.paths, completion: .file),
      .group("Input, how a trace is read", \.input),
      .flag("json", "Print JSON.", \.json),
    ]
  }

  func validate() throws {
    if paths.contains(where: { $0.isEmpty || $0 == "-" }) {
      throw Fault("verify takes files and folders, because what is to be compared stands beside them")
    }
  }

  func run() throws {
    var findings: [Finding] = []
    var hasFailed = false
    for path in paths {
      do {
        // The error is also in the JSON, because the JSON alone must not say that all is well.
        try reportingErrors(told: { if json { findings.append(.problem("file", "\($0)")) } }) {
          findings += try RecordingCheck.findings(path, input.plan([path]))
        }
      } catch let code as ExitCode {
        if code != .success { hasFailed = true }
      }
    }
    try reportingErrors { try Finding.print(findings, json: json) }
    if hasFailed || findings.contains(where: { $0.verdict == .problem }) { throw ExitCode(1) }
  }
}
