import Foundation
import Sluice
import SluiceReadings
import SluiceRecording
import TestFiles
import XCTest

@testable import SluicePipeline

final class RecordingTests: XCTestCase {
  private lazy var folder = temporaryFolder()

  private func plan(_ source: String, _ outputs: String...) throws -> RecordingPlan {
    RecordingPlan(
      sources: [try SourceSpec(source)], stages: [.buffer()], outputs: outputs.map { OutputPlan("\(folder)/\($0)") })
  }

  func testItHasAnAccountMeanwhileAndInTheEnd() throws {
    var plan = try plan("sim:meter@500,seed=1", "a.csv", "a.jsonl")
    plan.limits.count = 100
    let recording = try Recording(plan)
    XCTAssertEqual(recording.account.received, 0)
    recording.start()
    recording.start()
    let account = recording.wait()
    XCTAssertEqual([account.received, account.written, account.unaccounted], [100, 100, 0])
    XCTAssertEqual(account.outputs.map(\.format), ["csv", "jsonl"])
    XCTAssertEqual(recording.account, account)
    XCTAssertEqual(recording.wait(), account)
    XCTAssertEqual(
      recording.plan.stages, [.buffer(recording.plan.stages[0].stage.capacity)], "with the size that it has")
  }

  /// From any thread, at any time.
  func testItMayBeStoppedBeforeItStarts() throws {
    for source in ["timer:1ms", "sim:imu"] {
      let recording = try Recording(plan(source, "\(source.prefix(3)).csv"))
      recording.stop()
      recording.start()
      XCTAssertEqual(recording.wait().unaccounted, 0)
    }
  }

  func testOneThatIsNotStartedLeavesNothing() throws {
    _ = try Recording(plan("sim:meter", "a.csv", "new/"))
    XCTAssertEqual(folder.files, [])
  }

  // MARK: Free space

  func testItDoesNotBeginWithoutTheFreeSpaceThatIsAskedFor() throws {
    var plan = try plan("sim:meter", "new/", "a.csv")
    plan.limits.minFree = .megabytes(100)
    var context = RecordingContext()
    context.freeSpace = { $0.hasSuffix("a.csv") ? 100 << 20 - 1 : 100 << 20 }
    XCTAssertThrowsError(try Recording(plan, context)) {
      XCTAssertEqual(
        "\($0)",
        "cannot write \(folder)/a.csv: less than 100M is free for it; make room, or write to another disk")
    }
    XCTAssertEqual(folder.files, [])
    // Who does not know does not refuse.
    context.freeSpace = { _ in nil }
    plan.limits.count = 1
    plan.input = .sources([try SourcePlan("timer:1ms")])
    let recording = try Recording(plan, context)
    recording.start()
    XCTAssertEqual(recording.wait().errors, [])
  }

  /// What was received by then is written.
  func testItStopsBeforeTheDiskIsFull() throws {
    var plan = try plan("timer:1ms", "a.csv")
    plan.limits.minFree = .megabytes(100)
    let isFull = StopFlag()
    var context = RecordingContext()
    context.freeSpace = { _ in isFull.isRaised ? 0 : .max }
    let recording = try Recording(plan, context)
    recording.start()
    isFull.raise()
    let account = recording.wait()
    XCTAssertEqual(
      account.errors,
      ["cannot go on with \(folder)/a.csv: less than 100M is free for it; make room, and start the recording again"])
    XCTAssertTrue(account.wasStopped)
    XCTAssertGreaterThan(account.written, 0)
    XCTAssertEqual([account.written, account.unwritten, account.unaccounted], [account.received, 0, 0])
  }

  func testAPipeFillsNoDisk() throws {
    var plan = RecordingPlan(sources: [try SourceSpec("timer:1ms")], outputs: [OutputPlan("/dev/null", format: "csv")])
    plan.limits.minFree = .megabytes(100)
    plan.limits.count = 3
    var context = RecordingContext()
    context.freeSpace = { _ in 0 }
    let recording = try Recording(plan, context)
    recording.start()
    XCTAssertEqual(recording.wait().errors, [])
  }

  func testTheSystemKnowsWhatIsFree() {
    XCTAssertGreaterThan(FreeSpace.system(folder.path) ?? 0, 0)
    XCTAssertEqual(FreeSpace.system("\(folder)/new.csv") == nil, false, "by its folder")
    XCTAssertEqual(FreeSpace.system("\(folder)/new/") == nil, false)
    XCTAssertNil(FreeSpace.system("\(folder)/none/new.csv"))
  }

