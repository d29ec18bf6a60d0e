import Foundation
import Sluice
import SluiceReadings
import SluiceRecording
import SluiceStages
import TestDisk
import TestFiles
import XCTest

@testable import SluicePipeline

/// Every stage, in each of its ways: the same readings give the same, however they come.
final class StageTableTests: XCTestCase {
  private static let stages: [StagePlan] = [
    .buffer(1_000), .select(["imu.y", "line"]), .settle(for: .milliseconds(2)),
    .settle(for: .milliseconds(2), line: "line"), .pulseWidth(),
    .frequency(per: .milliseconds(7)), .pulses(ExactDecimal(significand: 5, exponent: -1), unit: "l"),
    .quadrature("line", "other"), .dht(.dht22), .oneWire(of: "line"),
    .scale(Scale(channel: "x", gain: ExactDecimal(significand: -15, exponent: -1))),
    .while(try! Expression("x > 3")),
    .around(try! Expression("x > 8"), before: .milliseconds(3), after: .milliseconds(4)),
    .where(try! Expression("x > 3 or y > 90")), .dedupe, .onChange(ExactDecimal(significand: 4)),
    .onChange([("x", ExactDecimal(significand: 2))]), .resample(.milliseconds(5)), .resample(.milliseconds(5), .last),
    .resample(.milliseconds(5), .linear), .reduce(.milliseconds(9)), .reduce(.milliseconds(9), [.max]), .join(),
    .join(.exact), .join(.wait), .rename(["x=ax"])!, .every(3),
    .throttle(for: .milliseconds(4)), .throttle(for: .milliseconds(4), latest: false), .collect(5),
    .collect(for: .milliseconds(6)),
  ]

  private let streams = [
    StreamDescription(name: "imu", channels: [.init(name: "x", unit: "g"), .init(name: "y", unit: "g")]),
    StreamDescription(name: "line", channels: [.init(name: "level", format: StreamDescription.Channel.level)]),
    StreamDescription(name: "other", channels: [.init(name: "level", format: StreamDescription.Channel.level)]),
  ]
  private lazy var folder = temporaryFolder()

  /// An IMU at 1 kHz and a line that bounces, in the order of their times.
  private func readings(_ seed: Int, from start: Int64, count: Int = 400) -> [Reading] {
    var random = SeededGenerator(UInt64(seed))
    var (time, levels) = (start, [Int64](repeating: 0, count: 3))
    return (0..<count).map { number in
      time += Int64.random(in: 0...1_500_000, using: &random)
      let flags: Reading.Flags = Int.random(in: 0..<40, using: &random) == 0 ? .gapBefore : []
      if number % 3 == 2 {
        let line = number % 9 == 5 ? 2 : 1
        levels[line] = flags.isEmpty ? 1 - levels[line] : levels[line]
        return Reading(time: time, stream: StreamID(UInt16(line)), values: [levels[line]], flags: flags)
      }
      let x = Int64.random(in: 0...9, using: &random)
      return Reading(time: time, stream: StreamID(0), values: [x, Int64(number / 7)], flags: flags)
    }
  }

  private struct Output: Equatable {
    var rows: [String]
    var account: [Int]
    var gaps: [StreamFlags]
    var ended: Int64?
  }

  /// What a stage makes of readings that wait to be asked for.
  private func replayed(
    _ readings: some Publisher<Reading, Never>, _ stage: StagePlan, ended: Int64? = nil
  ) throws -> Output {
    let readings = readings.setFailureType(to: SluiceError.self).eraseToAnyPublisher()
    var replay = Replay(streams: streams, trace: ReplayedTrace(hasMetadata: true)) { readings }
    replay.ended = ended
    return try output(of: .trace(replay), stage) { _ in }
  }

  private func output(
    of input: PipelineInput, _ stage: StagePlan,
    ticks: any Publisher<Int64, Never> = Empty(completeImmediately: false), _ run: (Pipeline) throws -> Void
  ) throws -> Output {
    let path = "\(folder)/\(UUID().uuidString).csv"
    // The marks of a real clock would overtake the readings of a test that is kept from running.
    let pipeline = try Pipeline(
      input, [BufferStage(size: 1_000), stage.stage], [.csv(path, layout: .long)],
      ticks: ticks.eraseToAnyPublisher())
    pipeline.start()
    try run(pipeline)
    pipeline.wait()
    let account = pipeline.account(seconds: 1)
    XCTAssertEqual(account.unaccounted, 0, "\(stage)")
    let rows = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
    return Output(
      rows: rows, account: [account.received, account.suppressed, account.used, account.made, account.written],
      gaps: pipeline.outcome.flagged[0], ended: stage.stage.usesEnd && input.isLive ? pipeline.outcome.ended.time : nil)
  }

