// A recording as `sluice record` makes it: a simulated sensor, a pause, two outputs, metadata beside them, and an account of
// every reading. The plan names the sensor and the formats; the rest is the same for all of them.
import Foundation
import SluicePipeline
import SluiceRecording

do {
  let paths = ["walk.csv", "walk.jsonl"].map { NSTemporaryDirectory() + "sluice-example-" + $0 }
  var plan = RecordingPlan(
    sources: [try SourceSpec("walk=sim:imu@500,seed=7")], stages: [.buffer(), .every(2)],
    outputs: paths.map { OutputPlan($0, existing: .overwrite) })
  plan.limits.count = 1_000
  plan.notes = [.init(key: "site", value: "Cellar, left wall")]

  let recording = try Recording(plan) { print($0) }
  recording.start()
  recording.pause()
  recording.resume()
  let account = recording.wait()

  print("\(account.received) received = \(account.written) written + \(account.suppressed) left out", terminator: ", ")
  print("\(account.unaccounted) unaccounted, \(account.lost) lost")
  for (output, path) in zip(account.outputs, paths) {
    print("\(output.format): \(output.streams[0].written) of \(output.streams[0].stream)", terminator: ", ")
    let metadata = try TraceMetadata(beside: path)
    print("\(metadata?.state?.rawValue ?? "unknown"), \(metadata?.pauses?.count ?? 0) pause")
  }
} catch {
  print(error)
  exit(1)
}
