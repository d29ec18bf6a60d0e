import SluiceReadings
import SluiceRecording
import SluiceStages
import TestFiles
import XCTest

@testable import SluicePipeline
@testable import SluiceRecording
@testable import SluiceYAML

/// What the forms of a station file mean.
final class StationFormTests: XCTestCase {
  override func setUpWithError() throws {
    try super.setUpWithError()
    try InstalledLibrary.yaml.needed()
  }

  private func read(_ text: String) throws(SluiceError) -> RecordingPlan {
    try RecordingPlan(yaml: Array(text.utf8), name: "walk.yaml")
  }

  private func plan(_ text: String) throws(SluiceError) -> RecordingPlan {
    try read(text + (text.contains("outputs:") ? "" : "\noutputs: [x.csv]"))
  }

  func testSources() throws {
    let plan = try plan(
      """
      sources:
        imu: iio:bmi160:accel_x,sample-rate=400,reconnect,every=2
        door:
          kind: gpio
          what: gpiochip0:3
          edges: rising
          active-low: true
          debounce: 5ms
          stages: [settle: 50ms]
      """)
    XCTAssertEqual(
      plan.sources,
      [
        try SourcePlan("imu=iio:bmi160:accel_x,sample-rate=400,reconnect,every=2"),
        try SourcePlan("door=gpio:gpiochip0:3,edges=rising,active-low,debounce=5ms,settle=50ms"),
      ])
    XCTAssertEqual(
      try self.plan("sources: [iio:bmi160, a=timer:1s, {kind: timer, what: 2s, name: b}, {kind: pps, what: 0}]")
        .sources,
      try ["iio:bmi160", "a=timer:1s", "b=timer:2s", "pps:0"].map { try SourcePlan($0) })
  }

  /// What YAML 1.1 takes for a flag, a number, a time or nothing is a text, which its key parses.
  func testTrapsAreTexts() throws {
    let plan = try plan(
      """
      name: 1:30
      sources:
        no: {kind: gpio, what: "c:1", consumer: off}
        012: timer:1s
        0x10: {kind: iio, what: 0x10, sample-rate: 012, trigger: 0o17}
        null: {kind: iio, what: ~}
      stages: [select: [no, 012], scale: {channel: y, gain: 010, unit: yes}, select: 1e3]
      outputs: [1:30, 012, no]
      limits: {count: 012}
      meta: {on: 1e3, 2026-11-21: 1_000, yes: 190:20:30, ~: null}
      """)
    XCTAssertEqual(plan.name, "1:30")
    XCTAssertEqual(plan.sources.map(\.spec.name), ["no", "012", "0x10", "null"])
    XCTAssertEqual(plan.sources.map(\.spec.settings.consumer), ["off", nil, nil, nil])
    XCTAssertEqual(plan.sources.map(\.spec.what), ["c:1", "1s", "0x10", "~"])
    XCTAssertEqual(plan.sources[2].spec.settings.sampleRate, "012")
    XCTAssertEqual(plan.sources[2].spec.settings.trigger, "0o17")
    let ten = ExactDecimal(significand: 10, exponent: 0)
    XCTAssertEqual(
      plan.stages,
      [.buffer(), .select(["no", "012"]), .scale(Scale(channel: "y", gain: ten, unit: "yes")), .select(["1e3"])])
    XCTAssertEqual(plan.outputs.map(\.path), ["1:30", "012", "no"])
    XCTAssertEqual(plan.limits.count, 12)
    XCTAssertEqual(plan.notes.map(\.key), ["on", "2026-11-21", "yes", "~"])
    XCTAssertEqual(plan.notes.map(\.value), ["1e3", "1_000", "190:20:30", "null"])
  }

