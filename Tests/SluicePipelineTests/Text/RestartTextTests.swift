import XCTest

@testable import SluicePipeline
@testable import SluiceRecording

final class RestartTextTests: XCTestCase {
  private func text(_ restarts: (ended: Int64?, began: Int64)...) -> String? {
    var metadata = TraceMetadata(path: "e.csv-metadata.json")
    metadata.restarts = restarts.map { TraceMetadata.Restart(ended: $0.ended, began: $0.began, streams: []) }
    return metadata.restartText
  }

  func testSentences() {
    XCTAssertNil(text())
    XCTAssertEqual(text((1_000_000_000, 3_000_000_000)), "nothing was recorded for 2.000 s between 2 runs")
    XCTAssertEqual(text((nil, 3_000_000_000)), "nothing was recorded for an unknown time between 2 runs")
    XCTAssertEqual(
      text((1_000_000_000, 3_000_000_000), (nil, 9)), "nothing was recorded for at least 2.000 s between 3 runs")
  }

  /// A clock that was set back says nothing about the length.
  func testAClockThatWasSetBack() {
    XCTAssertEqual(text((3_000_000_000, 1_000_000_000)), "nothing was recorded for an unknown time between 2 runs")
  }
}
