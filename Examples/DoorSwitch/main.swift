// A door: how often, and for how long, it was open.
//
// "ExampleDoorSwitch gpio-name:GPIO27,bias=pull-up" watches a contact that is open while the door is open, until Ctrl-C.
// Without a device it replays a trace. The times are recorded in a file first; then the file is read back. Look at the
// bounces: each door movement has some, and the file has none.
import Foundation
import SluicePipeline
import SluiceReadings
import SluiceRecording
import SluiceStages

do {
  let device = CommandLine.arguments.dropFirst().first
  let path = NSTemporaryDirectory() + "sluice-example-door.csv"
  var plan = RecordingPlan(
    sources: try device.map { [try SourceSpec("door=\($0)")] } ?? [],
    stages: [.settle(for: .milliseconds(20)), .pulseWidth(), .where(try Expression("level == 1"))],
    outputs: [OutputPlan(path, existing: .overwrite)])
  if device == nil { plan.input = .trace(ReplayPlan(#filePath.replacing("main.swift", with: "door.vcd"))) }

  let recording = try Recording(plan) { print($0) }
  signal(SIGINT, SIG_IGN)
  let interrupt = DispatchSource.makeSignalSource(signal: SIGINT)
  interrupt.setEventHandler { recording.stop() }
  interrupt.activate()
  recording.start()
  print("\(recording.wait().received) edges")
  let doors = try TraceReader(path: path)
  var (times, longest): (Int, Int64) = (0, 0)
  while let closed = try doors.next() {
    // The channels are level, width and period. A width is missing if the door was open already.
    guard let width = closed.values[1].whole(power: 9) else { continue }
    print("open for \(closed.values[1]) s")
    (times, longest) = (times + 1, max(longest, width))
  }
  print("open \(times) times, at most for \(longest / 1_000_000_000) s")
} catch {
  print(error)
  exit(1)
}
