import SluiceReadings
import XCTest

@testable import SluiceDevices
@testable import SluicePipeline

final class ExplanationTests: XCTestCase {
  private let nowhere = DeviceRoots(root: "/nowhere")

  func testAnOutputThatIsNoFile() throws {
    let plan = RecordingPlan(
      sources: [try SourceSpec("timer:1s")],
      outputs: [OutputPlan("http://localhost:8086/write?db=a"), OutputPlan("a.csv"), OutputPlan("-")])
    let text = Explanation(plan, roots: nowhere).text
    #if SLUICE_CURL
      XCTAssertTrue(text.contains("\n  http://localhost:8086/write?db=a (influx)\n"), text)
    #endif
    XCTAssertTrue(text.contains("\n  a.csv (csv), which must not exist\n"), text)
    XCTAssertTrue(text.contains("\n  standard output (csv)\n"), text)
  }

  func testARecording() throws {
    var plan = RecordingPlan(
      input: .sources([
        try SourcePlan("imu=sim:imu@200,every=2"), try SourcePlan("room=iio:bme280,sample-rate=1,reconnect"),
        try SourcePlan("lines:-"),
      ]),
      stages: [.buffer(5_000, whenFull: .fail), .throttle(for: .seconds(1), latest: false)],
      outputs: [OutputPlan("a.csv", existing: .append), OutputPlan("b.jsonl")])
    plan.name = "greenhouse"
    plan.outputs[0].rotation = .init(period: .seconds(3_600), keep: .init(age: .seconds(7 * 86_400)))
    plan.outputs[1].stages = [.reduce(.seconds(60), [.mean])]
    plan.outputs[1].buffer = .init(100)
    plan.limits = .init(
      duration: .seconds(5_400), minFree: .megabytes(100), maxLoss: 0, maxClockError: .milliseconds(10))
    plan.startPaused = true
    XCTAssertEqual(
      Explanation(plan, roots: nowhere).text,
      """
      The recording "greenhouse" reads 3 sources:
        imu: sim:imu@200: 200 readings/s
          then every (count 2)
        room: iio:bme280: 1 reading/s, with reconnect, sample-rate
        lines:-: readings as they come
      All readings pass:
        a buffer for each stream of 5,000 readings; the recording fails when it is full
        throttle (interval 1s, keep first)
      They are written to:
        a.csv (csv), to which it is appended; a new part begins after 1h, and 7d of old parts are kept
        b.jsonl (jsonl), which must not exist
          then reduce (interval 60s, functions mean)
          then a buffer of 100 readings of its own
      It ends after 90m, or when less than 100M is free on the disk of an output, or when it is stopped.
      It begins paused.
      It does not begin if the wall clock may be wrong by more than 10ms.
      It has failed if a reading is lost.

      Loss budget: the outputs (their disk is full or slow) or this program may stand still, or a pause may last, for at
      least this long before a reading is lost.

        source   readings/s  the kernel keeps  the buffer keeps  outputs                            \
      a pause                            this program
        imu      200         1,024             5,000             50.00 s                            \
      50.00 s                            5.11 s
        room     1           1,024             5,000             1 h 23 min                         \
      1 h 23 min                         17 min 3 s
        lines:-  unknown     the sender waits  5,000             5,000 readings: 5.00 s at 1,000/s  \
      5,000 readings: 5.00 s at 1,000/s  any time
      b.jsonl has a buffer of its own, and may stand still alone: imu 1 h 40 min, room 1 h 40 min, lines:- 1 h 40 min.
      If one output waits for its disk while another takes readings, the first keeps 1 MB of rows, and then misses readings.
      Nobody knows how fast events come: a time "at 1,000/s" assumes 1,000 readings per second.

      """)
  }

  func testWhereReadingsWaitOnTheDisk() throws {
    var plan = RecordingPlan(
      input: .sources([try SourcePlan("sim:imu@200")]), stages: [.buffer(500, whenFull: .spill)],
      outputs: [OutputPlan("d/a.csv")])
    XCTAssertTrue(
      Explanation(plan, roots: nowhere).text.contains(
        "\n    when the buffer is full, and in a pause, readings wait on the disk in d/a.csv-spill, 1G at most\n"))
    plan.stages = [.buffer(500)]
    plan.pauseMode = .spill
    plan.spill = SpillPlan(folder: "/mnt/stick", size: ByteSize(bytes: 64 << 20))
    XCTAssertTrue(
      Explanation(plan, roots: nowhere).text.contains(
        "\n    in a pause, readings wait on the disk in /mnt/stick/a.csv-spill, 64M at most\n"))
  }

  func testAReplay() {
    var replay = ReplayPlan("walk.csv", rate: 1)
    replay.files = ["walk.csv", "b.csv"]
    let plan = RecordingPlan(replay: replay, stages: [.every(2)], outputs: [OutputPlan("-")])
    XCTAssertEqual(
      Explanation(plan, roots: nowhere).text,
      """
      The replay reads walk.csv, b.csv, as fast as recorded.
      All readings pass:
        every (count 2)
      They are written to:
        standard output (csv)
      It ends with the trace.

      A replay waits for its outputs, and loses nothing.

      """)
  }

  func testWithoutABuffer() throws {
    let plan = RecordingPlan(sources: [try SourceSpec("timer:10ms")], outputs: [OutputPlan("x.db")])
    let text = Explanation(plan, roots: nowhere).text
    XCTAssertTrue(text.contains("No buffer: while an output waits, nothing but the kernel keeps readings.\n"), text)
    XCTAssertTrue(
      text.contains("  timer:10ms  100         nothing           nothing           10 ms    10 ms    10 ms\n"), text)
  }
}
