import SluiceRecording
import XCTest

@testable import SluicePipeline
@testable import SluiceTool

final class PrintPlanTests: CommandTestCase {
  private func plan(_ line: String) throws -> RecordingPlan {
    let parsed = try parsed(line.split(separator: " ").map(String.init))
    return try XCTUnwrap(
      (parsed as? RecordCommand)?.recordingPlan() ?? (parsed as? ReplayCommand)?.recordingPlan()
        ?? (parsed as? ConvertCommand)?.recordingPlan())
  }

  func testAPlanIsPrintedAndNothingIsOpened() throws {
    try write("there.csv", "mine")
    for line in ["record gpio:gpiochip99:3 -o there.csv", "record timer:1ms -o new/", "replay none.csv -o -"] {
      let printed = try run("plan json \(line)")
      XCTAssertEqual(printed, try plan(line).text + "\n")
      XCTAssertEqual(try RecordingPlan(json: Array(printed.utf8), name: line), try plan(line))
    }
    XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: folder), ["there.csv"])
    XCTAssertEqual(try rows("there.csv"), ["mine"])
  }

  func testEveryOptionOfARecordingIsInItsPlan() throws {
    let said = try plan(
      """
      record a=gpio:c:1,edges=rising iio:b timer:1ms --edges both --bias disabled --active-low --debounce 5ms --fifo 64 \
      --event-clock realtime --initial-level --consumer me --reconnect --sample-rate 100 --trigger t --latency 5ms \
      --length 64 --duration 90s --count 5 --idle-timeout 30s --max-clock-error 20ms --pause-mode discard --start-paused --buffer 7 \
      --when-full fail --every 2 --throttle 1s --first --collect 50,2s -o x.csv --layout long --force --raw \
      --meta site=Cellar --meta b=c=d --max-loss 3 --grace 1m --min-free 100M \
      --sync 5s
      """)
    var plan = RecordingPlan(
      sources: [
        try SourceSpec(
          "a=gpio:c:1,edges=rising,bias=disabled,active-low,debounce=5ms,fifo=64,event-clock=realtime,initial-level,consumer=me,reconnect"
        ),
        try SourceSpec("iio:b,sample-rate=100,trigger=t,latency=5ms,length=64,reconnect"),
        try SourceSpec("timer:1ms"),
      ],
      stages: [
        .buffer(7, whenFull: .fail), .every(2), .throttle(for: .seconds(1), latest: false),
        .collect(50, orFor: .seconds(2)),
      ],
      outputs: [OutputPlan("x.csv", layout: .long, existing: .overwrite, raw: true)])
    plan.limits = RecordingPlan.Limits(
      duration: .seconds(90), count: 5, idleTimeout: .seconds(30), grace: .seconds(60), minFree: .megabytes(100),
      maxLoss: 3, maxClockError: .milliseconds(20))
    plan.sync = .every(.seconds(5))
    plan.pauseMode = .discard
    plan.startPaused = true
    plan.notes = [.init(key: "site", value: "Cellar"), .init(key: "b", value: "c=d")]
    XCTAssertEqual(said, plan)
  }

  /// Parts are never overwritten, so that `--force` is not among these.
  func testPartsAreInAPlan() throws {
    let said = try plan(
      "record timer:1ms -o x.csv -o d/ --append --rotate 1h,100M --keep 7d,10G,100parts --sync batch")
    let rotation = Rotation(
      size: 100 << 20, period: .seconds(3_600),
      keep: Retention(age: .seconds(7 * 86_400), bytes: 10 << 30, parts: 100))
    var plan = RecordingPlan(
      sources: [try SourceSpec("timer:1ms")], stages: [.buffer()],
      outputs: ["x.csv", "d/"].map { OutputPlan($0, existing: .append, rotation: rotation) })
    plan.sync = .batch
    XCTAssertEqual(said, plan)
    XCTAssertTrue(plan.text.contains(#""rotate": "3600s,100M""#), plan.text)
    XCTAssertTrue(plan.text.contains(#""keep": "604800s,10G,100parts""#), plan.text)
    XCTAssertEqual(try self.plan("replay x -o y --sync none").sync, .never)
  }

  func testEveryOptionOfAReplayIsInItsPlan() throws {
    let said = try plan(
      """
      replay walk/ --time-column t --time-unit ms --rate 2.5 --from 1s --duration 5s --collect 5 -o - --max-loss 0 \
      --max-gap 10s --reorder 50ms --loop 3
      """)
    var replay = ReplayPlan(
      "walk/", format: TraceFormat(timeColumn: "t", timeUnit: .milliseconds), rate: 2.5, from: .after(.seconds(1)),
      duration: .seconds(5))
    (replay.maxGap, replay.reorder, replay.loop) = (.seconds(10), .milliseconds(50), .rounds(3))
    var plan = RecordingPlan(replay: replay, stages: [.collect(5)], outputs: [OutputPlan("-")])
    plan.limits.maxLoss = 0
    XCTAssertEqual(said, plan)
  }

  func testColumnsAndBadRowsAreInThePlan() throws {
    let said = try plan("replay x.csv --columns temp,3 --time-column 2 --time-unit iso --skip-bad -o y.csv")
    var replay = ReplayPlan(
      "x.csv", format: TraceFormat(timeColumn: "2", timeUnit: .iso8601, columns: ["temp", "3"]))
    replay.skipsBad = true
    XCTAssertEqual(said, RecordingPlan(replay: replay, outputs: [OutputPlan("y.csv")]))
    XCTAssertEqual(
      said.json.text,
      #"{"version": 1, "replay": {"file": "x.csv", "time-column": "2", "time-unit": "iso", "columns": ["temp", "3"], "#
        + #""skip-bad": true}, "outputs": [{"path": "y.csv"}]}"#)
    XCTAssertThrowsError(try plan("replay x.csv --columns a,,b -o y.csv"))
  }

  func testTheLayoutOfScansIsInThePlan() throws {
    let said = try plan("replay x.bin --scan-layout a=le:s12/16>>4,b=be:u8/8>>0 --sample-rate 400 -o y.csv")
    var replay = ReplayPlan("x.bin")
    replay.scans = try RawScans("a=le:s12/16>>4,b=be:u8/8>>0", sampleRate: "400")
    XCTAssertEqual(said, RecordingPlan(replay: replay, outputs: [OutputPlan("y.csv")]))
    XCTAssertThrowsError(try plan("replay x.bin --sample-rate 400 -o y.csv"))
  }

  func testTheBufferIsThatOfTheCommand() throws {
    XCTAssertEqual(try plan("record timer:1s -o x").stages, [.buffer()])
    XCTAssertEqual(try plan("record timer:1s -o x --when-full fail").stages, [.buffer(whenFull: .fail)])
    XCTAssertEqual(try plan("record timer:1s -o x --buffer 0").stages, [])
    XCTAssertEqual(try plan("record timer:1s -o x --buffer 5").stages, [.buffer(5)])
    XCTAssertEqual(try plan("replay x -o y").stages, [])
    XCTAssertEqual(try plan("replay x -o y --buffer 5").stages, [.buffer(5)])
    XCTAssertEqual(try plan("replay x -o y --buffer 0").stages, [])
  }
}
