import Foundation
import Sluice
import SluiceReadings
import SluiceRecording
import SluiceStages
import Synchronization
import XCTest

@testable import SluicePipeline

/// Every stage on real devices: live, it gives what a replay of the readings gives.
///
/// gpio-sim cannot be driven fast enough for DHT and 1-Wire sensors, so they report failed checks, or nothing; both times
/// the same.
final class StagesTests: BoardTestCase {
  private static let half = ExactDecimal(significand: 5, exponent: -1)
  private static let ofEdges: [StagePlan] = [
    .buffer(1_000), .select(["line:1"]), .settle(for: .milliseconds(12)), .pulseWidth(),
    .frequency(per: .milliseconds(50)),
    .pulses(half, unit: "l"), .quadrature("line:0", "line:1"), .dht(.dht22), .dht(.dht11, line: "line:0"),
    .oneWire(of: "line:0"), .dedupe, .join(), .join(.exact), .rename(["line:0=left"])!, .every(3),
    .throttle(for: .milliseconds(30)), .collect(5),
    .collect(for: .milliseconds(20)),
  ]
  private static let ofSamples: [StagePlan] = [
    .select(["imu.accel_x"]), .scale(Scale(channel: "voltage0", gain: half, offset: .one, unit: "bar")),
    .while(try! Expression("voltage0 > 30")),
    .around(try! Expression("voltage0 > 30"), before: .milliseconds(5), after: .milliseconds(5)),
    .where(try! Expression("voltage0 > 30 or accel_x < 0")), .onChange(half), .onChange([("accel_x", half)]),
    .resample(.milliseconds(20)), .resample(.milliseconds(20), .last), .resample(.milliseconds(20), .linear),
    .reduce(.milliseconds(50)), .join(), .join(.wait), .rename(["accel_x=tilt"])!, .throttle(for: .milliseconds(30)),
    .collect(5),
  ]

  func testEveryStageIsThere() {
    XCTAssertEqual(Set((Self.ofEdges + Self.ofSamples).map { type(of: $0.stage).name }), Set(Stages.names))
  }

  func testEdges() throws {
    let chip = try SimulatedChip("sim8")
    for stage in Self.ofEdges {
      try compare("line=gpio:sim8:0,1", stage) { received in
        for toggle in 0..<12 { try chip.drive(lines: 1 + toggle % 2, toggles: 1, every: 8_000, from: toggle / 2) }
        waitUntil("the edges") { received() >= 10 }
      }
    }
  }

  func testSamples() throws {
    for stage in Self.ofSamples {
      try compare("imu=iio:dummy0:voltage0,accel_x,sample-rate=500,trigger=tick", stage) { received in
        waitUntil("a hundred scans") { received() >= 100 }
      }
    }
  }

  private func compare(_ spec: String, _ stage: StagePlan, _ drive: (() -> Int) throws -> Void) throws {
    let readings = Mutex<[Reading]>([])
    var device = try XCTUnwrap(SourceSpec.open([SourceSpec(spec)], SourceContext()).first?.first)
    let published = device.publisher
    device.publisher = { stream, clock in
      published(stream, clock).handleEvents(receiveOutput: { reading in readings.withLock { $0.append(reading) } })
        .eraseToAnyPublisher()
    }
    let live = try rows(of: .devices([device]), stage) { pipeline in
      try drive { readings.withLock { $0.count } }
      pipeline.stop()
    }
    let received = readings.withLock { $0 }
    var replay = Replay(streams: device.streams, trace: ReplayedTrace(hasMetadata: true)) {
      received.publisher.setFailureType(to: SluiceError.self).eraseToAnyPublisher()
    }
    replay.ended = stage.stage.usesEnd ? live.ended : nil
    let replayed = try rows(of: .trace(replay), stage) { _ in }
    XCTAssertGreaterThan(received.count, 10, "\(stage)")
    XCTAssertEqual(live.rows, replayed.rows, "\(stage)")
    XCTAssertEqual(live.account, replayed.account, "\(stage)")
  }

  private func rows(
    of input: PipelineInput, _ stage: StagePlan, _ run: (Pipeline) throws -> Void
  ) throws -> (rows: [String], account: [Int], ended: Int64) {
    let path = NSTemporaryDirectory() + "stage-\(UUID().uuidString).csv"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let pipeline = try Pipeline(input, [BufferStage(size: 10_000), stage.stage], [.csv(path, layout: .long)])
    pipeline.start()
    try run(pipeline)
    pipeline.wait()
    let account = pipeline.account(seconds: 1)
    XCTAssertEqual(account.unaccounted, 0, "\(stage)")
    // The groups of a throttle and a collect are of one stream each, and a clock ends them earlier than a reading does.
    let rows = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init).sorted()
    return (
      rows, [account.received, account.suppressed, account.used, account.made, account.written],
      pipeline.outcome.ended.time
    )
  }
}
