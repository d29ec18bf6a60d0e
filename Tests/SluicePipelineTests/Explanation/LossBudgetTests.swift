import Sluice
import SluiceReadings
import SluiceStages
import TestDisk
import XCTest

@testable import SluiceDevices
@testable import SluicePipeline
@testable import SluiceRecording

/// A stall of the length that a budget promises loses nothing, and one of twice that length loses and says how much. Time
/// is virtual: the sensors are those of the simulation, and the disk and its queue stand still when the test says so.
final class LossBudgetTests: XCTestCase {
  private enum Standstill { case full, stuck, paused }

  /// One recording of simulated sensors.
  private final class Run {
    let disk = ModelDisk(seed: 1)
    /// Those of the outputs, which a write that does not return holds.
    let outputs = VirtualQueues()
    let others = VirtualQueues()
    private let subject = PassthroughSubject<Reading, Never>()
    private let ticks = PassthroughSubject<Int64, Never>()
    private let pipeline: Pipeline
    private var sensors: [(sensor: SimulatedSensor, stream: StreamID, next: SimulatedSensor.Sample)] = []
    private(set) var now: Int64 = 0
    private(set) var sent = 0

    init(_ plan: RecordingPlan) throws {
      let kinds = plan.sources.compactMap { $0.spec.source as? SimulatedSource }
      for (number, kind) in kinds.enumerated() {
        var sensor = kind.sensor
        sensors.append((sensor, StreamID(UInt16(number)), sensor.next()))
        sensors[number].sensor = sensor
      }
      let streams = zip(kinds, plan.sources).map { kind, source in
        StreamNames.named([kind.sensor.description], source.spec.name ?? kind.sensor.description.name)[0]
      }
      let subject = subject
      let sources = streams.enumerated().map { number, stream in
        Source(
          streams: [stream],
          publisher: { first, _ in
            subject.filter { $0.stream == StreamID(UInt16(number)) }.setFailureType(to: SluiceError.self)
              .map { Reading(time: $0.time, stream: first, values: $0.values) }.eraseToAnyPublisher()
          })
      }
      let input = PipelineInput.devices(sources)
      var stages = PipelineStages(
        plan.stages.map(\.stage),
        ofSources: plan.sources.enumerated().map { .init($0..<($0 + 1), $1.stages.map(\.stage)) },
        ofOutputs: plan.outputs.map(\.allStages))
      let written = try PreparedStages(stages, for: input, outputs: plan.outputs.count).streams
      stages = stages.sized(for: streams, ofOutputs: written)
      var made = try plan.outputs.enumerated().map { try RecordingOutput($1, for: written[$0]) }
      for index in made.indices where plan.spills[index].isSpilling { made[index].capacity = SpillPlan.outputCapacity }
      let place = Disk(files: disk)
      let spills = try zip(made, plan.spills).enumerated().map { number, output -> SpillSetup? in
        let settings = plan.spill ?? SpillPlan()
        guard output.1.isSpilling else { return nil }
        return SpillSetup(
          folder: try SpillFolder(
            of: output.0, plan.outputs[number].path, appendingTo: [], settings, written[number], place),
          size: settings.size?.bytes ?? SpillPlan.standardSize, always: output.1.always,
          memory: plan.spillMemory(of: number), holds: plan.outputs.count == 1, run: 0)
      }
      let (outputs, others) = (outputs, others)
      pipeline = try Pipeline(
        input, stages, made, pauseMode: plan.pauseMode, disk: place,
        makeQueue: { name in name == "sluice.output" ? outputs.queue : others.queue }, spills: spills,
        ticks: ticks.eraseToAnyPublisher())
      pipeline.start()
    }

    /// Lets time pass: the sensors give what they have for it.
    func pass(_ nanoseconds: Int64, stuck: Bool = false) {
      let end = now + nanoseconds
      while let index = sensors.indices.min(by: { sensors[$0].next.time < sensors[$1].next.time }),
        sensors[index].next.time < end
      {
        let sample = sensors[index].next
        advance(to: sample.time, stuck)
        subject.send(Reading(time: sample.time + 1, stream: sensors[index].stream, values: sample.values))
        sent += 1
        sensors[index].next = sensors[index].sensor.next()
      }
      advance(to: end, stuck)
    }

    private func advance(to time: Int64, _ stuck: Bool) {
      let step = time - now
      if now / 100_000_000 < time / 100_000_000 { ticks.send(time) }
      now = time
      others.run(for: step)
      if !stuck { outputs.run(for: step) }
    }

