import SluiceReadings
import SluiceRecording
import SluiceStages
import TestDisk

@testable import SluicePipeline

/// Random plans of every kind that a plan can have.
struct RandomPlans {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed) }

  private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: values.indices, using: &random)]
  }
  private mutating func maybe<Value>(_ percent: Int, _ values: [Value]) -> Value? {
    chance(percent) ? pick(values) : nil
  }
  private mutating func some<Value>(_ values: [Value], atMost count: Int) -> [Value] {
    (0..<Int.random(in: 0...count, using: &random)).map { _ in pick(values) }
  }

  /// Texts that mean something in YAML, in JSON, or here.
  static let texts = [
    "imu", "no", "yes", "Off", "null", "~", "true", "012", "0o17", "0x1F", "1:30", "1e3", "1_000", "-1", "-", "- a",
    "a b",
    " a", "a ", "a: b", "a:", "a #b", "#a", "&a", "*a", "!a", "%a", "@a", "`a`", "'a'", "\"a\"", "{a}", "[a]", "a,b",
    "a=b",
    "<<", "=", "?", "|", ">", "${A}", "$${A}", "$", "${", "a\\b", "\u{e9}", "e\u{301}", "\u{1F600}", "\u{2028}",
    "\u{FEFF}",
    "\u{85}", "\u{A0}", "a\tb", "a\nb", "\r", "\u{1}", "...", "---", "2026-11-21", ".5", "1.10", "none", "every=10",
    String(repeating: "x", count: 2_000),
  ]

  mutating func plan() -> RecordingPlan {
    let input: RecordingPlan.Input = chance(75) ? .sources(sources()) : .trace(replay())
    var plan = RecordingPlan(input: input, stages: some(Self.stages, atMost: 4), outputs: outputs())
    if plan.replay == nil, chance(60) { plan.stages.insert(.buffer(), at: 0) }
    plan.name = maybe(20, Self.texts)
    plan.limits = limits(isReplay: plan.replay != nil)
    plan.sync = maybe(30, [.batch, .never, .every(.milliseconds(2_500))])
    if plan.replay == nil {
      plan.pauseMode = pick([.hold, .hold, .discard])
      plan.startPaused = chance(10)
    }
    plan.notes = some(Self.texts, atMost: 3).map { .init(key: $0, value: pick(Self.texts)) }
    return plan
  }

  static let whats = [
    "gpio:gpiochip0:3,4", "gpio-name:METER,DOOR", "gpio-values:gpiochip0:3@10ms", "iio:bmi160:accel_x,accel_y", "iio:a",
    "iio-events:adxl345:a=300", "input:gpio-keys:KEY_A", "pps:0", "can:can0,dbc=car.dbc,id=123+18FF0000/1FFF0000,fd",
    "lines:-,as=csv", "serial:/dev/ttyUSB0@115200,dtr=off", "exec:sh -c 'echo ${X} # y: z'", "exec:python3 \"a b.py\"",
    "tcp:meter.local:3000", "udp:8094,time=utc", "poll:/a,b/c@1s", "poll:thermal:cpu-thermal@1.5s", "timer:10ms",
    "sim:imu",
    "sim:meter@20,seed=7,gaps=5",
  ]

  private static let values: [SourceSettings.Key: [String]] = [
    .edges: ["both", "rising"], .bias: ["pull-up", "as-is"], .activeLow: ["true", "false"], .debounce: ["1500us"],
    .fifo: ["64"], .eventClock: ["hte"], .initialLevel: ["true"], .consumer: texts, .reconnect: ["true"],
    .sampleRate: ["400", "12.5", "012", "9007199254740993"], .trigger: ["hrtimer:t"] + texts, .watermark: ["50"],
    .latency: ["7ns", "1.5h"], .length: ["1048576"], .si: ["true", "false"],
  ]

  private mutating func sources() -> [SourcePlan] {
    let names = Self.texts.filter { (try? SourceSpec.checkedName($0[...])) != nil }
    let areNamed = chance(50)
    return (0...Int.random(in: 0...3, using: &random)).compactMap { _ in
      guard var plan = try? SourcePlan(pick(Self.whats)) else { return nil }
      plan.spec.name = areNamed || chance(30) ? pick(names) : nil
      for key in plan.spec.kind.keys where chance(30) {
        // A watermark and a latency are one setting.
        if key == .latency, plan.spec.settings.watermark != nil { continue }
        try? plan.spec.settings.set(key, to: PlanNode(json: .string(pick(Self.values[key] ?? [""]))))
      }
      if chance(30) { plan.stages = some(Self.stages.filter { !($0.stage is BufferStage) }, atMost: 3) }
      return plan
    }
  }

  private mutating func replay() -> ReplayPlan {
    var replay = ReplayPlan(
      pick(Self.texts),
      format: TraceFormat(
        timeColumn: maybe(20, Self.texts), timeUnit: maybe(20, TraceFormat.Unit.allCases),
        columns: some(Self.texts, atMost: 2),
        dbc: maybe(10, Self.texts)),
      times: pick([.recorded, .corrected]), rate: maybe(40, [0.1, 1, 2.5, 1e-300, 1e300]),
      from: maybe(20, [.after(.nanoseconds(1)), .date(1_700_000_000_123_456_789)]))
    if chance(50) {
      replay.duration = maybe(40, [.seconds(3)])
    } else {
      replay.to = maybe(40, [.after(.seconds(3)), .date(1_800_000_000_000_000_000)])
    }
    if chance(30) { replay.files = Array(Set(some(Self.texts, atMost: 3) + ["x"])).sorted() }
    replay.select = some(Self.texts, atMost: 2)
    replay.skipsBad = chance(20)
    replay.maxGap = maybe(20, [.seconds(5)])
    replay.reorder = maybe(20, [.milliseconds(50)])
    replay.loop = pick([.once, .rounds(7), .forever])
    if chance(10) { replay.scans = try? RawScans("accel_x=le:s12/16>>4 *0.5 m/s^2, b=be:u8/8>>0", sampleRate: "400") }
    return replay
  }

  static let stages: [StagePlan] = {
    let half = ExactDecimal(significand: 5, exponent: -1)
    var stages: [StagePlan] = [
      .select(["imu.x", "METER"]), .select(["a"]), .settle(for: .milliseconds(5)),
      .settle(for: .milliseconds(5), line: "door"), .pulseWidth(), .pulseWidth(of: "all"), .pulseWidth(of: "PWM"),
      .frequency(per: .seconds(1)), .frequency(per: .seconds(1), line: "fan"), .pulses(half),
      .pulses(half, unit: "l", line: "METER", start: half), .quadrature("A", "B"),
      .quadrature("A", "B", stream: "knob", start: -400), .dht(.dht22), .dht(.dht11, line: "SDA"), .oneWire(),
      .oneWire(of: "DQ"), .scale(Scale(channel: "v", gain: half)),
      .scale(Scale(channel: "v", gain: half, offset: half, unit: "bar")), .dedupe, .onChange(half),
      .onChange([("a", half)]), .onChange([("a", half), ("b", .zero)]), .resample(.seconds(1)),
      .resample(.seconds(1), .linear), .reduce(.seconds(60)), .reduce(.seconds(60), [.max]),
      .reduce(.seconds(60), [.max, .count]), .collect(50, orFor: .seconds(1)), .collect(1),
      .collect(for: .nanoseconds(7)),
      .throttle(for: .milliseconds(100)), .throttle(for: .milliseconds(1_500), latest: false), .every(2), .buffer(),
      .buffer(0), .buffer(1_000), .buffer(10, whenFull: .dropNewest), .buffer(whenFull: .fail),
    ]
    stages += texts.map { .select([$0]) } + texts.map { .select([$0, "b"]) } + texts.map { .pulseWidth(of: $0) }
    for condition in ["a > 1", "a == 1 and b < 2 or not (c >= -1)"].compactMap({ try? Expression($0) }) {
      stages += [
        .where(condition), .while(condition), .around(condition, before: .seconds(10), after: nil),
        .around(condition, before: nil, after: .milliseconds(1)),
      ]
    }
    return stages
  }()

  private mutating func outputs() -> [OutputPlan] {
    (0...Int.random(in: 0...2, using: &random)).map { _ in
      var output = OutputPlan(
        chance(50) ? pick(["walk.csv", "d/", "-", "a.db", "x.jsonl", "b.csv,every=10"]) : pick(Self.texts))
      guard chance(60) else { return output }
      output.format = maybe(20, RecordingFormats.names)
      output.layout = maybe(20, CSVLayout.allCases)
      output.existing = pick([.refuse, .refuse, .append, .overwrite])
      output.raw = chance(10)
      output.time = pick([.nanoseconds, .nanoseconds, .iso])
      output.decimals = maybe(10, [0, 18])
      output.headerUnits = chance(10)
      output.tags = chance(10) ? ["site=cellar", "a b=c,d=é"].compactMap { RowTag($0) } : []
      if chance(30) {
        output.rotation = Rotation(
          size: 100 << 20, period: maybe(50, [.seconds(3_600)]), keep: maybe(50, [Retention(bytes: 1_536, parts: 100)]))
      }
      if chance(40) {
        output.stages = some(Self.stages.filter { !($0.stage is BufferStage) && $0.stage.totalStage == nil }, atMost: 2)
      }
      output.buffer = maybe(20, [.init(), .init(1_000), .init(5, whenFull: .fail), .init(whenFull: .dropNewest)])
      return output
    }
  }

  private mutating func limits(isReplay: Bool) -> RecordingPlan.Limits {
    var limits = RecordingPlan.Limits()
    limits.grace = pick([RecordingPlan.Limits.standardGrace, .nanoseconds(1)])
    limits.minFree = maybe(20, [.megabytes(100), .bytes(1_537)])
    limits.maxLoss = maybe(20, [0, 7])
    guard !isReplay else { return limits }
    limits.duration = maybe(20, [.seconds(90), .nanoseconds(.max)])
    limits.count = maybe(20, [1, .max])
    limits.idleTimeout = maybe(20, [.seconds(30)])
    limits.maxClockError = maybe(20, [.milliseconds(10)])
    return limits
  }
}