  func testWhatCannotBeDoneIsSaidBeforeAnythingIsMade() throws {
    var wrong = try plan("sim:meter", "a.csv")
    wrong.limits.count = 0
    XCTAssertThrowsError(try Recording(wrong)) {
      XCTAssertEqual("\($0)", "cannot use the plan: limits.count takes a whole number of 1 or more, not 0")
    }
    XCTAssertThrowsError(try Recording(plan("sim:meter", "none/a.csv"))) {
      XCTAssertEqual(($0 as? SluiceError)?.code, .notFound)
    }
    XCTAssertEqual(folder.files, [])
  }

  // MARK: The clock

  private let hour: Int64 = 3_600_000_000_000

  /// Of files and databases.
  private func metadata(_ name: String) throws -> TraceMetadata {
    let path = "\(folder)/\(name)"
    guard name.hasSuffix(".db") else { return try XCTUnwrap(TraceMetadata(beside: path), name) }
    return try XCTUnwrap(TraceReader(path: path, kinds: Traces.all).metadata, name)
  }

  private func rows(_ name: String) throws -> [Reading] {
    let reader = try TraceReader(path: "\(folder)/\(name)", kinds: Traces.all)
    var readings: [Reading] = []
    while let reading = try reader.next() { readings.append(reading) }
    return readings
  }

  #if SLUICE_SQLITE
    private let files = ["a.csv", "a.jsonl", "a.vcd", "a.db"]
  #else
    private let files = ["a.csv", "a.jsonl", "a.vcd"]
  #endif

  private func recording(
    _ clocks: FakeClocks, _ files: [String], count: Int? = nil, maxClockError: TimeSpan? = nil
  ) throws -> Recording {
    var context = RecordingContext()
    context.clocks = clocks
    var plan = RecordingPlan(
      sources: [try SourceSpec("timer:1ms")], stages: [.buffer()],
      outputs: files.map { OutputPlan("\(folder)/\($0)", existing: $0.hasSuffix("vcd") ? .refuse : .append) })
    (plan.limits.count, plan.limits.maxClockError) = (count, maxClockError)
    return try Recording(plan, context)
  }

  /// Its rows go on where they were. A run that is killed then has said it.
  func testTheMetadataOfARunSaysThatTheClockWasSet() throws {
    let clocks = FakeClocks(monotonic: SystemClocks().monotonic, isSynchronised: false)
    let recording = try recording(clocks, files)
    recording.start()
    for name in files {
      let clocks = try XCTUnwrap(metadata(name).runs.last?.clocks)
      XCTAssertEqual(clocks.isSynchronised, false)
      XCTAssertEqual(clocks.changes, [])
    }
    let (began, offset) = (clocks.realtime, clocks.realtime - clocks.monotonic)
    clocks.set(hour)
    for name in files {
      let metadata = try metadata(name)
      XCTAssertEqual(metadata.state, .unfinished, name)
      XCTAssertEqual(
        metadata.runs.last?.clocks,
        .init(
          began: began, offset: offset, isSynchronised: false,
          changes: [.init(time: began, cause: .set, offset: offset + hour)]), name)
    }
    recording.stop()
    XCTAssertEqual(recording.wait().losses.filter { !$0.countsReadings }, [])
    for name in files {
      let metadata = try metadata(name)
      XCTAssertEqual(metadata.state, .finished)
      XCTAssertEqual(metadata.runs.last?.clocks?.changes.map(\.cause), [.set], name)
      XCTAssertEqual(metadata.runs.count, 1)
    }
  }

  // MARK: The errors of the clock

  private func quality(_ error: Int64, isSynchronised: Bool = true) -> TraceMetadata.ClockQuality {
    .init(isSynchronised: isSynchronised, maxError: error, estimatedError: 1_000)
  }

