import ArgumentParser
import SluiceAnalysis
import SluicePipeline
import SluiceReadings

struct InfoCommand: GroupedOptions {
  static let firstOptions = ["from", "to", "duration", "select"]

  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Print the times, rates, gaps and values of a trace, and its metadata.",
    discussion: """
      Examples: sluice info walk.csv
                sluice info logger.csv --time-column 2 --time-unit ms --skip-bad
                sluice info irq.csv --intervals 1ms --fail 'p99.9 > 1.1ms'

      It reads the whole trace once, and changes nothing; with --quick, only the metadata of a recording, or the index of an MCAP file. Exit status: 1 if a trace cannot be read to its end, 3 if a \
      condition of --fail is true.
      """)

  @Argument(
    help: ArgumentHelp(
      "A trace, a folder of them, or - for standard input; several may be given.", valueName: "FILE|DIR|-"),
    completion: .file())
  var paths: [String]

  @OptionGroup(title: "Input, how a trace is read") var input: TraceOptions

  @OptionGroup(title: "Distributions") var distributions: DistributionsOptions

  @Flag(help: "Print JSON: an array with an object for each trace.")
  var json = false

  @Flag(
    help:
      "Print only what the metadata of a recording says, or the index at the end of an MCAP file. The readings are not read or checked."
  )
  var quick = false

  func validate() throws {
    if paths.contains("") { throw ValidationError("info takes a file, a folder, or - for standard input") }
    guard quick else { return }
    if paths.contains("-") { throw ValidationError("--quick takes files, and no standard input") }
    if !distributions.isEmpty || (try? input.plan([""])) != ReplayPlan("") {
      throw ValidationError("--quick reads no readings, so that it goes with no option but --json")
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