  func testEveryStageIsThere() {
    XCTAssertEqual(Set(Self.stages.map { type(of: $0.stage).name }), Set(Stages.names))
  }

  /// The law of cuts.
  func testAnyRunsGiveTheSame() throws {
    for (number, stage) in Self.stages.enumerated() {
      let readings = readings(number, from: 1_000_000_000)
      let whole = try replayed(readings.publisher, stage)
      XCTAssertGreaterThan(whole.rows.count, 5, "\(stage)")
      XCTAssertEqual(try replayed(Cut(readings, seed: number), stage), whole, "\(stage)")
    }
  }

  /// A clock only shows a time earlier than the readings do.
  func testMarksChangeNothing() throws {
    for (number, stage) in Self.stages.enumerated() {
      let readings = readings(number, from: 1_000_000_000)
      var random = SeededGenerator(UInt64(number))
      var marked: [Reading] = []
      for (reading, next) in zip(readings, readings.dropFirst()) {
        marked.append(reading)
        if Bool.random(using: &random) {
          let time = Int64.random(in: reading.time...next.time, using: &random)
          marked.append(Reading(time: time, stream: .none, values: Values()))
        }
      }
      let whole = try replayed(readings.publisher, stage)
      let other = try replayed((marked + readings.suffix(1)).publisher, stage)
      XCTAssertEqual(other, whole, "\(stage)")
    }
  }

  /// A replay gives what the recording gave, also of the time behind the last reading.
  func testLiveLikeAReplay() throws {
    for (number, stage) in Self.stages.enumerated() {
      let now = EpochClock().now
      let readings = readings(number, from: now - 600_000_000)
      let subject = PassthroughSubject<Reading, SluiceError>()
      let source = Source(streams: streams, publisher: { _, _ in subject.eraseToAnyPublisher() })
      let live = try output(of: .devices([source]), stage) { pipeline in
        for reading in readings { subject.send(reading) }
        pipeline.stop()
      }
      let replayed = try replayed(readings.publisher, stage, ended: live.ended)
      XCTAssertEqual(live.rows.sorted(), replayed.rows.sorted(), "\(stage)")
      XCTAssertEqual(live.account, replayed.account, "\(stage)")
    }
  }

  /// A source with a clock of its own may be behind. The ticks of the recording's clock end none of its windows, and none of its
  /// readings is late.
  func testASourceThatIsBehind() throws {
    let behind: Int64 = 2_000_000_000
    for (number, stage) in Self.stages.enumerated() {
      let readings = readings(number, from: EpochClock().now - behind - 600_000_000)
      let (subject, ticks) = (PassthroughSubject<Reading, SluiceError>(), PassthroughSubject<Int64, Never>())
      var source = Source(streams: streams, publisher: { _, _ in subject.eraseToAnyPublisher() })
      source.hasOwnClock = true
      let live = try output(of: .devices([source]), stage, ticks: ticks) { pipeline in
        // Ticks come before the first reading, too.
        var tick = readings[0].time + behind - 30_000_000
        for reading in readings {
          while tick < reading.time + behind {
            ticks.send(tick)
            tick += 10_000_000
          }
          subject.send(reading)
        }
        pipeline.stop()
      }
      let replayed = try replayed(readings.publisher, stage, ended: live.ended)
      XCTAssertEqual(live.rows.sorted(), replayed.rows.sorted(), "\(stage)")
      XCTAssertEqual(live.account, replayed.account, "\(stage)")
      XCTAssertEqual(live.gaps.map(\.late.count), live.gaps.map { _ in 0 }, "\(stage)")
    }
  }
}

/// Readings in runs of random lengths.
private struct Cut: Publisher {
  typealias Output = Reading
  typealias Failure = Never
  let readings: [Reading]
  let lengths: [Int]

  init(_ readings: [Reading], seed: Int) {
    self.readings = readings
    var random = SeededGenerator(UInt64(seed))
    lengths = (0..<readings.count).map { _ in Int.random(in: 0...9, using: &random) }
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Reading, S.Failure == Never {
    var rest = readings[...]
    let groups = lengths.map { length in
      defer { rest = rest.dropFirst(length) }
      return Array(rest.prefix(length))
    }
    groups.publisher.flatMap(maxPublishers: .max(1)) { $0.publisher }.subscribe(subscriber)
  }
}
