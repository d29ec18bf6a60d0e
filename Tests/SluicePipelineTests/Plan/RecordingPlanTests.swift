import SluiceDevices
import SluiceReadings
import SluiceRecording
import SluiceStages
import XCTest

@testable import SluicePipeline

final class RecordingPlanTests: XCTestCase {
  private func plan(_ text: String) throws -> RecordingPlan {
    try RecordingPlan(json: Array(text.utf8), name: "test.json")
  }

  private func assertRoundTrip(_ plan: RecordingPlan, line: UInt = #line) throws {
    let again = try self.plan(plan.text)
    XCTAssertEqual(again, plan, line: line)
    XCTAssertEqual(again.hashValue, plan.hashValue, line: line)
    XCTAssertEqual(again.text, plan.text, line: line)
    XCTAssertEqual(try self.plan(plan.json.text), plan, line: line)
    XCTAssertNoThrow(try plan.validate(), line: line)
  }

  private func sources(_ texts: String...) throws -> RecordingPlan {
    RecordingPlan(sources: try texts.map { try SourceSpec($0) }, outputs: [OutputPlan("x.csv")])
  }

  // MARK: Round trips

  func testEveryKindOfSource() throws {
    let texts = [
      "METER=gpio:gpiochip0:3,4", "gpio-name:METER,DOOR", "gpio-values:gpiochip0:3,4@10ms",
      "walk=iio:bmi160:accel_x,accel_y", "iio:iio:device0", "iio-events:adxl345:a=300,b=-1.5", "poll:/a,b/c@1s",
      "poll:thermal:cpu-thermal@1.5s", "timer:10ms", "m=sim:meter@20,seed=7,gaps=5", "sim:imu",
      "input:gpio-keys:KEY_ENTER,KEY_A", "input:/dev/input/event0", "pps:0",
      "bus=can:can0,dbc=car.dbc,id=123+18FF0000/1FFF0000,fd,clock=hardware", "can:can1",
      "lines:-,as=csv", "serial:/dev/ttyUSB0@115200,dtr=off", "exec:python3 'a b.py'", "tcp:meter.local:3000",
      "udp:8094,time=utc", "marks:number",
    ]
    let specs = try texts.map { try SourceSpec($0) }
    XCTAssertEqual(Set(specs.map { $0.kind.name }), Set(SourceKinds.names))
    try assertRoundTrip(RecordingPlan(sources: specs, outputs: [OutputPlan("x.csv")]))
    XCTAssertEqual(specs[5].what, "adxl345:a=300,b=-1.5")
    XCTAssertEqual(specs[9].what, "meter@20,seed=7,gaps=5")
    XCTAssertEqual(try SourceSpec("iio:c:a,reconnect,b,length=5,d").what, "c:a,b,d")
  }

  func testEverySetting() throws {
    let values: [SourceSettings.Key: String] = [
      .edges: "rising", .bias: "pull-up", .activeLow: "true", .debounce: "1500us", .fifo: "64", .eventClock: "hte",
      .initialLevel: "false", .consumer: "a \"b\"", .reconnect: "true", .sampleRate: "400.50", .trigger: "hrtimer:t",
      .watermark: "50", .latency: "7ns", .length: "1048576", .si: "true",
    ]
    XCTAssertEqual(Set(values.keys), Set(SourceSettings.Key.all))
    for kind in SourceKinds.all {
      for key in kind.keys {
        let spec = try SourceSpec("\(kind.name):\(kind.example),\(key.name)=\(values[key] ?? "")")
        let plan = RecordingPlan(sources: [spec], outputs: [OutputPlan("x.csv")])
        XCTAssertTrue(plan.text.contains("\"\(key.name)\": "), plan.text)
        try assertRoundTrip(plan)
      }
    }
  }

  func testEveryStage() throws {
    let half = ExactDecimal(significand: 5, exponent: -1)
    let stages: [StagePlan] = [
      .select(["imu.x", "METER"]), .settle(for: .milliseconds(5)), .settle(for: .milliseconds(5), line: "door"),
      .pulseWidth(),
      .pulseWidth(of: "PWM"), .frequency(per: .seconds(1)), .frequency(per: .seconds(1), line: "fan"),
      .pulses(half), .pulses(half, unit: "l", line: "METER"), .quadrature("A", "B"),
      .quadrature("A", "B", stream: "knob"), .dht(.dht22), .dht(.dht11, line: "SDA"), .oneWire(), .oneWire(of: "DQ"),
      .scale(Scale(channel: "v", gain: half)), .scale(Scale(channel: "v", gain: half, offset: half, unit: "bar")),
      .while(try Expression("a > 1")), .rename(["window=w"])!,
      .around(try Expression("a > 1"), before: .seconds(10), after: nil), .rename(["imu.window=imu.v"])!,
      .around(try Expression("a > 1"), before: nil, after: .milliseconds(1)),
      .where(try Expression("a > 1")), .dedupe, .onChange(half), .onChange([("a", half), ("b", .zero)]),
      .resample(.seconds(1)), .resample(.seconds(1), .linear), .reduce(.seconds(60)), .reduce(.seconds(60), [.max]),
      .join(), .join(.wait), .rename(["x=y"])!,
      .collect(50, orFor: .seconds(1)), .collect(1), .collect(for: .nanoseconds(7)), .throttle(for: .milliseconds(100)),
      .throttle(for: .milliseconds(1_500), latest: false), .every(2), .buffer(), .buffer(0), .buffer(1_000_000_000),
      .buffer(10, whenFull: .dropNewest), .buffer(whenFull: .fail),
    ]
    XCTAssertEqual(Set(stages.map { type(of: $0.stage).name }), Set(Stages.names))
    try assertRoundTrip(
      RecordingPlan(sources: [SourceSpec("timer:1ms")], stages: stages, outputs: [OutputPlan("x.csv")]))
  }

