import Sluice
import SluiceDevices
import SluiceReadings
import SluiceRecording
import TestFiles
import XCTest

@testable import SluicePipeline

final class RecordingEventTests: XCTestCase {
  private lazy var folder = temporaryFolder()

  private func recorded(
    _ plan: RecordingPlan, _ context: RecordingContext = RecordingContext(), _ meanwhile: (Recording) -> Void = { _ in }
  ) throws -> (events: [RecordingEvent], account: Account) {
    let events = Locked<[RecordingEvent]>([])
    let watching = context.events.publisher.sink { event in events.withLock { $0.append(event) } }
    defer { watching.cancel() }
    let recording = try Recording(plan, context)
    recording.start()
    meanwhile(recording)
    let account = recording.wait()
    return (events.withLock { $0 }, account)
  }

  private func plan(_ outputs: [OutputPlan], count: Int = 20) throws -> RecordingPlan {
    var plan = RecordingPlan(sources: [try SourceSpec("sim:meter@500,seed=1")], outputs: outputs)
    plan.limits.count = count
    return plan
  }

  func testPausesHaveTheTimesOfTheMetadata() throws {
    let (events, account) = try recorded(plan([OutputPlan("\(folder)/a.csv")])) { recording in
      recording.pause()
      recording.pause()
      recording.resume()
      recording.resume()
    }
    let control = events.filter { [.paused, .resumed].contains($0.kind) }
    XCTAssertEqual(control.map(\.kind), [.paused, .resumed], "once each")
    XCTAssertEqual(account.written, 20)
    let pauses = try XCTUnwrap(try MetadataFile(beside: "\(folder)/a.csv").read()?.pauses)
    XCTAssertEqual(pauses.count, 1)
    for (event, time) in zip(control, [pauses.first?.from, pauses.first?.to].compactMap { $0 }) {
      // The time of the event is taken a moment later.
      XCTAssertTrue((0..<1_000_000_000).contains(event.time - time), "\(event) \(time)")
    }
  }

  func testAPartEndsByHand() throws {
    let path = "\(folder)/a.csv"
    let subject = PassthroughSubject<Reading, Never>()
    struct ByHand: ReadingSource {
      let subject: PassthroughSubject<Reading, Never>
      let streams = [StreamDescription(name: "s", channels: [.init(name: "x")])]
      func readings(from first: StreamID, clock: EpochClock) -> AnyPublisher<Reading, SluiceError> {
        subject.setFailureType(to: SluiceError.self).eraseToAnyPublisher()
      }
    }
    func send(_ numbers: ClosedRange<Int64>) {
      for number in numbers { subject.send(Reading(time: number, stream: StreamID(0), values: Values(number))) }
    }
    let plain = try Recording(
      RecordingPlan(sources: [], outputs: [OutputPlan("\(folder)/plain.csv")]), sources: [ByHand(subject: subject)])
    XCTAssertThrowsError(try plain.rotate()) { error in
      XCTAssertEqual(
        "\(error)",
        "cannot begin another part: no output is cut into parts; give an output a rotation (--rotate)")
    }
    let output = OutputPlan(path, rotation: Rotation(size: 1_000_000))
    let recording = try Recording(
      RecordingPlan(sources: [], outputs: [output]), sources: [ByHand(subject: subject)])
    recording.start()
    // There is no part yet.
    try recording.rotate()
    send(1...3)
    try recording.rotate()
    try recording.rotate()
    send(4...5)
    try recording.rotate()
    recording.stop()
    let account = recording.wait()
    XCTAssertEqual(account.written, 5)
    let reader = try TraceReader(path: path)
    XCTAssertEqual(reader.inputs.filter { $0.path.hasSuffix(".csv") && $0.path != path }.count, 2)
    var times: [Int64] = []
    while let reading = try reader.next() { times.append(reading.time) }
    XCTAssertEqual(times, [1, 2, 3, 4, 5])
  }

  func testPartsBeginAndEnd() throws {
    let output = OutputPlan("\(folder)/a.csv", rotation: Rotation(size: 200, keep: Retention(parts: 2)))
    let (events, _) = try recorded(plan([output], count: 60))
    var (open, began, removed) = (String?.none, 0, 0)
    for event in events {
      switch event.kind {
      case .partBegan(let path):
        XCTAssertNil(open)
        (open, began) = (path, began + 1)
      case .partEnded(let path):
        XCTAssertEqual(path, open)
        open = nil
      case .partRemoved(let path):
        XCTAssertFalse(FileManager.default.fileExists(atPath: path))
        removed += 1
      default: break
      }
    }
    XCTAssertNil(open)
    XCTAssertGreaterThan(began, 3)
    XCTAssertEqual(removed, began - 2)
  }

  func testATornTailIsAnEventOfTheOpening() throws {
    let path = folder.file("a.csv", "time_ns,meter\n1,1\n2,0\n3")
    var output = OutputPlan(path)
    output.existing = .append
    let (events, _) = try recorded(plan([output]))
    let cut = events.map(\.kind).filter { if case .tailCut = $0 { true } else { false } }
    XCTAssertEqual(
      cut, [.tailCut(path: path, bytes: 1, sentence: "1 byte after the last whole row, 1 torn row")])
    XCTAssertEqual(cut.first?.text, "\(path): cut off 1 byte after the last whole row, 1 torn row")
  }

  func testAPublicSubscriberGetsWhatComesAfterIt() throws {
    let recording = try Recording(plan([OutputPlan("\(folder)/a.csv")]))
    let kinds = Locked<[RecordingEvent.Kind]>([])
    let watching = recording.events.sink { event in kinds.withLock { $0.append(event.kind) } }
    recording.pause()
    recording.start()
    recording.resume()
    recording.wait()
    watching.cancel()
    XCTAssertEqual(kinds.withLock { $0 }, [.paused, .resumed])
  }

  func testSentencesAndLevels() {
    let error = SluiceError(.failed, "write", "a.csv", because: "no space left on device")
    for (kind, level, text) in [
      (.failed(error), .error, "cannot write a.csv: no space left on device"),
      (
        .sourceRemoved(name: "gpiochip0", device: "/dev/gpiochip0"), .warning,
        "/dev/gpiochip0 was removed; waiting for it"
      ),
      (
        .sourceRemoved(name: "imu", device: "/dev/iio:device0"), .warning,
        "/dev/iio:device0 (imu) was removed; waiting for it"
      ),
      (.sourceBack(name: "imu"), .warning, "imu is back"),
      (
        .outputAway(path: "a.csv", error, nanoseconds: 60_000_000_000, dropped: 1), .warning,
        "cannot write a.csv: no space left on device, for 60 s now; it is tried again; 1 reading was dropped so far"
      ),
      (
        .outputAway(path: "a.csv", error, nanoseconds: 0, dropped: 0), .warning,
        "cannot write a.csv: no space left on device; it is tried again, and readings wait for it"
      ),
      (
        .outputBack(path: "a.csv", nanoseconds: 1_500_000_000, dropped: 0), .warning,
        "a.csv is written again after 1.5 s; it has lost nothing"
      ),
      (.readerLeft(path: "-", error), .notice, "a.csv ends here: no space left on device; the other outputs go on"),
      (.paused, .notice, nil), (.detail("a device"), .detail, "a device"),
    ] as [(RecordingEvent.Kind, RecordingEvent.Kind.Level, String?)] {
      XCTAssertEqual(kind.level, level, "\(kind)")
      XCTAssertEqual(kind.text, text)
    }
  }
}