  func testTheMetadataHasTheErrorsOfTheClock() throws {
    let clocks = FakeClocks(monotonic: SystemClocks().monotonic, isSynchronised: true)
    clocks.quality = quality(2_000_000)
    let recording = try recording(clocks, files)
    recording.start()
    clocks.quality = quality(5_000_000)
    clocks.set(hour)
    clocks.quality = quality(3_000_000)
    recording.stop()
    recording.wait()
    for name in files {
      let clocks = try XCTUnwrap(metadata(name).runs.last?.clocks)
      XCTAssertEqual(clocks.errors, .init(greatest: 2_000_000, estimated: 1_000), name)
      XCTAssertEqual(clocks.changes.map(\.errors), [.init(greatest: 5_000_000, estimated: 1_000)], name)
      XCTAssertEqual(clocks.errorsAtEnd, .init(greatest: 3_000_000, estimated: 1_000), name)
      XCTAssertEqual(clocks.excesses, [], name)
    }
  }

  func testAClockThatIsNotGoodEnoughIsRefused() throws {
    let clocks = FakeClocks(isSynchronised: true)
    for (quality, cause) in [
      (nil, "the system does not say"), (quality(1, isSynchronised: false), "the wall clock is not synchronised"),
      (quality(10_001_000), "the wall clock may be wrong by 10.00 ms"),
    ] as [(TraceMetadata.ClockQuality?, String)] {
      clocks.quality = quality
      XCTAssertThrowsError(try recording(clocks, ["a.csv"], maxClockError: .milliseconds(10))) {
        XCTAssertTrue("\($0)".hasPrefix("cannot keep --max-clock-error 10ms: \(cause)"), "\($0)")
      }
    }
    XCTAssertEqual(folder.files, [], "nothing was made")
    XCTAssertNoThrow(try recording(clocks, ["a.csv"]))
  }

  func testItIsSaidOnceThatTheClockIsWorseThanAllowed() throws {
    let clocks = FakeClocks(monotonic: SystemClocks().monotonic, isSynchronised: true)
    clocks.quality = quality(10_000_000)
    let recording = try recording(clocks, files, maxClockError: .milliseconds(10))
    let said = Locked<[String]>([])
    let messages = recording.events.sink { event in
      if event.kind.level == .warning, let text = event.kind.text { said.withLock { $0.append(text) } }
    }
    defer { messages.cancel() }
    recording.start()
    for error: Int64 in [20_000_000, 1_000_000, 30_000_000] {
      clocks.quality = quality(error)
      // The kernel's timer lets it look.
      clocks.set(0)
    }
    recording.stop()
    recording.wait()
    XCTAssertEqual(
      said.withLock { $0 },
      [
        "the wall clock may be wrong by 20.00 ms, more than --max-clock-error allows; such times are flagged, and the "
          + "metadata says when it was"
      ])
    for name in files {
      let excesses = try XCTUnwrap(metadata(name).runs.last?.clocks).excesses
      XCTAssertEqual(excesses.map(\.greatest), [20_000_000, 30_000_000], name)
      XCTAssertEqual(excesses.map { $0.to == nil }, [false, true], name)
    }
  }

  func testASuspendIsALoss() throws {
    let clocks = FakeClocks(monotonic: SystemClocks().monotonic, isSynchronised: true)
    let recording = try recording(clocks, ["a.csv"], count: 10)
    recording.start()
    let times = [clocks.realtime, clocks.realtime + 5]
    clocks.suspend(hour)
    clocks.set(0)
    clocks.pass(5)
    // Seen at the end.
    clocks.suspend(hour)
    let losses = recording.wait().losses.filter { !$0.countsReadings }
    XCTAssertEqual(
      losses,
      [
        Loss(
          streams: ["timer 1ms"], reason: "times the machine was suspended", count: 2, first: times[0], last: times[1],
          countsReadings: false, isUncounted: true, phrase: "the machine was suspended 2 times")
      ])
    let metadata = try metadata("a.csv")
    let loss = try XCTUnwrap(metadata.losses?.last)
    XCTAssertEqual([loss.first, loss.last], times)
    XCTAssertEqual(loss.reason, "times the machine was suspended")
    XCTAssertEqual(loss.count, 2)
    XCTAssertFalse(loss.countsReadings)
    XCTAssertTrue(loss.isUncounted)
    XCTAssertEqual(metadata.runs.last?.clocks?.changes.map(\.suspended), [hour, hour])
  }