  func testEverythingElse() throws {
    var plan = try sources("timer:1ms")
    for existing in [ExistingFile.refuse, .append, .overwrite] {
      for layout in [nil, CSVLayout.wide, .long] {
        plan.outputs.append(
          OutputPlan("\(existing)\(plan.outputs.count)/", format: "csv", layout: layout, existing: existing, raw: true))
      }
    }
    for time in RowTime.allCases { plan.outputs.append(OutputPlan("\(time).csv", time: time, decimals: 18)) }
    plan.outputs.append(OutputPlan("-"))
    for (number, rotation) in [
      Rotation(size: 1), Rotation(size: 100 << 20, keep: Retention(parts: 1)),
      Rotation(period: .seconds(3_600), keep: Retention(age: .seconds(7 * 86_400), bytes: 10 << 30, parts: 100)),
      Rotation(size: 1_536, period: .nanoseconds(1), keep: Retention(bytes: 1_536)),
    ].enumerated() {
      plan.outputs.append(OutputPlan("parts\(number).csv", existing: .append, rotation: rotation))
    }
    plan.limits = RecordingPlan.Limits(
      duration: TimeSpan("1.5h"), count: .max, idleTimeout: .nanoseconds(.max),
      grace: .nanoseconds(1), minFree: .bytes(.max), maxLoss: 0, maxClockError: .milliseconds(10))
    plan.pauseMode = .discard
    plan.startPaused = true
    plan.notes = [.init(key: "site", value: "Cellar, left \"wall\"\n\u{1}é"), .init(key: "a", value: "")]
    for sync in [nil, SyncPolicy.batch, .never, .every(.seconds(1)), .every(.milliseconds(2_500))] {
      plan.sync = sync
      try assertRoundTrip(plan)
    }
  }

