package import SluiceReadings
import SluiceRecording

extension RecordingPlan {
  /// Checks what can be checked without a device, a trace or a file.
  /// - Parameter title: What was given: `the plan is`.
  /// - Returns: A sentence for a plan that is right, and one for each source that must be open before its stages can be
  ///   checked.
  package func checked(_ title: String = "the plan is") throws(SluiceError) -> String {
    try validate()
    if let misfit { throw misfit.error }
    try StreamNames.check(sources.map(\.spec))
    for output in outputs { try OutputKinds.kind(of: output.path).check() }
    func counted(_ count: Int, _ word: String) -> String { "\(grouped(count)) \(word)\(count == 1 ? "" : "s")" }
    let input = replay.map { counted($0.files.count, "trace") } ?? counted(sources.count, "source")
    let right = "\(title) right: \(input), \(counted(outputs.count, "output"))"
    return ([right] + unknownSources).map(\.inOneLine).joined(separator: "\n")
  }
}
