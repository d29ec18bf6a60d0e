// Many rates in one recording: each source has its own, and each output has all of them.
//
// "ExampleManyRates imu=iio:bmi160,sample-rate=200 door=gpio-name:GPIO27,bias=pull-up cpu=poll:thermal:cpu-thermal@1s" takes
// devices; without them, sources that every machine has. The folder gets a file per stream, and the other output is one file
// with all rows in the order of their times. Look at the sum: each reading is in both outputs.
import Foundation
import SluicePipeline

do {
  let arguments = Array(CommandLine.arguments.dropFirst())
  let sources = arguments.isEmpty ? ["imu=sim:imu@200", "meter=sim:meter@20,seed=3", "tick=timer:200ms"] : arguments
  let folder = NSTemporaryDirectory() + "sluice-example-rates"
  var plan = RecordingPlan(
    sources: try sources.map { try SourceSpec($0) }, stages: [.buffer()],
    outputs: [
      OutputPlan(folder + "/", existing: .overwrite), OutputPlan(folder + ".jsonl", existing: .overwrite),
    ])
  plan.limits.duration = .seconds(1)

  let recording = try Recording(plan) { print($0) }
  recording.start()
  let account = recording.wait()
  print("fastest first: \(account.streams.sorted { $0.received > $1.received }.map(\.stream).joined(separator: ", "))")
  for output in account.outputs {
    let written = output.streams.reduce(0) { $0 + $1.written }
    print(
      "\(output.format) has \(written == account.received ? "all" : "\(written)") readings of \(output.streams.count) streams"
    )
  }
  print("\(account.unaccounted) unaccounted")
} catch {
  print(error)
  exit(1)
}
