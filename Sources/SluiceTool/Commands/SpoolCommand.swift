import SluiceArguments
import SluicePipeline
import SluiceReadings
import SluiceRecording

struct SpoolCommand: ArgumentCommand {
  static let name = "spool"
  static let summary =
    "Show the readings that an output has not taken and that wait on the disk, or write them to a file."
  static let discussion = """
    Examples: sluice spool walk.csv-spill
              sluice spool walk.csv-spill --verify
              sluice spool walk.csv-spill -o rest.csv

    Without -o, they stay: the next run of the recording with --append writes them. 'sluice replay' and 'sluice info' \
    also read the folder.
    Exit status: 1 if readings cannot be read.
    """

  var path = ""
  var verify = false
  var output: String?
  var json = false

  static var rows: [ArgumentRow<Self>] {
    [
      .argument("DIR", "The folder of a spill, such as walk.csv-spill.", \.path, completion: .folders),
      .flag(
        "verify", "Read every record, count the readings of each stream, and say which readings cannot be read.",
        \.verify),
      .option(
        "output", short: "o", "FILE",
        "Write the readings to this file, which must not exist, in the format of its name, and then remove the spill.",
        \.output, completion: .file),
      .flag("json", "Print JSON.", \.json),
    ]
  }

  func validate() throws {
    if path.isEmpty || path == "-" { throw Fault("spool takes the folder of a spill") }
    if output == "-" {
      throw Fault(
        "spool -o takes a file, because what is written is removed from the spill; "
          + "'sluice replay \(quotedForShell(path)) -o -' prints the readings and removes nothing")
    }
  }

  /// The plan of the arguments, without I/O.
  func recordingPlan(_ output: String) throws -> RecordingPlan {
    var plan = RecordingPlan(input: .trace(ReplayPlan(path)), outputs: [OutputPlan(output)])
    plan.sync = .batch
    try plan.validate()
    return plan
  }

  func run() throws {
    try reportingErrors {
      let plan = try output.map { try recordingPlan($0) }
      let spool = try Spool(path, isVerified: verify || output != nil)
      try printText(json ? spool.json.text + "\n" : spool.text)
      if let plan {
        let account = try Session(plan: plan, command: .replay, verbosity: .normal, stats: .text).run()
        guard account.written == spool.readings - spool.lostCount else {
          throw SluiceError(
            .failed, "remove the spill", path, because: "not all of its readings were written",
            remedy: "remove \(plan.outputs[0].path), and try again")
        }
        try spool.remove()
      }
      if spool.lostCount > 0 { throw ExitCode(1) }
    }
  }
}