    /// - Parameter path: The output whose disk is full; nil for all.
    func stand(_ kind: Standstill, for nanoseconds: Int64, _ path: String? = nil) {
      switch kind {
      case .full:
        disk.fault = { call, at in call == "write" && (path == nil || path == at) ? .error(ENOSPC) : nil }
        pass(nanoseconds)
        disk.fault = { _, _ in nil }
      case .stuck: pass(nanoseconds, stuck: true)
      case .paused:
        pipeline.pause()
        pass(nanoseconds)
        pipeline.resume()
      }
    }

    func end() -> Account {
      pass(20_000_000_000)
      pipeline.stop()
      for _ in 0..<60 {
        others.run(for: 1_000_000_000)
        outputs.run(for: 1_000_000_000)
      }
      let spills = pipeline.branches.compactMap(\.spill)
      // A wait would also wait for the logs, whose queue is virtual.
      if spills.isEmpty { pipeline.wait() }
      for spill in spills { spill.close {} }
      others.run(for: 1_000_000)
      return pipeline.account(seconds: 1)
    }
  }

  private func time(_ stall: Stall?, line: UInt = #line) throws -> Int64 {
    guard case .time(let nanoseconds)? = stall else {
      XCTFail("no time: \(String(describing: stall))", line: line)
      throw CancellationError()
    }
    return nanoseconds
  }

  private func assertHolds(
    _ plan: RecordingPlan, _ kinds: [Standstill] = [.full, .stuck], times: [Int64] = [1, 2], line: UInt = #line
  ) throws {
    try plan.validate()
    let budget = LossBudget(plan, roots: DeviceRoots())
    for kind in kinds {
      let stall =
        try budget.lines.map { try time(kind == .paused ? $0.pause : $0.outputs, line: line) }.min() ?? 0
      for times in times {
        let run = try Run(plan)
        // It is running as it always does.
        run.pass(3_000_000_000)
        run.stand(kind, for: times * stall)
        let account = run.end()
        let title = "\(kind), \(times) x \(stall) ns of \(run.sent) readings: \(account.text)"
        XCTAssertEqual(account.received, run.sent, title, line: line)
        XCTAssertEqual(account.unaccounted, 0, title, line: line)
        if times == 1 {
          XCTAssertEqual(account.lost, 0, title, line: line)
        } else {
          XCTAssertGreaterThan(account.lost, 0, title, line: line)
          XCTAssertTrue(account.text.contains("dropped (buffer full) from "), title, line: line)
          XCTAssertLessThan(account.lost, run.sent / 2, title, line: line)
        }
      }
    }
  }

  private func plan(
    _ sources: String..., stages: [StagePlan], outputs: [OutputPlan] = [OutputPlan("d/a.csv")]
  ) throws -> RecordingPlan {
    RecordingPlan(input: .sources(try sources.map { try SourcePlan($0) }), stages: stages, outputs: outputs)
  }

  /// A server may be away as long as its spool has room.
  func testTheSpoolOfAServerCounts() throws {
    var plan = try plan("imu=sim:imu@200", stages: [.buffer(1_000)], outputs: [OutputPlan("http://h/write?db=x")])
    func time(_ change: (inout SendingPlan) -> Void) throws -> Int64 {
      var sending = SendingPlan(spool: "s")
      change(&sending)
      plan.sending = sending
      return try self.time(XCTUnwrap(LossBudget(plan, roots: DeviceRoots()).lines[0].outputs))
    }
    let without = try time { $0.spool = nil }
    let small = try time { $0.spoolSize = ByteSize(bytes: 10 << 20) }
    XCTAssertLessThan(without, 60_000_000_000)
    XCTAssertGreaterThan(small, 300_000_000_000)
    XCTAssertEqual(Double(try time { $0.spoolSize = ByteSize(bytes: 20 << 20) }) / Double(small), 2, accuracy: 0.2)
  }

  func testTheOutputsMayStandStill() throws {
    try assertHolds(plan("imu=sim:imu@200", stages: [.buffer()]), [.full])
    try assertHolds(plan("imu=sim:imu@200", stages: [.buffer(1_000)]), [.full, .stuck, .paused])
    try assertHolds(plan("imu=sim:imu@200", stages: [.buffer(300)]), [.stuck])
    try assertHolds(plan("imu=sim:imu@200", stages: [.buffer(5_000, whenFull: .dropNewest)]), [.stuck])
  }

  func testSeveralSources() throws {
    try assertHolds(plan("imu=sim:imu@100", "slow=sim:imu@7", stages: [.buffer(2_000)]))
    try assertHolds(plan("a=sim:imu@50", "b=sim:imu@200,every=10", stages: [.buffer(2_000)]))
  }

