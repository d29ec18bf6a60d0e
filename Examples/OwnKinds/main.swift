// Kinds of one's own: a source, a stage, a format with a trace that reads it, and an output. None of them is in Sluice.
//
// "ExampleOwnKinds record thermometer:FILE -o a.tsv" is a sluice with these kinds. Without arguments it records a
// thermometer, and reads the recording.
import Foundation
import SluicePipeline
import SluiceReadings
import SluiceRecording
import SluiceTool

do {
  try Stages.add(MaximumStage.self)
  try RecordingFormats.add(TabFormat.self)
  TraceKinds.add(TabTrace.self)
  OutputKinds.add(ShownOutput.self)
  if CommandLine.arguments.count > 1 {
    SluiceCommand.main(adding: ThermometerKind.self)
    exit(0)
  }

  let folder = NSTemporaryDirectory() + "sluice-example-own-kinds"
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  let register = Register(path: "\(folder)/register")
  try register.set(20 << 4)

  let plan = RecordingPlan(
    sources: [], stages: [.buffer(), StagePlan(MaximumStage(channel: "temp"))],
    outputs: [OutputPlan("\(folder)/room.tsv", existing: .overwrite), OutputPlan("shown://")])
  let recording = try Recording(plan, sources: [Thermometer(register.path)]) { print($0) }
  // Half a degree more after each reading, up to 22 degrees.
  let weather = recording.readings.sink { @Sendable reading in
    let value = UInt16(reading.values[0].significand)
    if value < 22 << 4 { try? register.set(value + 8) } else { recording.stop() }
  }
  recording.start()
  let account = recording.wait()
  weather.cancel()
  print("\(account.unaccounted) unaccounted")

  let trace = try TraceReader(path: "\(folder)/room.tsv")
  var readings: [Reading] = []
  while let reading = try trace.next() { readings.append(reading) }
  print("read again:", readings.map { Double($0.values[0]) })
} catch {
  print(error)
  exit(1)
}