  /// A quoted value is parsed as a plain one is.
  func testPlainAndQuotedValuesAreTheSame() throws {
    let plain = """
      sources:
        a: {kind: iio, what: bmi160, sample-rate: 400, watermark: 50, reconnect: true}
      stages: [every: 2, throttle: {interval: 1s, keep: first}]
      outputs: {x.csv: {raw: false, decimals: 3, rotate: 100M, buffer: 5}}
      limits: {count: 5, duration: 1h, min-free: 100M}
      start-paused: true
      """
    let quoted = plain.replacingOccurrences(
      of: #"(: )([a-z0-9]+)([,}\n\]])"#, with: "$1\"$2\"$3", options: .regularExpression)
    XCTAssertNotEqual(quoted, plain)
    XCTAssertEqual(try read(quoted), try read(plain))
  }

  // MARK: Stages

  private func stages(_ text: String) throws -> [StagePlan] {
    try plan("sources: {t: timer:1s}\nstages: \(text)").stages
  }

  func testStages() throws {
    let half = ExactDecimal(significand: 5, exponent: -1)
    let forms: [(String, StagePlan)] = [
      ("dedupe", .dedupe), ("{dedupe: }", .dedupe), ("dedupe: true", .dedupe),
      ("throttle: 1s", .throttle(for: .seconds(1))),
      ("throttle: {interval: 1s, keep: first}", .throttle(for: .seconds(1), latest: false)),
      ("every: 3", .every(3)), ("every: {count: 3}", .every(3)), ("collect: 50", .collect(50)),
      ("collect: 1s", .collect(for: .seconds(1))), ("collect: '50,1s'", .collect(50, orFor: .seconds(1))),
      ("select: imu.x", .select(["imu.x"])), ("select: 'imu.x,METER'", .select(["imu.x", "METER"])),
      ("select: [imu.x, METER]", .select(["imu.x", "METER"])), ("select: {names: ['a,b']}", .select(["a,b"])),
      ("settle: 5ms", .settle(for: .milliseconds(5))),
      ("settle: door=5ms", .settle(for: .milliseconds(5), line: "door")),
      ("settle: {time: 5ms, line: door}", .settle(for: .milliseconds(5), line: "door")), ("pulse-width", .pulseWidth()),
      ("pulse-width: all", .pulseWidth()), ("pulse-width: PWM", .pulseWidth(of: "PWM")),
      ("pulse-width: {line: all}", .pulseWidth(of: "all")), ("frequency: 1s", .frequency(per: .seconds(1))),
      ("frequency: fan=1s", .frequency(per: .seconds(1), line: "fan")),
      ("pulses: METER=0.5:l", .pulses(half, unit: "l", line: "METER")), ("quadrature: 'A,B'", .quadrature("A", "B")),
      ("quadrature: {a: A, b: B, start: -4}", .quadrature("A", "B", start: -4)), ("dht: dht22", .dht(.dht22)),
      ("one-wire", .oneWire()), ("scale: v=0.5", .scale(Scale(channel: "v", gain: half))),
      ("on-change: 0.5", .onChange(half)),
      ("on-change: [a=0.5]", .onChange([("a", half)])), ("where: a > 1", .where(try SluiceStages.Expression("a > 1"))),
      ("while: a > 1", .while(try SluiceStages.Expression("a > 1"))),
      ("around: 'a > 1,10s,0s'", .around(try SluiceStages.Expression("a > 1"), before: .seconds(10), after: nil)),
      ("resample: 1s:linear", .resample(.seconds(1), .linear)), ("reduce: 1m", .reduce(.seconds(60))),
      ("reduce: 1m:max", .reduce(.seconds(60), [.max])),
      ("reduce: {interval: 1m, functions: [max]}", .reduce(.seconds(60), [.max])),
      ("join", .join()), ("join: {rule: exact}", .join(.exact)),
      ("rename: {names: [a=b]}", try XCTUnwrap(.rename(["a=b"]))),
    ]
    XCTAssertEqual(
      Set(forms.map { type(of: $0.1.stage).name }).union([BufferStage.name]), Set(Stages.names))
    for (text, stage) in forms { XCTAssertEqual(try stages("[\(text)]"), [.buffer(), stage], text) }
  }

  /// A recording has the buffer of the command, unless the file says another.
  func testTheBuffer() throws {
    XCTAssertEqual(try plan("sources: {t: timer:1s}").stages, [.buffer()])
    XCTAssertEqual(try stages("[dedupe]"), [.buffer(), .dedupe])
    XCTAssertEqual(try stages("[dedupe, buffer: 5]"), [.dedupe, .buffer(5)])
    XCTAssertEqual(try stages("[buffer]"), [.buffer()])
    XCTAssertEqual(try stages("[buffer: {when-full: fail}]"), [.buffer(whenFull: .fail)])
    XCTAssertEqual(try stages("[buffer: none]"), [])
    XCTAssertEqual(try stages("[buffer: none, dedupe]"), [.dedupe])
    XCTAssertEqual(try stages("[buffer: 0]"), [.buffer(0)])
    XCTAssertEqual(try plan("replay: a.csv").stages, [])
    XCTAssertEqual(try plan("replay: a.csv\nstages: [buffer: 5]").stages, [.buffer(5)])
  }

  func testStagesOfTheProgram() throws {
    try Stages.add(OwnStage.self)
    defer { Stages.remove(OwnStage.self) }
    for text in ["own: {channel: c}", "own: c"] {
      XCTAssertEqual(try stages("[\(text)]"), [.buffer(), StagePlan(OwnStage(channel: "c"))], text)
    }
    let plan = try plan("sources: {t: timer:1s}\nstages: [own: c]")
    XCTAssertTrue(plan.station.contains("- own: c\n"), plan.station)
    XCTAssertEqual(try read(plan.station), plan)
  }

  // MARK: Outputs and the rest

  func testOutputs() throws {
    func outputs(_ text: String) throws -> [OutputPlan] { try plan("sources: {t: timer:1s}\noutputs: \(text)").outputs }
    var slow = OutputPlan("slow.csv")
    (slow.stages, slow.buffer) = ([.every(10)], .init(1_000))
    XCTAssertEqual(try outputs("[a.csv, d/, '-']"), ["a.csv", "d/", "-"].map { OutputPlan($0) })
    for text in [
      "['slow.csv,every=10,buffer=1000']", "[{path: slow.csv, stages: [every: 10], buffer: 1000}]",
      "{slow.csv: {stages: [every: 10], buffer: {size: 1000}}}",
    ] {
      XCTAssertEqual(try outputs(text), [slow], text)
    }
    XCTAssertEqual(
      try outputs("{a.csv: , b.csv: {rotate: '1h,100M', keep: 7d, existing: append, buffer: {}}}"),
      {
        var b = OutputPlan("b.csv", existing: .append)
        b.rotation = .init(size: 100 << 20, period: .seconds(3_600), keep: .init(age: .seconds(7 * 86_400)))
        b.buffer = .init()
        return [OutputPlan("a.csv"), b]
      }())
    XCTAssertEqual(try outputs("{'a,every=2': }").map(\.path), ["a,every=2"])
  }

  func testReplays() throws {
    XCTAssertEqual(try plan("replay: a.csv").replay?.files, ["a.csv"])
    XCTAssertEqual(try plan("replay: [a.csv, b.csv]").replay?.files, ["a.csv", "b.csv"])
    let replay = try XCTUnwrap(plan("replay: {file: a.csv, rate: 2.5, max-gap: 5s, loop: forever}").replay)
    XCTAssertEqual([replay.rate, replay.maxGap?.seconds], [2.5, 5])
    XCTAssertEqual(replay.loop, .forever)
  }

  func testTheRest() throws {
    let plan = try plan(
      """
      name: greenhouse
      sources: {t: timer:1s}
      limits: {duration: 90s, idle-timeout: 30s, grace: 1m, min-free: 100M, max-loss: 0, max-clock-error: 10ms}
      sync: batch
      pause-mode: discard
      start-paused: true
      meta: {site: "Cellar, left wall"}
      """)
    XCTAssertEqual(plan.name, "greenhouse")
    XCTAssertEqual(
      plan.limits,
      .init(
        duration: .seconds(90), idleTimeout: .seconds(30), grace: .seconds(60), minFree: .megabytes(100), maxLoss: 0,
        maxClockError: .milliseconds(10)))
    XCTAssertEqual(plan.sync, .batch)
    XCTAssertEqual(plan.pauseMode, .discard)
    XCTAssertTrue(plan.startPaused)
    XCTAssertEqual(plan.notes, [.init(key: "site", value: "Cellar, left wall")])
  }

  // MARK: Secrets

  func testOnlyAnAddressWithSecretsHasThem() throws {
    OutputKinds.add(SecretOutput.self)
    defer { OutputKinds.remove(SecretOutput.self) }
    let address = "secret://me:${SLUICE_TEST_PASSWORD}@here/$${x}"
    for text in ["[\"\(address)\"]", "{\"\(address)\": {existing: append}}", "[{path: \"\(address)\"}]"] {
      let plan = try plan("sources: {t: timer:1s}\noutputs: \(text)")
      // The secret itself is in no plan, and so in no metadata.
      XCTAssertEqual(plan.outputs[0].path, address)
      XCTAssertEqual(try read(plan.station), plan)
    }
    XCTAssertThrowsError(try plan("sources: {t: timer:1s}\noutputs: [\"secret://${a b}\"]"))
    XCTAssertThrowsError(try plan("sources: {t: timer:1s}\noutputs: [\"other://${A}\"]")) {
      XCTAssertTrue("\($0)".contains("only secrets come from the environment"), "\($0)")
    }
    XCTAssertEqual(try plan("sources: {t: timer:1s}\noutputs: [\"$${A}.csv\"]").outputs[0].path, "${A}.csv")
    XCTAssertEqual(
      try plan("sources: {t: \"exec:sh -c 'echo $$$${A} $B'\"}").sources[0].spec.what, "sh -c 'echo $$${A} $B'")
  }
}

private struct OwnStage: ProcessingStage {
  static let name = "own"
  static let settings = Settings<Self>(.required("channel", \.channel, .text)) { Self(channel: $0) }
  var channel: String

  func processor(for inputs: InputStreams) throws(SluiceError) -> Select { try Select([channel], inputs: inputs) }
}

private struct SecretOutput: OutputKind {
  static let hasSecrets = true
  let address: String

  init?(_ address: String) {
    guard address.hasPrefix("secret://") else { return nil }
    self.address = address
  }

  func claim(
    _ output: RecordingOutput, number: Int, for streams: [StreamDescription], _ claims: inout OutputClaims
  ) throws(SluiceError) -> [ClaimedStore] { [] }
}