  func testReplays() throws {
    for rate in [nil, 0.1, 1, 2.5, 1e-300, 1e300, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 0.1 + 0.2] {
      for unit in TraceFormat.Unit.allCases {
        var replay = ReplayPlan(
          "walk/",
          format: TraceFormat(timeColumn: unit.rawValue, timeUnit: unit, columns: ["a, b", "2"], dbc: "car.dbc"),
          times: rate == nil ? .corrected : .recorded, rate: rate, from: .after(.nanoseconds(1)), duration: .seconds(3))
        replay.skipsBad = unit == .iso8601
        var plan = RecordingPlan(replay: replay, outputs: [OutputPlan("-")])
        plan.limits.maxLoss = 3
        try assertRoundTrip(plan)
      }
    }
    var table = ReplayPlan("a.csv")
    (table.format.timeFormat, table.format.date, table.format.timezone) = ("%d.%m.%Y", "2024-03-14", "Europe/Berlin")
    (table.format.skippedLines, table.format.columnNames) = (3, ["a", "b"])
    (table.shifts, table.startsTogether) = (["a.csv-50ms"].compactMap { TraceShift($0) }, true)
    try assertRoundTrip(RecordingPlan(replay: table, outputs: [OutputPlan("-")]))
    (table.format.timeFormat, table.format.date, table.format.timezone) = (nil, nil, nil)
    for period in ["10ms", "44.1kHz", "3Hz", "0.7mHz"] {
      table.format.period = RowPeriod(period)
      XCTAssertNotNil(table.format.period)
      try assertRoundTrip(RecordingPlan(replay: table, outputs: [OutputPlan("-", format: "excel-de")]))
    }
    for loop in [ReplayLoop.once, .rounds(7), .forever] {
      var replay = ReplayPlan("walk/", rate: 2)
      (replay.maxGap, replay.reorder, replay.loop) = (.seconds(5), .milliseconds(50), loop)
      try assertRoundTrip(RecordingPlan(replay: replay, outputs: [OutputPlan("-")]))
    }
    XCTAssertEqual(
      RecordingPlan(replay: ReplayPlan("-"), outputs: [OutputPlan("-")]).json.text,
      #"{"version": 1, "replay": {"file": "-"}, "outputs": [{"path": "-"}]}"#)
  }

  // MARK: Text

  func testKeysComeInTheirOrderAndDefaultsAreLeftOut() throws {
    var plan = try sources("walk=iio:bmi160:accel_x,reconnect,sample-rate=400", "gpio:c:1,active-low,edges=both")
    plan.stages = [
      .buffer(1_000, whenFull: .fail), .throttle(for: .milliseconds(100)), .collect(50, orFor: .seconds(1)), .every(2),
    ]
    plan.outputs = [OutputPlan("walk.csv", layout: .long), OutputPlan("walk.db", existing: .append)]
    plan.limits = RecordingPlan.Limits(duration: TimeSpan("1.5m"), count: 1_000)
    plan.notes = [.init(key: "site", value: "Cellar")]
    plan.startPaused = true
    plan.pauseMode = .discard
    XCTAssertEqual(
      plan.text,
      """
      {
        "version": 1,
        "sources": [
          {
            "kind": "iio",
            "what": "bmi160:accel_x",
            "name": "walk",
            "sample-rate": "400",
            "reconnect": true
          },
          {"kind": "gpio", "what": "c:1", "edges": "both", "active-low": true}
        ],
        "stages": [
          {"stage": "buffer", "size": 1000, "when-full": "fail"},
          {"stage": "throttle", "interval": "100ms"},
          {"stage": "collect", "count": 50, "interval": "1s"},
          {"stage": "every", "count": 2}
        ],
        "outputs": [{"path": "walk.csv", "layout": "long"}, {"path": "walk.db", "existing": "append"}],
        "limits": {"duration": "90s", "count": 1000},
        "pause-mode": "discard",
        "start-paused": true,
        "meta": [{"key": "site", "value": "Cellar"}]
      }
      """)
  }

  func testDefaultsMayBeSaid() throws {
    let written = try plan(
      """
      {"version": 1, "sources": [{"what": "1ms", "kind": "timer", "name": null}], "replay": null, "limits": {},
       "stages": [{"stage": "throttle", "keep": "latest", "interval": "1000us"},
                  {"when-full": "drop-oldest", "stage": "buffer", "size": null}],
       "outputs": [{"path": "x.csv", "existing": "refuse", "raw": false, "format": null}],
       "pause-mode": "hold", "start-paused": false, "meta": []}
      """)
    var plan = try sources("timer:1ms")
    plan.stages = [.throttle(for: .milliseconds(1)), .buffer()]
    XCTAssertEqual(written, plan)
  }

  func testAValueMayBeATextANumberOrAFlag() throws {
    let plans = try [
      #""sample-rate": 400, "watermark": 50, "length": 8, "reconnect": true"#,
      #""sample-rate": "400", "watermark": "50", "length": "8", "reconnect": "true""#,
    ].map { settings in
      try plan(
        #"{"version": 1, "sources": [{"kind": "iio", "what": "a", \#(settings)}], "outputs": [{"path": "x"}]}"#)
    }
    XCTAssertEqual(plans[0], plans[1])
    XCTAssertEqual(
      plans[0].sources, [try SourcePlan("iio:a,sample-rate=400,watermark=50,length=8,reconnect=true")])
    let limits = try plan(
      #"{"version": "1", "replay": {"file": "a", "rate": "2.5"}, "outputs": [{"path": "x", "raw": "true"}]}"#)
    XCTAssertEqual(limits.replay?.rate, 2.5)
    XCTAssertTrue(limits.outputs[0].raw)
    XCTAssertNil(
      try plan(#"{"version": 1, "replay": {"file": "a", "rate": "max"}, "outputs": [{"path": "x"}]}"#).replay?.rate)
  }

  func testNumbersKeepTheirDigits() throws {
    func rate(_ digits: String) throws -> String? {
      try plan(
        #"{"version": 1, "sources": [{"kind": "iio", "what": "a", "sample-rate": \#(digits)}], "outputs": [{"path": "x"}]}"#
      ).sources[0].spec.settings.sampleRate
    }
    for digits in [
      "9223372036854775807", "9007199254740993", "18446744073709551615", "12345678901234567.890123456789", "0.1",
      "0.30000000000000004",
    ] {
      XCTAssertEqual(try rate(digits), digits)
    }
    let count = try plan(
      #"{"version": 1, "sources": [{"kind": "timer", "what": "1s"}], "outputs": [{"path": "x"}], "limits": {"count": 9007199254740993}}"#
    )
    XCTAssertEqual(count.limits.count, 9_007_199_254_740_993)
  }

  func testANewBufferIsThatOfTheCommand() {
    XCTAssertEqual(StagePlan.buffer(), StagePlan(BufferStage()))
    XCTAssertNotEqual(StagePlan.buffer(), .buffer(1))
    XCTAssertNotEqual(StagePlan.buffer(1), .every(1))
  }
}