  func testStagesBeforeAndBehindTheBuffer() throws {
    try assertHolds(plan("imu=sim:imu@400", stages: [.every(4), .buffer(1_000)]))
    try assertHolds(plan("imu=sim:imu@200", stages: [.buffer(1_000), .every(2)]), [.full])
  }

  func testFormats() throws {
    func one(_ output: OutputPlan) throws -> RecordingPlan {
      try plan("imu=sim:imu@200", stages: [.buffer(2_000)], outputs: [output])
    }
    for path in ["d/a.jsonl", "d/a.vcd", "d/a.lp"] { try assertHolds(one(OutputPlan(path)), [.full], times: [1]) }
    try assertHolds(one(OutputPlan("d/a.csv", raw: true)), [.full], times: [1])
    try assertHolds(one(OutputPlan("d/a.csv", layout: .long)), [.full], times: [1])
    let two = ["d/a.csv", "d/b.jsonl"].map { OutputPlan($0) }
    try assertHolds(plan("imu=sim:imu@200", stages: [.buffer(2_000)], outputs: two), [.full])
  }

  func testAnOutputWithABufferOfItsOwn() throws {
    var slow = OutputPlan("d/slow.csv")
    slow.buffer = .init(1_000)
    let plan = try plan("imu=sim:imu@200", stages: [.buffer(500)], outputs: [OutputPlan("d/a.csv"), slow])
    let own = try XCTUnwrap(LossBudget(plan, roots: DeviceRoots()).lines[0].ownBuffers.first)
    XCTAssertEqual(own.path, "d/slow.csv")
    let stall = try time(own.stall)
    for times in [1, 2] as [Int64] {
      let run = try Run(plan)
      run.pass(3_000_000_000)
      run.stand(.full, for: times * stall, "d/slow.csv")
      let account = run.end()
      XCTAssertEqual(account.unaccounted, 0)
      let dropped = account.outputs.map { $0.streams[0].dropped }
      XCTAssertEqual(dropped[0], 0, "the other has everything")
      XCTAssertEqual(account.lost > 0, times == 2, account.text)
    }
  }

  /// The figure is for the longest records; those of a sensor are a tenth of them.
  func testASpill() throws {
    for kind in [Standstill.full, .stuck, .paused] {
      var plan = try plan("imu=sim:imu@1000", stages: [.buffer(500, whenFull: kind == .paused ? .dropOldest : .spill)])
      if kind == .paused { plan.pauseMode = .spill }
      plan.spill = SpillPlan(size: ByteSize(bytes: 256 << 10))
      let line = LossBudget(plan, roots: DeviceRoots()).lines[0]
      let stall = try time(kind == .paused ? line.pause : line.outputs)
      XCTAssertGreaterThan(stall, 3_500_000_000)
      for times in [1, 16] as [Int64] {
        let run = try Run(plan)
        run.pass(1_000_000_000)
        run.stand(kind, for: times * stall, "d/a.csv")
        let account = run.end()
        let title = "\(kind), \(times) x \(stall) ns of \(run.sent) readings: \(account.text)"
        XCTAssertEqual(account.unaccounted, 0, title)
        XCTAssertEqual(account.lost > 0, times > 1, title)
        XCTAssertGreaterThan(account.outputs[0].spill?.drained ?? 0, 1_000, title)
      }
    }
  }

  /// Stages in front of a spill leave readings out, or give many at once.
  func testASpillBehindStages() throws {
    var stages: [StagePlan] = [.buffer(500, whenFull: .spill)]
    for (source, shared, own) in [
      ("imu=sim:imu@1000", [], [StagePlan.every(2)]), ("imu=sim:imu@1000,every=2", [], []),
      (
        "imu=sim:imu@1000", [.around(try Expression("accel_z > 0"), before: .seconds(2), after: .seconds(1))],
        []
      ),
    ] as [(String, [StagePlan], [StagePlan])] {
      stages = [stages[0]] + shared
      var plan = try plan(source, stages: stages)
      plan.outputs[0].stages = own
      plan.spill = SpillPlan(size: ByteSize(bytes: 256 << 10))
      let stall = try time(LossBudget(plan, roots: DeviceRoots()).lines[0].outputs)
      XCTAssertGreaterThan(stall, 1_500_000_000, source)
      for times in [1, 40] as [Int64] {
        let run = try Run(plan)
        run.pass(3_000_000_000)
        run.stand(.full, for: times * stall, "d/a.csv")
        let account = run.end()
        let title = "\(source), \(times) x \(stall) ns of \(run.sent) readings: \(account.text)"
        XCTAssertEqual(account.unaccounted, 0, title)
        XCTAssertEqual(account.lost > 0, times > 1, title)
      }
    }
  }

