// An electricity meter: energy and power from the pulses of its S0 output, 10,000 per kWh.
//
// "ExamplePowerMeter gpio-name:GPIO22,bias=pull-up" reads 200 edges of such an output. Without a device it takes a simulated
// meter, the same in each run. Look at the bursts: they are contact bounces, and settle leaves them out.
import Foundation
import SluicePipeline
import SluiceReadings
import SluiceStages

do {
  let device = CommandLine.arguments.dropFirst().first ?? "sim:meter@40,seed=3"
  var plan = RecordingPlan(
    sources: [try SourceSpec("power=\(device)")],
    stages: [
      .settle(for: .milliseconds(5)),
      .pulses(ExactDecimal(significand: 1, exponent: -1), unit: "Wh"),
      // 1 Wh per second is 3,600 W.
      .scale(Scale(channel: "rate", gain: ExactDecimal(significand: 3_600), unit: "W")),
      .every(5),
    ],
    outputs: [OutputPlan("-", time: .relative, decimals: 1)])
  plan.limits.count = 200

  let recording = try Recording(plan) { print($0) }
  recording.start()
  let account = recording.wait()
  print("\(account.received) edges, \(account.written) rows, \(account.unaccounted) unaccounted")
} catch {
  print(error)
  exit(1)
}
