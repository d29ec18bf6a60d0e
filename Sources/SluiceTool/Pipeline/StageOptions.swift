import ArgumentParser
import SluicePipeline
import SluiceReadings
import SluiceStages

extension ReduceStage: ExpressibleByArgument { package init?(argument: String) { self.init(argument) } }
extension ResampleStage: ExpressibleByArgument { package init?(argument: String) { self.init(argument) } }
extension ScaleStage: ExpressibleByArgument { package init?(argument: String) { self.init(argument) } }
extension OnChangeStage.Tolerance: ExpressibleByArgument { package init?(argument: String) { self.init(argument) } }

extension PulseCountStage: ExpressibleByArgument { package init?(argument: String) { self.init(argument) } }
extension QuadratureStage: ExpressibleByArgument { package init?(argument: String) { self.init(argument) } }
extension DHTStage: ExpressibleByArgument { package init?(argument: String) { self.init(argument) } }

/// `50ms` for every line, or `LINE=50ms`.
struct LineTime: ExpressibleByArgument {
  let line: String?
  let time: TimeSpan

  init?(argument: String) {
    let sign = argument.lastIndex(of: "=")
    guard let time = TimeSpan(String(sign.map { argument[argument.index(after: $0)...] } ?? argument[...])) else {
      return nil
    }
    if sign == argument.startIndex { return nil }
    self.time = time
    line = sign.map { String(argument[..<$0]) }
  }
}

/// Stages that turn readings into answers.
struct StageOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Leave out levels of lines that last less than T, or of one line. Can be repeated.", valueName: "[LINE=]T"))
  var settle: [LineTime] = []

  @Option(
    help: ArgumentHelp(
      "How long each pulse of a line lasted, and its period; all for every line. Can be repeated.",
      valueName: "LINE|all"))
  var pulseWidth: [String] = []

  @Option(
    help: ArgumentHelp(
      "Edges and frequency of lines in windows of T, or of one line. Can be repeated.", valueName: "[LINE=]T"))
  var frequencyOf: [LineTime] = []

  @Option(
    help: ArgumentHelp(
      "Count the pulses of lines, or of one line, each of an amount: 0.5:l. Can be repeated.",
      valueName: "[LINE=]AMOUNT[:UNIT]"))
  var pulses: [PulseCountStage] = []

  @Option(
    help: ArgumentHelp(
      "Position and speed of an encoder with the lines A and B, as a stream. Can be repeated.",
      valueName: "[STREAM=]A,B"))
  var quadrature: [QuadratureStage] = []

  @Option(
    help: ArgumentHelp(
      "Humidity and temperature of a sensor on a line. Can be repeated.", valueName: "[LINE=]dht11|dht22"))
  var dht: [DHTStage] = []

  @Option(
    help: ArgumentHelp(
      "Temperatures of DS18B20 sensors on a line; all for every line. Can be repeated.", valueName: "LINE|all"))
  var oneWire: [String] = []

  @Option(
    help: ArgumentHelp(
      "Multiply the values of a channel, add an offset, change the unit. Can be repeated.",
      valueName: "CH=GAIN[,OFFSET][,UNIT]"))
  var scale: [ScaleStage] = []

  @Option(
    name: .customLong("where"),
    help: ArgumentHelp(
      "Let through readings for which a condition holds: 'voltage0 > 1.5 and accel_x < 0'. Can be repeated.",
      valueName: "CONDITION"))
  var conditions: [String] = []

  @Flag(help: "Leave out readings whose values are those of the reading before.")
  var dedupe = false

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Let through readings of which a value has changed by more than a tolerance, in its unit. Can be repeated for several channels.",
      valueName: "[CH=]TOLERANCE"))
  var onChange: [OnChangeStage.Tolerance] = []

  @Option(
    help: ArgumentHelp(
      "One reading each T: the mean of the readings before, the last one, or a value between two readings. (default: mean)",
      valueName: "T[:mean|last|linear]"))
  var resample: ResampleStage?

  @Option(
    help: ArgumentHelp(
      "Per channel, the least, mean and greatest value and the number of values in windows of T, or some of these.",
      valueName: "T[:min,mean,max,count]"))
  var reduce: ReduceStage?

  var isEmpty: Bool { (try? stages().isEmpty) ?? false }

  func validate() throws {
    for condition in conditions {
      do throws(SluiceError) { _ = try Expression(condition) } catch { throw ValidationError("\(error)") }
    }
    if let fault = OnChangeStage.fault(onChange) { throw ValidationError("--on-change \(fault)") }
    let decoders =
      pulseWidth.map(Self.line) + frequencyOf.map(\.line) + pulses.map(\.line) + dht.map(\.line)
      + oneWire.map(Self.line)
    for lines in [settle.map(\.line), decoders]
    where Set(lines).count < lines.count || lines.count > 1 && lines.contains(nil) {
      throw ValidationError(
        "a line is decoded in one way: name each line once, as LINE=, or decode every line in one way")
    }
    if resample != nil, reduce != nil {
      throw ValidationError("--resample and --reduce both make one reading of many; give one of them")
    }
  }

  private static func line(_ argument: String) -> String? { argument == "all" ? nil : argument }

  /// In the order in which readings pass them, whatever the order of the options.
  func stages() throws -> [any PipelineStage] {
    var stages: [any PipelineStage] = []
    stages += settle.map { SettleStage(time: $0.time, line: $0.line) }
    stages += pulseWidth.map { PulseWidthStage(line: Self.line($0)) }
    stages += frequencyOf.map { FrequencyStage(interval: $0.time, line: $0.line) }
    stages += pulses
    stages += quadrature
    stages += dht
    stages += oneWire.map { OneWireStage(line: Self.line($0)) }
    stages += scale
    for condition in conditions { stages.append(WhereStage(try Expression(condition))) }
    if dedupe { stages.append(DedupeStage()) }
    if !onChange.isEmpty { stages.append(OnChangeStage(onChange)) }
    if let resample { stages.append(resample) }
    if let reduce { stages.append(reduce) }
    return stages
  }
}
