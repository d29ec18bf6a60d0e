import SluiceAnalysis
import SluiceArguments
import SluicePipeline
import SluiceReadings
import SluiceRecording
import SluiceSystem

struct RepairCommand: ArgumentCommand {
  static let name = "repair"
  static let summary = "Cut off the damage that a kill or a power cut has left after the last whole row."
  static let discussion = """
    Example: sluice repair walk.csv

    A recording with --append does it by itself. Exit status: 0, also if nothing was cut off; 1 if a row before the \
    end cannot be read, which sluice cannot repair.
    """

  var paths: [String] = []
  var dryRun = false

  static var rows: [ArgumentRow<Self>] {
    [
      .argument(
        "FILE|DIR", "A CSV or JSON Lines recording, or a folder of them; several may be given.", \.paths,
        completion: .file),
      .flag("dry-run", "Say what would be cut off, and change nothing.", \.dryRun),
    ]
  }

  func validate() throws {
    if paths.contains(where: { $0.isEmpty || $0 == "-" }) {
      throw Fault("repair takes files and folders")
    }
  }

  func run() throws {
    var hasFailed = false
    for path in paths {
      do {
        try reportingErrors {
          guard let identity = FileIdentity(path: path) else {
            return try repairAll(RecordedParts(of: path, [])?.paths ?? [path])
          }
          if !identity.isDirectory { return try repair(path) }
          try repairAll(in: path)
        }
      } catch let code as ExitCode {
        if code != .success { hasFailed = true }
      }
    }
    if hasFailed { throw ExitCode(1) }
  }

  private func repairAll(in folder: String) throws {
    let files = try recordings(
      in: folder, endingIn: RecordingRepair.extensions + Traces.repairs.flatMap { $0.extensions })
    guard !files.isEmpty else {
      throw SluiceError(.notFound, "repair", folder, because: "it is a folder without a text file of a recording")
    }
    try repairAll(files)
  }

  private func repairAll(_ files: [String]) throws {
    var failure: (any Error)?
    for file in files {
      do {
        try reportingErrors {
          do {
            try repair(file)
          } catch let error as SluiceError where error.code == .unsupported {
            // A pattern of the shell may name other files too.
            Console.warn("\(file) is left alone: \(error.cause)")
          }
        }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }

  private func repair(_ path: String) throws {
    let verb = dryRun ? "would cut off" : "cut off"
    let (damage, runs) = try RecordingRepair(path, formats: Traces.repairs).run(isDryRun: dryRun)
    let tail = damage.tail
    for sentence in damage.faults + damage.repairs { try printLine(sentence) }
    // Damage before the end is no torn row. After a dry run, the torn row is still there.
    let fault = damage.isEmpty || !dryRun ? RecordingCheck.unreadableRow(of: path) : nil
    let whole = fault == nil ? "every row is whole" : "nothing at its end is torn"
    try printLine("\(path): " + (tail.isEmpty ? whole : "\(verb) \(tail.sentence)"))
    if let runs, !runs.isEmpty {
      let size = "\(runs.byteCount) byte\(runs.byteCount == 1 ? "" : "s")"
      try printLine("\(path)\(RunsFile.suffix): \(verb) a last line of \(size) that has no end")
    }
    guard let fault else { return }
    throw SluiceError(
      .malformed, "repair", path, because: fault.cause,
      remedy: "sluice replay \(quotedForShell(path)) --skip-bad -o NEW writes the other rows into a new file")
  }
}
