import Foundation
import Sluice
import SluiceDevices
import SluiceReadings
import SluiceRecording
import SluiceTesting
import TestFiles
import XCTest

@testable import SluicePipeline

/// A sensor of a program: what it sends comes by hand.
private final class HandSensor: ReadingSource, @unchecked Sendable {
  // The lock protects `state`.
  private struct State {
    var report = LossReport(coverage: .none)
    var first = StreamID(0)
    var clock = EpochClock()
    var isClosed = false
  }

  let streams: [StreamDescription]
  private let subject = PassthroughSubject<Reading, SluiceError>()
  private let state = Locked(State())

  init(_ streams: [StreamDescription]) { self.streams = streams }

  static var finishes: Bool { true }
  func finish() { subject.send(completion: .finished) }
  func waitUntilClosed() { state.withLock { $0.isClosed = true } }
  var lossReport: LossReport {
    get { state.withLock { $0.report } }
    set { state.withLock { $0.report = newValue } }
  }
  var isClosed: Bool { state.withLock { $0.isClosed } }

  func readings(from first: StreamID, clock: EpochClock) -> AnyPublisher<Reading, SluiceError> {
    state.withLock { ($0.first, $0.clock) = (first, clock) }
    return subject.eraseToAnyPublisher()
  }

  func send(_ values: Values, stream: UInt16 = 0) {
    let (first, clock) = state.withLock { ($0.first, $0.clock) }
    subject.send(Reading(time: clock.now, stream: StreamID(first.index + stream), values: values))
  }

  func fail(_ error: SluiceError) { subject.send(completion: .failure(error)) }
}

final class OwnSourceTests: XCTestCase {
  private lazy var folder = temporaryFolder()
  private let room = StreamDescription(
    name: "room", channels: [.init(name: "temp", unit: "m°C", scale: ExactDecimal(significand: 1, exponent: -3))])

  func testItHasAnAccountMetadataStagesAndAPause() throws {
    let sensor = HandSensor([room])
    let paths = ["\(folder)/room.csv", "\(folder)/room.jsonl"]
    var plan = RecordingPlan(sources: [], stages: [.every(2)], outputs: paths.map { OutputPlan($0) })
    plan.pauseMode = .discard
    let recording = try Recording(plan, sources: [sensor])
    recording.start()
    for value in 0..<10 { sensor.send(Values(Int64(20_000 + value))) }
    recording.pause()
    for value in 10..<14 { sensor.send(Values(Int64(20_000 + value))) }
    recording.resume()
    recording.stop()
    let account = recording.wait()
    XCTAssertTrue(sensor.isClosed)
    XCTAssertEqual(
      [account.received, account.suppressed, account.discarded, account.written, account.unaccounted], [14, 7, 2, 5, 0])
    XCTAssertEqual(account.lossesShown, LossCoverage.none)
    for path in paths {
      let reader = try TraceReader(path: path)
      let metadata = try XCTUnwrap(reader.metadata)
      XCTAssertEqual(metadata.state, .finished)
      XCTAssertEqual(metadata.streams?.map(\.name), ["room"])
      XCTAssertEqual(metadata.pauses?.count, 1)
      XCTAssertEqual(metadata.ledger?.first?.written, 5)
    }
    let rows = try String(contentsOfFile: paths[0], encoding: .utf8).split(separator: "\n")
    XCTAssertEqual(
      rows.map { $0.split(separator: ",").last ?? "" },
      [
        "room", "20.000", "20.002", "20.004", "20.006", "20.008",
      ])
  }

  func testItStandsBesideTheSourcesOfThePlan() throws {
    let sensor = HandSensor([room, StreamDescription(name: "hall", channels: [.init(name: "temp")])])
    var plan = RecordingPlan(
      sources: [try SourceSpec("sim:imu@1000,seed=1")], outputs: [OutputPlan("\(folder)/all.csv")])
    plan.limits.grace = .seconds(60)
    let recording = try Recording(plan, sources: [sensor])
    XCTAssertEqual(recording.streams.map(\.name), ["imu", "room", "hall"])
    recording.start()
    sensor.send(Values(1))
    sensor.send(Values(2), stream: 1)
    sensor.lossReport = LossReport([Loss(reason: "reads missed", count: 3)], coverage: .none)
    recording.stop()
    let account = recording.wait()
    XCTAssertEqual(account.streams.suffix(2).map(\.written), [1, 1])
    XCTAssertEqual(account.losses.map(\.reason), ["reads missed"])
    XCTAssertEqual(account.losses.map(\.streams), [["room", "hall"]])
    XCTAssertEqual(account.unaccounted, 0)
  }

