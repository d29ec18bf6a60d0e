import SluiceRecording

extension RingFolder {
  /// The folder beside the first output that is a file; nil if there is none.
  convenience init?(_ outputs: [RecordingOutput], _ plans: [OutputPlan], _ spill: SpillPlan?, _ disk: Disk) {
    let paths = zip(outputs, plans).compactMap { output, plan in
      SpillFolder.path(of: output, plan.path, spill ?? SpillPlan(), ending: Self.ending)
    }
    guard let path = paths.first else { return nil }
    self.init(path, files: disk.files)
  }
}
