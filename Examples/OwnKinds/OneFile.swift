import SluicePipeline

/// The shortest program that records the thermometer: into one file.
func recordIntoOneFile() throws {
  let plan = RecordingPlan(sources: [], stages: [.buffer()], outputs: [OutputPlan("room.csv")])
  let recording = try Recording(plan, sources: [Thermometer("/run/tmp102")])
  recording.start()
}
