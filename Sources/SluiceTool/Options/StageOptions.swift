import SluiceArguments
package import SluicePipeline
import SluiceReadings
import SluiceStages

extension ReduceStage: TimeArgument { package init?(argument: String) { self.init(argument) } }
extension ResampleStage: TimeArgument { package init?(argument: String) { self.init(argument) } }
extension ScaleStage: ArgumentValue { package init?(argument: String) { self.init(argument) } }
extension OnChangeStage.Tolerance: ArgumentValue { package init?(argument: String) { self.init(argument) } }

extension PulseCountStage: ArgumentValue { package init?(argument: String) { self.init(argument) } }
extension QuadratureStage: ArgumentValue { package init?(argument: String) { self.init(argument) } }
extension DHTStage: ArgumentValue { package init?(argument: String) { self.init(argument) } }

/// `50ms` for every line, or `LINE=50ms`.
struct LineTime: TimeArgument {
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
struct StageOptions: ArgumentGroup {
  var settle: [LineTime] = []
  var pulseWidth: [String] = []
  var frequencyOf: [LineTime] = []
  var pulses: [PulseCountStage] = []
  var quadrature: [QuadratureStage] = []
  var dht: [DHTStage] = []
  var oneWire: [String] = []
  var scale: [ScaleStage] = []
  var whileCondition: String?
  var around: String?
  var conditions: [String] = []
  var dedupe = false
  var onChange: [OnChangeStage.Tolerance] = []
  var resample: ResampleStage?
  var reduce: ReduceStage?
  var join: JoinArgument?
  var rename: [String] = []

  static var rows: [ArgumentRow<Self>] {
    [
      .option(
        "settle", "[LINE=]T", "Debounce every line, or one line: leave out levels shorter than T. Can be repeated.",
        \.settle),
      .option(
        "pulse-width", "LINE|all",
        "Measure width and period of each pulse of a line, or of all lines. Can be repeated.", \.pulseWidth),
      .option(
        "frequency-of", "[LINE=]T",
        "Count edges and measure the frequency of every line, or of one line, per window of T. Can be repeated.",
        \.frequencyOf, notice: RoundedRate.notices),
      .option(
        "pulses", "[LINE=]AMOUNT[:UNIT][,start=TOTAL]",
        "Count the pulses of every line, or of one line, with an amount per pulse: 0.5:l. Can be repeated.", \.pulses),
      .option(
        "quadrature", "[STREAM=]A,B[,start=STEPS]",
        "Decode position and speed of an encoder with the lines A and B into a stream. Can be repeated.", \.quadrature),
      .option(
        "dht", "[LINE=]dht11|dht22",
        "Decode humidity and temperature of a sensor on every line, or on one line. Can be repeated.", \.dht),
      .option(
        "one-wire", "LINE|all", "Decode temperatures of DS18B20 sensors on a line, or on all lines. Can be repeated.",
        \.oneWire),
      .option(
        "scale", "CH=GAIN[,OFFSET][,UNIT]",
        "Multiply the values of a channel, add an offset, change the unit. Can be repeated.", \.scale),
      .option(
        "while", "CONDITION",
        "Keep only the readings of all streams while a condition is true: 'pump == 1'. The channel window has the number of the window.",
        \.whileCondition
      )
      .insteadOfTwice(conditionsJoined),
      .option(
        "around", AroundStage.form,
        "Keep only the readings around each event, which is a true condition or a mark: 'door == 1,10s,60s'. The channel window has the number of each window.",
        \.around
      )
      .insteadOfTwice(conditionsJoined),
      .option(
        "where", "CONDITION",
        "Keep only readings for which a condition is true: 'voltage0 > 1.5 and accel_x < 0'. Can be repeated.",
        \.conditions),
      .flag("dedupe", "Leave out readings that repeat the values of the previous reading of their stream.", \.dedupe),
      .option(
        "on-change", "[CH=]TOLERANCE",
        "Keep only readings in which a value has changed by more than a tolerance in its unit. Can be repeated for several channels.",
        \.onChange),
      .option(
        "resample", "T[:mean|last|linear]",
        "Make one reading per T: the mean of the window, its last reading, or linear interpolation. The period of a rate is rounded to nanoseconds. (default: mean)",
        \.resample, notice: RoundedRate.notices),
      .option(
        "reduce", "T[:min,mean,max,count]",
        "Compute minimum, mean, maximum and count of each channel per window of T, or some of these.", \.reduce,
        notice: RoundedRate.notices),
      .option(
        "join", "hold|exact|T[:hold|linear|mean]",
        "Join all streams to one table with a row for each time. A channel without a value at this time holds its last one (hold) or is empty (exact). With T, a row per T: the last values, interpolated values, or means. (alone: hold)",
        \.join, alone: "hold", completion: .list(["hold", "exact"]), notice: RoundedRate.notices),
      .option(
        "rename", "OLD=NEW",
        "Rename a stream, or a channel. With --join, the names are those of the table. Can be repeated.", \.rename),
    ]
  }

  private static let conditionsJoined = "join the conditions with or, such as 'door == 1 or window == 1'"

  var isEmpty: Bool { (try? stages().isEmpty) ?? false }

  func validate() throws {
    for condition in conditions + (whileCondition.map { [$0] } ?? []) {
      do throws(SluiceError) { _ = try Expression(condition) } catch { throw ArgumentFault("\(error)") }
    }
    if let around {
      do throws(SluiceError) { _ = try AroundStage(around) } catch { throw ArgumentFault("\(error)") }
      if whileCondition != nil {
        throw ArgumentFault("--while and --around both choose windows; give only one of them")
      }
    }
    if let fault = OnChangeStage.fault(onChange) { throw ArgumentFault("--on-change \(fault)") }
    let decoders =
      pulseWidth.map(Self.line) + frequencyOf.map(\.line) + pulses.map(\.line) + dht.map(\.line)
      + oneWire.map(Self.line)
    for lines in [settle.map(\.line), decoders].map({ $0.map { $0.map(ExactName.init) } })
    where Set(lines).count < lines.count || lines.count > 1 && lines.contains(nil) {
      throw ArgumentFault(
        "a line takes one decoder and one --settle: name each line once, as LINE=, or use one option for all lines")
    }
    if join?.interval != nil, resample != nil || reduce != nil {
      throw ArgumentFault(
        "--join=T combines readings, as --resample and --reduce do; with these, give --join without T")
    }
    if let name = rename.first(where: { RenameStage([$0]) == nil }) {
      throw ArgumentFault("--rename takes OLD=NEW, such as 2=temp, not \"\(name)\"")
    }
    if resample != nil, reduce != nil {
      throw ArgumentFault("--resample and --reduce both combine readings; give only one of them")
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
