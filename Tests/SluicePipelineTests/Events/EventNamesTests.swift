import SluiceReadings
import SluiceRecording
import XCTest

@testable import SluicePipeline

final class EventNamesTests: XCTestCase {
  private let error = SluiceError("write", "a.csv", errno: 28)

  private var all: [RecordingEvent.Kind] {
    [
      .paused, .resumed, .marked("door \"open\""), .planChanged(["a stage"]), .suspended,
      .clockChanged(TraceMetadata.ClockChange(time: 1, cause: .set, offset: 2)),
      .clockExceeded(TraceMetadata.ClockExcess(from: 1, to: nil, greatest: 3)), .failed(error),
      .sourceRemoved(name: "imu", device: "iio:device0"), .sourceAway(name: "imu", error), .sourceBack(name: "imu"),
      .readFailed(error), .settingsRestored(device: "iio:device0", failure: nil),
      .outputAway(path: "a.csv", error, nanoseconds: 5, dropped: 6),
      .outputBack(path: "a.csv", nanoseconds: 5, dropped: 6), .readerLeft(path: "a.csv", error),
      .tailCut(path: "a.csv", bytes: 7, sentence: "half a row"),
      .damageKept(path: "a.mcap", bytes: 7, offset: 8, cause: "it is torn"), .cutBack(path: "a.csv", bytes: 7),
      .spillFull(path: "a.csv", error), .spillGoesOn(path: "a.csv"),
      .spoolResumed(path: "http://h/write", folder: "s", readings: 1),
      .spoolKept(path: "http://h/write", folder: "s", readings: 2), .spoolDrops(path: "http://h/write", error),
      .spoolFault(path: "http://h/write", error),
      .readingsRefused(path: "http://h/write", error, readings: 1, file: nil), .serverWarned(path: "mqtt://h/t", error),
      .emptyPartRemoved(path: "a.1.csv"), .begunAnew(path: "a.csv"),
      .clockBehindRows(path: "a.csv", now: 1, last: 2), .newestPartContinued(path: "a.csv", part: "a.1.csv"),
      .partBegan(path: "a.csv"), .partEnded(path: "a.csv"), .partRemoved(path: "a.csv"), .partKept(error),
      .partialFileRemoved(path: "a.csv"), .partialFileKept(path: "a.csv"),
      .windowShortened(held: 8), .total("t"), .notice("n"), .detail("d"),
    ]
  }

  func testTheNames() {
    XCTAssertEqual(all.map(\.name), RecordingEvent.Kind.names)
    XCTAssertEqual(Set(RecordingEvent.Kind.names).count, RecordingEvent.Kind.names.count)
    XCTAssertTrue(Set(RecordingEvent.Kind.attentionNames).isSubset(of: RecordingEvent.Kind.names))
    for kind in all where kind.level == .error || kind.level == .detail {
      XCTAssertEqual(RecordingEvent.Kind.attentionNames.contains(kind.name), kind.level == .error, kind.name)
    }
  }

  func testTheJSON() {
    XCTAssertEqual(
      RecordingEvent(time: 9, kind: .marked("door \"open\"")).json.text,
      #"{"time_ns": 9, "kind": "marked", "mark": "door \"open\""}"#)
    XCTAssertEqual(
      RecordingEvent(time: 9, kind: .outputBack(path: "a.csv", nanoseconds: 1_500_000_000, dropped: 0)).json.text,
      #"{"time_ns": 9, "kind": "output-back", "path": "a.csv", "nanoseconds": 1500000000, "dropped": 0, "text": "a.csv is written again after 1.5 s; it has lost nothing"}"#
    )
  }
}
