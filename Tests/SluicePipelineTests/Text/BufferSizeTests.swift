import SluiceReadings
import XCTest

@testable import SluicePipeline

final class BufferSizeTests: XCTestCase {
  private func streams(_ count: Int, channels: Int = 1) -> [StreamDescription] {
    (0..<count).map { number in
      StreamDescription(
        name: "\(number)", channels: (0..<channels).map { StreamDescription.Channel(name: "\($0)") })
    }
  }

  func testAllStreamsShareTheBudget() {
    for (count, channels) in [(1, 1), (64, 1), (2, 64), (1_000, 9)] {
      let size = BufferSize(nil, for: streams(count, channels: channels), budget: BufferSize.budget)
      XCTAssertLessThanOrEqual(size.bytes, 8 << 20)
      XCTAssertGreaterThan(size.bytes, 7 << 20, "\(count) streams of \(channels)")
    }
    XCTAssertGreaterThan(BufferSize(nil, for: streams(1), budget: BufferSize.budget).readings, 30_000)
    XCTAssertEqual(BufferSize(nil, for: streams(100_000), budget: BufferSize.budget).readings, 1)
  }

  func testWhatIsGivenIsPerStream() {
    let size = BufferSize(32_768, for: streams(64), budget: BufferSize.budget)
    XCTAssertEqual(size.readings, 32_768)
    XCTAssertGreaterThan(size.bytes, 200 << 20)
    XCTAssertTrue(size.text(streams: 64).contains("64 streams, 32,768 readings each"), size.text(streams: 64))
    XCTAssertTrue(BufferSize(1, for: streams(1), budget: nil).text(streams: 1).hasSuffix(" bytes (1 reading)"))
    XCTAssertEqual(BufferSize(.max, for: streams(2), budget: nil).bytes, .max)
    XCTAssertEqual(BufferSize(nil, for: streams(1), budget: nil).readings, 0)
  }
}
