import Dispatch
import Measurement
import Sluice
import SluiceExtras
import SluiceReadings
import SluiceStages

/// A value is a reading of four channels, or an edge of a line, in runs of 512. What a stage takes is the difference to
/// "no stage".
let stageWorkloads: [Workload] = [
  Workload("no stage", .sluice) { n, checksum in count(Runs(count: n, reading), checksum) },
  stage("where") { inputs in try Where(Expression("in0 > 2000"), inputs: inputs) },
  stage("dedupe") { inputs in try OnChange(.equal, inputs: inputs) },
  stage("on-change") { inputs in
    try OnChange(.tolerance(ExactDecimal(significand: 5, exponent: -1)), inputs: inputs)
  },
  stage("scale") { inputs in
    try Scale(channel: "in0", gain: ExactDecimal(significand: 25, exponent: -3)).processor(inputs: inputs)
  },
  stage("resample") { inputs in try Resample(interval: 10_000_000, .mean, inputs: inputs) },
  stage("reduce") { inputs in try Reduce(interval: 10_000_000, Reduce.Function.allCases, inputs: inputs) },
  stage("settle", edge) { inputs in try Settle(time: 500_000, inputs: inputs) },
  stage("frequency", edge) { inputs in try Frequency(interval: 10_000_000, inputs: inputs) },
  stage("pulse width", edge) { inputs in try LineProcessor(PulseWidth(), inputs: inputs) },
  stage("pulses", edge) { inputs in
    try LineProcessor(PulseCount(amount: ExactDecimal(significand: 5, exponent: -1)), inputs: inputs)
  },
]

private func stage<Stage: ReadingProcessor>(
  _ name: String, _ reading: @escaping (Int) -> Reading = reading, _ made: @escaping (InputStreams) throws -> Stage
) -> Workload {
  Workload(name, .sluice) { n, checksum in
    do {
      let streams = reading(0).values.count == 1 ? [line] : [description]
      count(Runs(count: n, reading).process(by: try made(InputStreams(streams))), checksum)
    } catch {
      fatalError("\(error)")
    }
  }
}

private let line = StreamDescription(name: "line", channels: [.init(name: "level", format: "level")])

/// Every other millisecond up, and down again.
private func edge(_ number: Int) -> Reading {
  Reading(
    time: 1_700_000_000_000_000_000 + Int64(number) * 1_000_000, stream: StreamID(0), values: [Int64(number & 1)])
}

private func count<P: Publisher>(_ readings: P, _ checksum: Checksum) where P.Output == Reading, P.Failure == Never {
  let done = DispatchSemaphore(value: 0)
  let sink = readings.sink(
    receiveCompletion: { _ in done.signal() }, receiveValue: { checksum.add(Int($0.values[0].significand)) })
  done.wait()
  sink.cancel()
}
