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

      It reads the whole trace once, and changes nothing. Exit status: 1 if a trace cannot be read to its end, 3 if a \
      limit of --fail does not hold.
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

  func validate() throws {
    if paths.contains("") { throw ValidationError("info takes a file, a folder, or - for standard input") }
  }

  func run() throws {
    var hasFailed = false
    var documents: [JSON] = []
    var failures: [String] = []
    let glyphs = TerminalWindow.current.glyphs
    for (index, path) in paths.enumerated() {
      do {
        try reportingErrors {
          let info = try TraceInfo(input.plan([path]), distributions.options)
          if info.error != nil { hasFailed = true }
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
