import SluicePipeline
import SluiceReadings
import SluiceStages

/// Makes random stages for the streams that reach them.
struct RandomStages {
  /// A stage, and the words of the command that mean it.
  struct Choice {
    var stage: StagePlan
    var words: [String]
  }

  var random: Randomness
  /// The streams that reach the next stage.
  var streams: [StreamDescription]
  /// The length of the trace: windows are a part of it, so that there are some, and not millions.
  let span: Int64
  /// The lines with a decoder, and those with a `--settle`; nil is every line. A line takes one of each.
  private var decoded: [String?] = []
  private var settled: [String?] = []
  private var combines = false
  private var hasWindows = false

  init(_ random: Randomness, _ streams: [StreamDescription], span: Int64) {
    (self.random, self.streams, self.span) = (random, streams, span)
  }

  typealias Maker = @Sendable (inout RandomStages) -> Choice?

  /// One for each stage of the registry, by its name.
  static let makers: [String: Maker] = [
    BufferStage.name: { stages in
      let size = stages.random.number(1...2_000)
      return Choice(stage: .buffer(size), words: ["--buffer=\(size)"])
    },
    SelectStage.name: { stages in
      guard let names = stages.selection() else { return nil }
      return Choice(stage: .select(names), words: ["--select=\(names.joined(separator: ","))"])
    },
    SettleStage.name: { stages in
      guard let line = stages.line(besides: stages.settled) else { return nil }
      stages.settled.append(line.name)
      let time = stages.time()
      return Choice(stage: .settle(for: time, line: line.name), words: ["--settle=\(line.prefix)\(time)"])
    },
    PulseWidthStage.name: { stages in
      guard let line = stages.lineToDecode() else { return nil }
      return Choice(stage: .pulseWidth(of: line.name), words: ["--pulse-width=\(line.name ?? "all")"])
    },
    FrequencyStage.name: { stages in
      guard let line = stages.lineToDecode() else { return nil }
      let time = stages.time()
      return Choice(
        stage: .frequency(per: time, line: line.name), words: ["--frequency-of=\(line.prefix)\(time)"])
    },
    PulseCountStage.name: { stages in
      guard let line = stages.lineToDecode() else { return nil }
      let amount = ExactDecimal(significand: stages.random.number(1...2_000), exponent: -stages.random.number(0...4))
      let start = ExactDecimal(
        significand: stages.random.chance(50) ? 0 : stages.random.number(-9_999...99_999), exponent: -1)
      let unit = stages.random.pick([nil, "l", "kWh"])
      let isFromZero = start.significand == 0
      let stage = StagePlan.pulses(amount, unit: unit, line: line.name, start: isFromZero ? .zero : start)
      let words = "\(line.prefix)\(amount)\(unit.map { ":\($0)" } ?? "")\(isFromZero ? "" : ",start=\(start)")"
      return Choice(stage: stage, words: ["--pulses=\(words)"])
    },
    QuadratureStage.name: { stages in
      let lines = stages.streams.filter { stages.isLine($0) && !$0.name.contains(where: { ",=".contains($0) }) }
      guard lines.count > 1, stages.decoded.isEmpty else { return nil }
      let (a, b) = (lines[0].name, lines[1].name)
      stages.decoded += [a, b]
      let name = stages.random.pick([QuadratureStage.standardStream, "knob", "x.y"])
      let start = stages.random.pick([0, 400, -7])
      let words = "\(name == QuadratureStage.standardStream ? "" : "\(name)=")\(a),\(b)"
      return Choice(
        stage: .quadrature(a, b, stream: name, start: start),
        words: ["--quadrature=\(words)\(start == 0 ? "" : ",start=\(start)")"])
    },
    DHTStage.name: { stages in
      guard let line = stages.lineToDecode() else { return nil }
      let sensor = stages.random.pick(DHT.Sensor.allCases)
      return Choice(stage: .dht(sensor, line: line.name), words: ["--dht=\(line.prefix)\(sensor.rawValue)"])
    },
    OneWireStage.name: { stages in
      guard let line = stages.lineToDecode() else { return nil }
      return Choice(stage: .oneWire(of: line.name), words: ["--one-wire=\(line.name ?? "all")"])
    },
    ScaleStage.name: { stages in
      let channel = stages.channel()
      let gain = ExactDecimal(significand: stages.random.number(-9_999...9_999), exponent: -stages.random.number(0...5))
      var scale = Scale(channel: channel, gain: gain)
      var words = "\(channel)=\(gain)"
      if stages.random.chance(50) {
        scale.offset = ExactDecimal(significand: stages.random.number(1...999), exponent: -1)
        words += ",\(scale.offset)"
      }
      if stages.random.chance(50) {
        scale.unit = "bar"
        words += ",bar"
      }
      return Choice(stage: .scale(scale), words: ["--scale=\(words)"])
    },
    WhereStage.name: { stages in
      let channel = stages.channel()
      guard !channel.contains("\"") else { return nil }
      let limit = ExactDecimal(significand: stages.random.number(-999...999), exponent: -1)
      let condition = "\"\(channel)\" \(stages.random.pick(["<", ">", "!=", "<="])) \(limit) or abs(\"\(channel)\") < 1"
      guard let expression = try? Expression(condition) else { return nil }
      return Choice(stage: .where(expression), words: ["--where", condition])
    },
    WhileStage.name: { stages in
      guard let condition = stages.rareCondition(), let expression = try? Expression(condition) else { return nil }
      return Choice(stage: .while(expression), words: ["--while", condition])
    },
    AroundStage.name: { stages in
      guard let condition = stages.rareCondition(), let expression = try? Expression(condition) else { return nil }
      let before = stages.random.chance(20) ? nil : stages.time()
      let after = stages.random.chance(20) ? nil : stages.time()
      func text(_ time: TimeSpan?) -> String { time.map { "\($0)" } ?? "0s" }
      return Choice(
        stage: .around(expression, before: before, after: after),
        words: ["--around", "\(condition),\(text(before)),\(text(after))"])
    },
    DedupeStage.name: { _ in Choice(stage: .dedupe, words: ["--dedupe"]) },
    OnChangeStage.name: { stages in
      let tolerance = ExactDecimal(significand: stages.random.number(0...99), exponent: -1)
      let channel = stages.channel()
      guard stages.random.chance(50), !channel.contains("=") else {
        return Choice(stage: .onChange(tolerance), words: ["--on-change=\(tolerance)"])
      }
      return Choice(
        stage: .onChange([(channel, tolerance)]),
        words: ["--on-change=\(channel)=\(tolerance)"])
    },
    ResampleStage.name: { stages in
      guard !stages.combines else { return nil }
      stages.combines = true
      let (time, method) = (stages.time(), stages.random.pick(ResampleMethod.allCases))
      return Choice(
        stage: .resample(time, method), words: ["--resample=\(time):\(method.rawValue)"])
    },
    ReduceStage.name: { stages in
      guard !stages.combines else { return nil }
      stages.combines = true
      var functions = stages.random.some(of: Reduce.Function.allCases)
      if functions.isEmpty { functions = [.mean] }
      let time = stages.time()
      return Choice(
        stage: .reduce(time, functions),
        words: ["--reduce=\(time):\(functions.map(\.rawValue).joined(separator: ","))"])
    },
    // Their outputs have other streams and names, by which this program compares. JoinTests and RenameTests have them.
    JoinStage.name: { _ in nil },
    RenameStage.name: { _ in nil },
    EveryStage.name: { stages in
      let count = stages.random.number(1...5)
      return Choice(stage: .every(count), words: ["--every=\(count)"])
    },
    ThrottleStage.name: { stages in
      let (time, isLatest) = (stages.time(), stages.random.chance(70))
      return Choice(
        stage: .throttle(for: time, latest: isLatest),
        words: ["--throttle=\(time)\(isLatest ? "" : ":first")"])
    },
    CollectStage.name: { stages in
      let count = stages.random.chance(60) ? stages.random.number(1...40) : nil
      let time = count == nil || stages.random.chance(30) ? stages.time() : nil
      let words = [count.map { "\($0)" }, time?.description].compactMap { $0 }.joined(separator: ",")
      let limit = CollectLimit(count: count, interval: time)
      return Choice(stage: StagePlan(CollectStage(limit)), words: ["--collect=\(words)"])
    },
  ]

