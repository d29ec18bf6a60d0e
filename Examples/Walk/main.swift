// A walk with an IMU: every sample goes into a file, which is then replayed with two values per second.
//
// "ExampleWalk iio:bmi160,sample-rate=200" records such a sensor. Without a device it takes a simulated one, the same in each
// run. Look at the two accounts: nothing is lost while recording, and the replay can be made again, with other stages.
import Foundation
import SluicePipeline
import SluiceRecording

do {
  let device = CommandLine.arguments.dropFirst().first ?? "sim:imu@200,seed=7"
  let path = NSTemporaryDirectory() + "sluice-example-walk-of-200.csv"
  var plan = RecordingPlan(
    sources: [try SourceSpec("walk=\(device)")], stages: [.buffer()], outputs: [OutputPlan(path, existing: .overwrite)])
  plan.limits.count = 500
  plan.notes = [.init(key: "place", value: "Around the lake")]

  let recording = try Recording(plan) { print($0) }
  recording.start()
  let recorded = recording.wait()

  let slow = try Recording(
    RecordingPlan(
      replay: ReplayPlan(path),
      stages: [.select(["walk.accel_x", "walk.accel_z"]), .throttle(for: .milliseconds(500))],
      outputs: [OutputPlan("-", time: .relative, decimals: 2)]))
  slow.start()
  let replayed = slow.wait()
  print("recorded: \(recorded.written) written, \(recorded.lost) lost")
  print("replayed: \(replayed.written) written, \(replayed.suppressed) left out")
} catch {
  print(error)
  exit(1)
}