  /// They have the flag in the file, and are counted; none is left out.
  func testReadingsAreFlaggedWhileTheClockIsWorseThanAllowed() throws {
    for limit: TimeSpan? in [.milliseconds(10), nil] {
      let clocks = FakeClocks(monotonic: SystemClocks().monotonic, isSynchronised: true)
      func set(error: Int64) {
        clocks.quality = .init(isSynchronised: true, maxError: error, estimatedError: 1)
        // The kernel's timer lets it look.
        clocks.set(0)
      }
      set(error: 1_000_000)
      let sensor = HandSensor([room])
      var context = RecordingContext()
      (context.clocks, context.sources) = (clocks, [sensor])
      let path = "\(folder)/\(limit == nil ? "any" : "good").jsonl"
      var plan = RecordingPlan(sources: [], outputs: [OutputPlan(path)])
      plan.limits.maxClockError = limit
      let recording = try Recording(plan, context)
      recording.start()
      for (value, error) in [1_000_000, 10_000_001, 20_000_000, 10_000_000].enumerated() {
        set(error: Int64(error))
        sensor.send(Values(Int64(value)))
      }
      recording.stop()
      XCTAssertEqual(recording.wait().written, 4)
      let reader = try TraceReader(path: path)
      var flags: [Reading.Flags] = []
      while let reading = try reader.next() { flags.append(reading.flags) }
      XCTAssertEqual(flags, limit == nil ? [[], [], [], []] : [[], .uncertainTime, .uncertainTime, []])
      XCTAssertEqual(reader.metadata?.uncertainTime?.map(\.count), limit == nil ? nil : [2])
    }
  }

  func testAnErrorEndsItAlone() throws {
    let (bad, good) = (HandSensor([room]), HandSensor([StreamDescription(name: "hall", channels: [.init(name: "t")])]))
    let recording = try Recording(
      RecordingPlan(sources: [], outputs: [OutputPlan("\(folder)/a.csv")]), sources: [bad, good])
    recording.start()
    bad.send(Values(1))
    bad.fail(SluiceError(.failed, "read", "the thermometer", because: "it does not answer"))
    good.send(Values(2))
    recording.stop()
    let account = recording.wait()
    XCTAssertEqual(account.errors, ["cannot read the thermometer: it does not answer"])
    XCTAssertEqual(account.written, 2)
  }

  /// A sensor is code from outside: whatever it sends, the recording counts it and goes on.
  func testReadingsThatDoNotFitTheStreams() throws {
    for (name, layout) in [
      ("a.csv", CSVLayout.wide), ("b.csv", .long), ("c.jsonl", nil), ("d.lp", nil), ("e.vcd", nil),
    ] {
      let sensor = HandSensor([room, StreamDescription(name: "hall", channels: [.init(name: "a"), .init(name: "b")])])
      let recording = try Recording(
        RecordingPlan(sources: [], outputs: [OutputPlan("\(folder)/\(name)", layout: layout)]), sources: [sensor])
      recording.start()
      sensor.send(Values())
      sensor.send([1, 2, 3])
      sensor.send([1], stream: 1)
      sensor.send([1, 2], stream: 7)
      sensor.send([1, 2], stream: 1)
      recording.stop()
      let account = recording.wait()
      XCTAssertEqual(account.unaccounted, 0, name)
      XCTAssertEqual(account.errors, [], name)
    }
  }

  func testWhatIsRefused() throws {
    func refusal(_ plan: RecordingPlan, _ streams: [[StreamDescription]]) -> String {
      do {
        _ = try Recording(plan, sources: streams.map { HandSensor($0) })
        return "none"
      } catch {
        return "\(error)"
      }
    }
    let plan = RecordingPlan(sources: [], outputs: [OutputPlan("\(folder)/a.csv")])
    XCTAssertEqual(
      refusal(plan, []), "cannot use the plan: it has no \"sources\" and no \"replay\": say what to record")
    XCTAssertEqual(
      refusal(plan, [[room], [room]]),
      "cannot record two streams called \"room\": nothing would tell their rows apart; give one of them another name: NAME=KIND:WHAT"
    )
    XCTAssertEqual(refusal(plan, [[]]), "cannot record a source: it has no streams; give it one at least")
    XCTAssertEqual(
      refusal(plan, [[StreamDescription(name: "a\nb", channels: [.init(name: "c")])]]),
      "cannot record a stream of a source: the name \"ab\" has a line feed or another control character")
    XCTAssertEqual(
      refusal(plan, [[StreamDescription(name: "a", channels: [])]]),
      "cannot record the stream \"a\": it has no channel; give it one at least")
    XCTAssertEqual(
      refusal(plan, [[StreamDescription(name: "a", channels: [.init(name: "c"), .init(name: "c")])]]),
      "cannot record the stream \"a\": two of its channels are called \"c\"; give one of them another name")
    XCTAssertEqual(
      refusal(RecordingPlan(replay: ReplayPlan("a.csv"), outputs: [OutputPlan("\(folder)/b.csv")]), [[room]]),
      "cannot read a source beside a trace: the times of a trace are not those of a clock; record the source, and replay the recordings together"
    )
  }
}
