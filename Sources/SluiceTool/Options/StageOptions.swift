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
    guard let time = TimeSpan(period: String(sign.map { argument[argument.index(after: $0)...] } ?? argument[...]))
    else {
      return nil
    }
    if sign == argument.startIndex { return nil }
    self.time = time
    line = sign.map { String(argument[..<$0]) }
  }
}

/// Stages that turn readings into results.
struct StageOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Debounce every line, or one line: leave out levels shorter than T. Can be repeated.", valueName: "[LINE=]T"))
  var settle: [LineTime] = []

  @Option(
    help: ArgumentHelp(
      "Measure width and period of each pulse of a line, or of all lines. Can be repeated.",
      valueName: "LINE|all"))
  var pulseWidth: [String] = []

  @Option(
    help: ArgumentHelp(
      "Count edges and measure the frequency of every line, or of one line, per window of T. Can be repeated.",
      valueName: "[LINE=]T"))
  var frequencyOf: [LineTime] = []

  @Option(
    help: ArgumentHelp(
      "Count the pulses of every line, or of one line, with an amount per pulse: 0.5:l. Can be repeated.",
      valueName: "[LINE=]AMOUNT[:UNIT][,start=TOTAL]"))
  var pulses: [PulseCountStage] = []

  @Option(
    help: ArgumentHelp(
      "Decode position and speed of an encoder with the lines A and B into a stream. Can be repeated.",
      valueName: "[STREAM=]A,B[,start=STEPS]"))
  var quadrature: [QuadratureStage] = []

  @Option(
    help: ArgumentHelp(
      "Decode humidity and temperature of a sensor on every line, or on one line. Can be repeated.",
      valueName: "[LINE=]dht11|dht22"))
  var dht: [DHTStage] = []

  @Option(
    help: ArgumentHelp(
      "Decode temperatures of DS18B20 sensors on a line, or on all lines. Can be repeated.", valueName: "LINE|all"))
  var oneWire: [String] = []

  @Option(
    help: ArgumentHelp(
      "Multiply the values of a channel, add an offset, change the unit. Can be repeated.",
      valueName: "CH=GAIN[,OFFSET][,UNIT]"))
  var scale: [ScaleStage] = []

  @Option(
    name: .customLong("while"), parsing: .unconditional,
    help: ArgumentHelp(
      "Keep only the readings of all streams while a condition is true: 'pump == 1'. The channel window has the number of the window.",
      valueName: "CONDITION"))
  var whileCondition: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Keep only the readings around each event, which is a true condition or a mark: 'door == 1,10s,60s'. The channel window has the number of each window.",
      valueName: AroundStage.form))
  var around: String?

  @Option(
    name: .customLong("where"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Keep only readings for which a condition is true: 'voltage0 > 1.5 and accel_x < 0'. Can be repeated.",
      valueName: "CONDITION"))
  var conditions: [String] = []

  @Flag(help: "Leave out readings that repeat the values of the previous reading of their stream.")
  var dedupe = false

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Keep only readings in which a value has changed by more than a tolerance in its unit. Can be repeated for several channels.",
      valueName: "[CH=]TOLERANCE"))
  var onChange: [OnChangeStage.Tolerance] = []

  @Option(
    help: ArgumentHelp(
      "Make one reading per T: the mean of the window, its last reading, or linear interpolation. The period of a rate is rounded to nanoseconds. (default: mean)",
      valueName: "T[:mean|last|linear]"))
  var resample: ResampleStage?

  @Option(
    help: ArgumentHelp(
      "Compute minimum, mean, maximum and count of each channel per window of T, or some of these.",
      valueName: "T[:min,mean,max,count]"))
  var reduce: ReduceStage?

  @Option(
    help: ArgumentHelp(
      "Join all streams to one table with a row for each time. A channel without a value at this time holds its last one (hold) or is empty (exact). With T, a row per T: the last values, interpolated values, or means. (alone: hold)",
      valueName: "hold|exact|T[:hold|linear|mean]"))
  var join: JoinArgument?

  @Option(
    help: ArgumentHelp(
      "Rename a stream, or a channel. With --join, the names are those of the table. Can be repeated.",
      valueName: "OLD=NEW"))
  var rename: [String] = []

  var isEmpty: Bool { (try? stages().isEmpty) ?? false }

  func validate() throws {
    for condition in conditions + (whileCondition.map { [$0] } ?? []) {
      do throws(SluiceError) { _ = try Expression(condition) } catch { throw ValidationError("\(error)") }
    }
    if let around {
      do throws(SluiceError) { _ = try AroundStage(around) } catch { throw ValidationError("\(error)") }
      if whileCondition != nil {
        throw ValidationError("--while and --around both choose windows; give only one of them")
      }
    }
    if let fault = OnChangeStage.fault(onChange) { throw ValidationError("--on-change \(fault)") }
    let decoders =
      pulseWidth.map(Self.line) + frequencyOf.map(\.line) + pulses.map(\.line) + dht.map(\.line)
      + oneWire.map(Self.line)
    for lines in [settle.map(\.line), decoders].map({ $0.map { $0.map(ExactName.init) } })
    where Set(lines).count < lines.count || lines.count > 1 && lines.contains(nil) {
      throw ValidationError(
        "a line takes one decoder and one --settle: name each line once, as LINE=, or use one option for all lines")
    }
    if join?.interval != nil, resample != nil || reduce != nil {
      throw ValidationError(
        "--join=T combines readings, as --resample and --reduce do; with these, give --join without T")
    }
    if let name = rename.first(where: { RenameStage([$0]) == nil }) {
      throw ValidationError("--rename takes OLD=NEW, such as 2=temp, not \"\(name)\"")
    }
    if resample != nil, reduce != nil {
      throw ValidationError("--resample and --reduce both combine readings; give only one of them")
    }
  }

  private static func line(_ argument: String) -> String? { argument == "all" ? nil : argument }

  /// The stages in the order in which readings pass through them. The order of the options does not matter.
  func stages() throws -> [StagePlan] {
    var stages: [StagePlan] = []
    stages += settle.map { .settle(for: $0.time, line: $0.line) }
    stages += pulseWidth.map { .pulseWidth(of: Self.line($0)) }
    stages += frequencyOf.map { .frequency(per: $0.time, line: $0.line) }
    stages += pulses.map { StagePlan($0) }
    stages += quadrature.map { StagePlan($0) }
    stages += dht.map { StagePlan($0) }
    stages += oneWire.map { .oneWire(of: Self.line($0)) }
    stages += scale.map { StagePlan($0) }
    if let whileCondition { stages.append(.while(try Expression(whileCondition))) }
    if let around { stages.append(StagePlan(try AroundStage(around))) }
    stages += try conditions.map { .where(try Expression($0)) }
    if dedupe { stages.append(.dedupe) }
    if !onChange.isEmpty { stages.append(StagePlan(OnChangeStage(onChange))) }
    if let resample { stages.append(StagePlan(resample)) }
    if let reduce { stages.append(StagePlan(reduce)) }
    if let join { stages += join.stages }
    if !rename.isEmpty, let stage = StagePlan.rename(rename) { stages.append(stage) }
    return stages
  }
}
