import ArgumentParser
import SluiceAnalysis
import SluicePipeline
import SluiceReadings

struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Say what keeps this machine from recording, and what to do about it.",
    discussion: """
      Example: sluice doctor --output-directory /mnt/data

      Takes about a second, most of it for disk and timer. Exit status: 0 if there is no problem, 1 otherwise.
      """)

  @Option(
    help: ArgumentHelp("Where recordings are to go. (default: this folder)", valueName: "DIR"), completion: .directory)
  var outputDirectory: String?

  @Flag(
    help:
      "Restore the settings of IIO devices that a killed recording has changed. Check devices only, and measure nothing."
  )
  var restore = false

  @Flag(help: "Print JSON.")
  var json = false

  @Option(
    help: ArgumentHelp("Where sys, dev, proc, run and etc are, for a fixture.", valueName: "DIR"),
    completion: .directory)
  var root = ""

  func validate() throws {
    if restore, outputDirectory != nil {
      throw ValidationError("--restore looks at devices only; leave out --output-directory")
    }
    if outputDirectory == "" { throw ValidationError("--output-directory takes a folder") }
  }

  func run() throws {
    let surroundings = Surroundings.current(root: root)
    let findings = restore ? DeviceCheck.findings(surroundings, restore: true) : all(surroundings)
    try reportingErrors { try Finding.print(findings, json: json) }
    if findings.contains(where: { $0.verdict == .problem }) { throw ExitCode(1) }
  }

  private func all(_ surroundings: Surroundings) -> [Finding] {
    let interruption = Interruption()
    let signals = Signals { signal in
      if signal == .stop { interruption.raise() }
    }
    defer { signals.cancel() }
    return PermissionCheck.findings(surroundings) + GroupCheck.findings(surroundings)
      + DeviceCheck.findings(surroundings, restore: false)
      + DiskCheck.findings(surroundings, outputDirectory ?? ".", interruption: interruption)
      + ClockCheck.findings(surroundings, interruption: interruption)
  }
}
