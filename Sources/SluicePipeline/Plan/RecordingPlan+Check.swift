package import SluiceReadings
import SluiceRecording

extension RecordingPlan {
  /// Checks what can be checked without a device, a trace or a file.
  /// - Returns: A sentence for a plan that is right.
  package func checked() throws(SluiceError) -> String {
    try validate()
    try StreamNames.check(sources.map(\.spec))
    for output in outputs { try OutputKinds.kind(of: output.path).check() }
    func counted(_ count: Int, _ word: String) -> String { "\(grouped(count)) \(word)\(count == 1 ? "" : "s")" }
    let input = replay.map { counted($0.files.count, "trace") } ?? counted(sources.count, "source")
    return "the plan is right: \(input), \(counted(outputs.count, "output"))"
  }
}
