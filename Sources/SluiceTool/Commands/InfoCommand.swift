import SluiceAnalysis
import SluiceArguments
import SluicePipeline
import SluiceReadings

struct InfoCommand: ArgumentCommand {
  static let firstOptions: [String]? = ["from", "to", "duration", "select"]

  static let name = "info"
  static let summary = "Print the times, rates, gaps and values of a trace, and its metadata."
  static let discussion = """
    Examples: sluice info walk.csv
              sluice info logger.csv --time-column 2 --time-unit ms --skip-bad
              sluice info irq.csv --intervals 1ms --fail 'p99.9 > 1.1ms'

    It reads the whole trace once, and changes nothing; with --quick, only the metadata of a recording, or the index of an MCAP file. Exit status: 1 if a trace cannot be read to its end, 3 if a \
    condition of --fail is true.
    """

  var paths: [String] = []
  var input = TraceOptions()
  var distributions = DistributionsOptions()
  var json = false
  var quick = false

  static var rows: [ArgumentRow<Self>] {
    [
      .argument(
        "FILE|DIR|-", "A trace, a folder of them, or - for standard input; several may be given.", \.paths,
        completion: .file),
      .group("Input, how a trace is read", \.input),
      .group("Distributions, of intervals and values", \.distributions),
      .flag("json", "Print JSON: an array with an object for each trace.", \.json),
      .flag(
        "quick",
        "Print only what the metadata of a recording says, or the index at the end of an MCAP file. The readings are not read or checked.",
        \.quick),
    ]
  }

  func validate() throws {
    if paths.contains("") { throw Fault("info takes a file, a folder, or - for standard input") }
    guard quick else { return }
    if paths.contains("-") { throw Fault("--quick takes files, and no standard input") }
    if !distributions.isEmpty || (try? input.plan([""])) != ReplayPlan("") {
      throw Fault("--quick reads no readings, so that it goes with no option but --json")
    }
  }

  func run() throws {
    var hasFailed = false
    var documents: [JSON] = []
    var failures: [String] = []
    let glyphs = TerminalWindow.current.glyphs
    for (index, path) in paths.enumerated() {
      func note(_ error: SluiceError) {
        documents.append(.object([("trace", .string(path)), ("error", .string("\(error)"))]))
      }
      do {
        if quick {
          try reportingErrors(told: note) {
            let info = try QuickInfo.read(path)
            if json { documents.append(info.json) } else { try printText((index == 0 ? "" : "\n") + info.text()) }
          }
          continue
        }
        try reportingErrors(told: note) {
          let info = try TraceInfo(input.plan([path]), distributions.options)
          if let error = info.error {
            // A table of nothing would hide the reason.
            if info.readings == 0, info.metadata == nil, !json { throw error }
            hasFailed = true
          }
          let shown = distributions.shown
          if json {
            documents.append(try info.json(shown))
          } else {
            let text = try info.text(percentiles: shown.percentiles) + info.distributionsText(shown, glyphs)
            try printText((index > 0 ? "\n" : "") + text)
          }
          failures += try distributions.failures(info)
        }
      } catch let code as ExitCode {
        if code != .success { hasFailed = true }
      }
    }
    if json { try reportingErrors { try printOutput(JSON.array(documents).lines() + "\n") } }
    for sentence in failures { Console.printLine("sluice: \(sentence)", .error) }
    if hasFailed { throw ExitCode(1) }
    if !failures.isEmpty { throw ExitCode(3) }
  }
}
