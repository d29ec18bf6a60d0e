import SluiceExtras
import SluiceReadings
import SluiceStages

/// A condition, and edges of two lines and values of a third stream. What every stage makes of them in one run, and one by
/// one, must agree. The first line of the input is the condition; each reading takes two bytes behind it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let line = bytes.prefix { $0 != 0x0a }
  let readings = readings(bytes.dropFirst(line.count + 1))
  let inputs = InputStreams(streams)
  if let condition = try? Expression(String(decoding: line, as: UTF8.self)) {
    try? compare(Where(condition, inputs: inputs), readings)
  }
  let five = ExactDecimal(significand: 5, exponent: -1)
  try? compare(LineProcessor(PulseWidth(), inputs: inputs), readings)
  try? compare(LineProcessor(PulseCount(amount: five), inputs: inputs), readings)
  try? compare(LineProcessor(DHT(.dht22), line: "A", inputs: inputs), readings)
  try? compare(LineProcessor(DHT(.dht11), line: "A", inputs: inputs), readings)
  try? compare(LineProcessor(OneWire(), line: "B", inputs: inputs), readings)
  try? compare(Quadrature(a: "A", b: "B", inputs: inputs), readings)
  try? compare(Frequency(interval: 1_000, inputs: inputs), readings)
  try? compare(Settle(time: 300, inputs: inputs), readings)
  try? compare(While(Expression("x > 5"), inputs: inputs), readings)
  try? compare(Around(Expression("x > 90"), before: 300, after: 200, inputs: inputs), readings)
  try? compare(OnChange(.tolerance(five), inputs: inputs), readings)
  try? compare(Resample(interval: 700, .mean, inputs: inputs), readings)
  try? compare(Interpolation(interval: 700, inputs: inputs), readings)
  try? compare(Reduce(interval: 700, Reduce.Function.allCases, inputs: inputs), readings)
  let scale = Scale(channel: "x", gain: ExactDecimal(significand: .max, exponent: -3), offset: five)
  try? compare(scale.processor(inputs: inputs), readings)
  return 0
}

private let streams = [
  StreamDescription(name: "A", channels: [.init(name: "level", format: StreamDescription.Channel.level)]),
  StreamDescription(name: "B", channels: [.init(name: "level", format: StreamDescription.Channel.level)]),
  StreamDescription(name: "imu", channels: [.init(name: "x", unit: "g"), .init(name: "y", unit: "g")]),
]

/// Of the first byte, two bits say the stream, two the flags, one the level, and three the power of the distance in time,
/// whose factor is the second byte.
private func readings(_ bytes: ArraySlice<UInt8>) -> [Reading] {
  var time: Int64 = 0
  return stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map { index in
    let (what, factor) = (bytes[index], Int64(bytes[index + 1]))
    let step = what >> 5 == 7 ? (factor & 1 == 0 ? Int64.min : .max) / 2 : factor << Int64(2 * (what >> 5))
    time &+= step
    let flags = Reading.Flags(rawValue: what >> 2 & 3)
    switch what & 3 {
    case 0, 1:
      return Reading(time: time, stream: StreamID(UInt16(what & 3)), values: [Int64(what >> 4 & 1)], flags: flags)
    case 2:
      var values = Values(factor)
      values.append(ExactDecimal(significand: step, exponent: Int8(truncatingIfNeeded: factor) / 4))
      return Reading(time: time, stream: StreamID(2), values: values, flags: flags)
    default:
      var values = Values()
      values.append(.missing)
      return Reading(time: time, stream: StreamID(UInt16(factor & 1)), values: values, flags: flags)
    }
  }
}

private func compare<Stage: ReadingProcessor>(_ stage: Stage, _ readings: [Reading]) {
  let single = outputs(of: stage, readings, inRunsOf: 1)
  let runs = outputs(of: stage, readings, inRunsOf: 7)
  precondition(single == runs, "\(Stage.self): runs give something else")
  for reading in single {
    let channels = stage.streams[Int(reading.stream.index)].channels.count
    precondition(
      !stage.makes(reading.stream) || reading.values.count == channels, "\(Stage.self): a channel is missing")
  }
}

/// Of long series of windows only the first outputs.
private func outputs<Stage: ReadingProcessor>(of stage: Stage, _ readings: [Reading], inRunsOf count: Int) -> [Reading]
{
  var (stage, outputs, rest) = (stage, [Reading](), readings[...])
  while !rest.isEmpty, outputs.count < 20_000 {
    let taken = rest.prefix(count).withUnsafeBufferPointer { stage.receive(run: $0, into: &outputs).count }
    while stage.hasMore, outputs.count < 20_000 { stage.resume(into: &outputs) }
    rest = rest.dropFirst(taken)
  }
  if outputs.count < 20_000 { stage.finish(into: &outputs) }
  return Array(outputs.prefix(20_000))
}
