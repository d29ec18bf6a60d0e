// A water meter: litres, and litres per minute, from a contact that closes once per half litre.
//
// "ExampleWaterMeter gpio-name:GPIO17,bias=pull-up" reads a contact until Ctrl-C. Without a device it replays a trace. Look
// at the last line: half of the edges were bounces, and became no litres.
import Foundation
import SluicePipeline
import SluiceReadings
import SluiceStages

do {
  let device = CommandLine.arguments.dropFirst().first
  let half = ExactDecimal(significand: 5, exponent: -1)
  var plan = RecordingPlan(
    sources: try device.map { [try SourceSpec("water=\($0)")] } ?? [],
    stages: [
      .settle(for: .milliseconds(5)), .pulses(half, unit: "l"),
      .scale(Scale(channel: "rate", gain: ExactDecimal(significand: 60), unit: "l/min")),
    ],
    outputs: [OutputPlan("-", decimals: 1)])
  if device == nil { plan.input = .trace(ReplayPlan(#filePath.replacing("main.swift", with: "water.vcd"))) }

  let recording = try Recording(plan) { print($0) }
  signal(SIGINT, SIG_IGN)
  let interrupt = DispatchSource.makeSignalSource(signal: SIGINT)
  interrupt.setEventHandler { recording.stop() }
  interrupt.activate()
  recording.start()
  let account = recording.wait()
  print("\(account.received) edges, \(account.suppressed) of them bounces, \(account.written) pulses")
} catch {
  print(error)
  exit(1)
}