  /// The program stands still just before it would have looked.
  func testTheProgramMayStandStill() throws {
    for what in ["imu@200", "imu@12.5", "imu@5000", "imu@99999"] {
      let plan = try plan("sim:\(what)", stages: [.buffer()])
      let source = try XCTUnwrap(plan.sources[0].spec.source as? SimulatedSource)
      let stall = try time(LossBudget(plan, roots: DeviceRoots()).lines[0].program)
      for times in [1, 2] as [Int64] {
        var simulation = Simulation(source.sensor, StreamID(0), from: 0)
        var now: Int64 = 3_000_000_000
        for time in stride(from: 0, through: now, by: 10_000_000) { _ = simulation.readings(until: time) }
        now += times * stall + Simulation.tick.nanoseconds
        let lost = simulation.readings(until: now).missing.overflown
        XCTAssertEqual(lost > 0, times == 2, "\(what): \(lost) lost after \(times) x \(stall) ns")
      }
    }
  }

  func testWhatIsNotKnownIsNotPromised() throws {
    func line(_ source: String) throws -> LossBudget.Line {
      LossBudget(try plan(source, stages: [.buffer(5_000)]), roots: DeviceRoots(root: "/nowhere")).lines[0]
    }
    XCTAssertEqual(try line("gpio:gpiochip0:3,fifo=64").outputs, .readings(5_000))
    XCTAssertEqual(try line("lines:-").outputs, .endless)
    XCTAssertEqual(try line("lines:-").program, .endless)
    XCTAssertEqual(try line("iio:bmi160").outputs, .readings(5_000))
    XCTAssertEqual(try line("iio:bmi160,sample-rate=100").outputs, .time(50_000_000_000))
    // 1,024 scans, five of which wait for the 50 ms that they may wait.
    XCTAssertEqual(try line("iio:bmi160,sample-rate=100").program, .time(10_190_000_000))
    XCTAssertEqual(try line("iio:bmi160,sample-rate=100,length=64,watermark=32").program, .time(320_000_000))
    XCTAssertEqual(try line("timer:10ms").program, .time(10_000_000))
    XCTAssertEqual(try line("serial:/dev/ttyUSB0@9600").program, .time(4_265_625_000))
    XCTAssertEqual(try line("pps:0").program, .time(1_000_000_000))
    // The streams, and so what 8 MB hold, are known when the port is open.
    let unknown = LossBudget(try plan("serial:/dev/ttyUSB0", stages: [.buffer()]), roots: DeviceRoots())
    XCTAssertNil(unknown.buffered)
    XCTAssertEqual(unknown.lines[0].outputs, .unknown)
  }

  func testRatesBehindStages() throws {
    func rate(_ stages: StagePlan...) -> Double? { LossBudget.rate(100, behind: stages.map(\.stage)) }
    XCTAssertEqual(rate(.dedupe, .select(["a"])), 100)
    XCTAssertEqual(rate(.every(4)), 25)
    XCTAssertEqual(rate(.throttle(for: .milliseconds(1))), 100)
    XCTAssertEqual(rate(.throttle(for: .seconds(1))), 1)
    XCTAssertEqual(rate(.every(4), .reduce(.seconds(10))), 0.1)
    XCTAssertEqual(rate(.resample(.milliseconds(1))), 1_000)
    XCTAssertEqual(LossBudget.rate(nil, behind: [ThrottleStage(interval: .seconds(1))]), 1)
    XCTAssertNil(LossBudget.rate(nil, behind: [EveryStage(4)]))
    // The readings before an event come at once, but no more come than without the stage.
    XCTAssertEqual(rate(.around(try SluiceStages.Expression("x > 1"), before: .seconds(1), after: nil)), 100)
  }

  func testItIsRoundedDown() {
    for (stall, text) in [
      (.time(0), "none"), (.time(999), "0 us"), (.time(1_999), "1 us"), (.time(9_999_999), "9 ms"),
      (.time(1_999_999_999), "1.99 s"), (.time(59_999_999_999), "59.99 s"), (.time(119_999_999_999), "1 min 59 s"),
      (.time(7_199_000_000_000), "1 h 59 min"), (.time(.max), "106,751 d 23 h"), (.readings(0), "none"),
      (.readings(1), "1 reading: 1 ms at 1,000/s"),
      (.readings(.max), "9,223,372,036,854,775,807 readings: 106,751 d 23 h at 1,000/s"),
      (.endless, "any time"), (.unknown, "unknown"),
    ] as [(Stall, String)] {
      XCTAssertEqual(stall.text, text)
    }
  }
}
