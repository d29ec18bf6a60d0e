// Several DS18B20 on one wire: the temperature of each.
//
// "ExampleThermometers cellar=/sys/bus/w1/devices/28-000000009c89/temperature ..." reads the files of the kernel's driver,
// twenty times each. Without files it decodes a trace of the wire itself. Look at the serial numbers: the kernel writes the
// same numbers, in hexadecimal, as the names of its folders.
import Foundation
import SluicePipeline
import SluiceReadings
import SluiceStages

do {
  let files = CommandLine.arguments.dropFirst().map { $0.split(separator: "=", maxSplits: 1) }
  var plan: RecordingPlan
  if files.isEmpty {
    let trace = #filePath.replacing("main.swift", with: "bus.vcd")
    plan = RecordingPlan(replay: ReplayPlan(trace), stages: [.oneWire()], outputs: [OutputPlan("-")])
  } else {
    // The files have thousandths of a degree, and no unit.
    let thousandth = ExactDecimal(significand: 1, exponent: -3)
    plan = RecordingPlan(
      sources: try files.map { try SourceSpec("\($0.first ?? "")=poll:\($0.last ?? "")@10s") },
      stages: [.scale(Scale(channel: "value", gain: thousandth, unit: "degC"))], outputs: [OutputPlan("-")])
    plan.limits.count = 20 * files.count
  }

  let recording = try Recording(plan) { print($0) }
  recording.start()
  let account = recording.wait()
  print("\(account.written) temperatures, \(account.lost) lost")
} catch {
  print(error)
  exit(1)
}