  /// Stages in the order of the registry, which is the order in which a command has them.
  /// - Parameters:
  ///   - names: Those that the command takes.
  ///   - percent: How probable each of them is.
  mutating func stages(_ names: [String], percent: Int) -> [Choice] {
    var chosen: [Choice] = []
    for name in names where random.chance(percent) {
      guard let maker = Self.makers[name] else { fatalError("there is no random stage \(name): write one") }
      var next = self
      guard let choice = maker(&next),
        let prepared = try? choice.stage.stage.prepared(for: InputStreams(streams))
      else { continue }
      self = next
      streams = prepared.streams.known
      chosen.append(choice)
    }
    return chosen
  }

  // MARK: Parts of stages

  /// A part of the trace.
  private mutating func time() -> TimeSpan {
    TimeSpan(nanoseconds: max(1, span / random.number(1...40)))
  }

  /// Streams, and single channels of others. A comma would separate two names.
  mutating func selection() -> [String]? {
    var names: [String] = []
    for stream in streams where random.chance(60) {
      if random.chance(70) {
        names.append(stream.name)
      } else {
        names += random.some(of: stream.channels).map { "\(stream.name).\($0.name)" }
      }
    }
    return names.isEmpty || names.contains { $0.contains(",") } ? nil : names.shuffled(using: &random)
  }

  private func isLine(_ stream: StreamDescription) -> Bool { stream.channels.count == 1 }

  private typealias Line = (name: String?, prefix: String)

  /// One line by its name, or all.
  private mutating func line(besides taken: [String?]) -> Line? {
    if taken.isEmpty, random.chance(50) { return (nil, "") }
    let lines = streams.filter { isLine($0) && $0.name != "all" && !taken.contains($0.name) }
    guard !taken.contains(nil), !lines.isEmpty else { return nil }
    let name = random.pick(lines).name
    return (name, "\(name)=")
  }

  private mutating func lineToDecode() -> Line? {
    guard let line = line(besides: decoded) else { return nil }
    decoded.append(line.name)
    return line
  }

  /// A condition for windows; nil if there are some already.
  private mutating func rareCondition() -> String? {
    let channel = channel()
    guard !hasWindows, !channel.contains("\"") else { return nil }
    hasWindows = true
    let limit = ExactDecimal(significand: random.number(-999...999), exponent: -1)
    return "\"\(channel)\" \(random.pick(["<", ">", "=="])) \(limit)"
  }

  /// The name of a channel.
  private mutating func channel() -> String {
    let all = streams.flatMap { stream in stream.channels.map { "\(stream.name).\($0.name)" } }
    return all.isEmpty ? "none" : random.pick(all)
  }
}