  /// Two runs into one file: the clock was wrong when the first began, and right in the second.
  func testAReplayCorrectsEachRun() throws {
    var expected: [Int64] = []
    for isSynchronised in [false, true] {
      let clocks = FakeClocks(monotonic: SystemClocks().monotonic, isSynchronised: isSynchronised)
      let before = try folder.files.contains("a.csv") ? rows("a.csv").count : 0
      let recording = try recording(clocks, files.filter { $0 != "a.vcd" }, count: 10)
      recording.start()
      clocks.set(hour)
      recording.wait()
      expected += try rows("a.csv")[before...].map { $0.time + (isSynchronised ? 0 : hour) }
    }
    XCTAssertEqual(expected.count, 20)
    for name in files where name != "a.vcd" {
      let said = Locked<[String]>([])
      let context = RecordingContext()
      let messages = context.events.publisher.sink { event in
        if event.kind.level == .notice, let text = event.kind.text { said.withLock { $0.append(text) } }
      }
      defer { messages.cancel() }
      let plan = RecordingPlan(
        replay: ReplayPlan("\(folder)/\(name)", times: .corrected), outputs: [OutputPlan("\(folder)/\(name).csv")])
      let replay = try Recording(plan, context)
      replay.start()
      replay.wait()
      XCTAssertEqual(try rows("\(name).csv").map(\.time), expected, name)
      XCTAssertEqual(said.withLock { $0 }, [], name)
      XCTAssertNil(try metadata("\(name).csv").runs.last?.clocks?.isSynchronised, "its times are the trace's")
    }
  }

  func testItIsSaidWhyNothingIsCorrected() throws {
    try "time_ns,x\n1,5\n".write(toFile: "\(folder)/in.csv", atomically: false, encoding: .utf8)
    let said = Locked<[String]>([])
    let context = RecordingContext()
    let messages = context.events.publisher.sink { event in
      if event.kind.level == .notice, let text = event.kind.text { said.withLock { $0.append(text) } }
    }
    defer { messages.cancel() }
    for (times, sentences) in [
      (TraceTimes.recorded, []),
      (.corrected, ["no time of \(folder)/in.csv is corrected, because it has no metadata"]),
    ] {
      let plan = RecordingPlan(
        replay: ReplayPlan("\(folder)/in.csv", times: times), outputs: [OutputPlan("\(folder)/\(times).csv")])
      let replay = try Recording(plan, context)
      replay.start()
      replay.wait()
      XCTAssertEqual(said.withLock { $0 }, sentences)
      XCTAssertEqual(try rows("\(times).csv").map(\.time), [1])
    }
  }

  // MARK: Parts

  /// A stage has made some readings of the next part when a part ends. The account of a part says where its own rows
  /// came from, so no count is negative, and the sums are those of the whole run.
  func testTheAccountsOfPartsAddUp() throws {
    let rows = (0..<60).map { "\($0 * 50_000_000),\($0)" }
    try ("time_ns,x\n" + rows.joined(separator: "\n") + "\n").write(
      toFile: "\(folder)/in.csv", atomically: true, encoding: .utf8)
    let stages = [[StagePlan.resample(.milliseconds(1), .linear)], [.resample(.milliseconds(7), .last), .every(3)]]
    for (number, stages) in stages.enumerated() {
      var plan = RecordingPlan(
        replay: ReplayPlan("\(folder)/in.csv"), stages: stages, outputs: [OutputPlan("\(folder)/\(number).csv")])
      plan.outputs[0].rotation = Rotation(period: .seconds(1))
      let recording = try Recording(plan)
      recording.start()
      let account = recording.wait().streams[0]
      let ledgers = try folder.files.filter { $0.hasPrefix("\(number).0") && $0.hasSuffix(".csv") }.map {
        try XCTUnwrap(TraceMetadata(beside: "\(folder)/\($0)")?.ledger)[0]
      }
      XCTAssertGreaterThan(ledgers.count, 2)
      for ledger in ledgers {
        XCTAssertGreaterThanOrEqual(min(ledger.received, ledger.made, ledger.used, ledger.suppressed), 0, "\(ledger)")
        XCTAssertEqual(ledger.received + ledger.made, ledger.written + ledger.used + ledger.suppressed, "\(ledger)")
      }
      XCTAssertEqual(
        [\StreamAccount.received, \.made, \.used, \.written].map { count in
          ledgers.reduce(0) { $0 + $1[keyPath: count] }
        }, [account.received, account.made, account.used, account.written])
    }
  }
}
