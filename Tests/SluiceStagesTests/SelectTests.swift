import SluiceReadings
import XCTest

@testable import SluiceStages

final class SelectTests: XCTestCase {
  private let streams = [
    StreamDescription(name: "imu", channels: [.init(name: "x"), .init(name: "y"), .init(name: "z")]),
    StreamDescription(name: "door", channels: [.init(name: "level", format: StreamDescription.Channel.level)]),
    StreamDescription(name: "other", channels: [.init(name: "x"), .init(name: "temp")]),
  ]

  private func selected(_ names: [String]) throws -> (streams: [[String]], values: [[Int64]]) {
    let processor = try Select(names, inputs: InputStreams(streams))
    let readings = [
      Reading(time: 1, stream: StreamID(0), values: [1, 2, 3]), Reading(time: 2, stream: StreamID(1), values: [4]),
      Reading(time: 3, stream: StreamID(2), values: [5, 6], flags: .gapBefore),
      Reading(time: 4, stream: .none, values: []),
    ]
    let made = outputs(of: processor, readings)
    XCTAssertEqual(made.last?.time, 4, "a mark passes")
    XCTAssertTrue(made.allSatisfy { $0.flags == (3 == $0.time ? .gapBefore : []) })
    return (
      processor.streams.map { $0.channels.map(\.name) }, made.dropLast().map { $0.values.map(\.significand) }
    )
  }

  func testStreamsAndChannels() throws {
    var (streams, values) = try selected(["door", "imu.z", "imu.x"])
    XCTAssertEqual(streams, [["z", "x"], ["level"], []])
    XCTAssertEqual(values, [[3, 1], [4]])
    (streams, values) = try selected(["x"])
    XCTAssertEqual(streams, [["x"], [], ["x"]])
    XCTAssertEqual(values, [[1], [5]])
    (streams, values) = try selected(["other"])
    XCTAssertEqual(streams, [[], [], ["x", "temp"]])
    XCTAssertEqual(values, [[5, 6]])
  }

  func testAMissingChannelOfAReadingStaysMissing() throws {
    let processor = try Select(["imu.z"], inputs: InputStreams(streams))
    let made = outputs(of: processor, [Reading(time: 1, stream: StreamID(0), values: [1])])
    XCTAssertEqual(made.map { $0.values.map(\.isMissing) }, [[true]])
  }

  func testWhatIsRefused() {
    func refusal(_ names: [String]) -> SluiceError? {
      do throws(SluiceError) {
        _ = try Select(names, inputs: InputStreams(streams))
        return nil
      } catch { return error }
    }
    XCTAssertEqual(refusal(["imu.w"])?.code, .notFound)
    XCTAssertTrue(refusal(["dor"])?.description.contains("did you mean door") == true)
    XCTAssertEqual(refusal(["imu", "imu.x"])?.code, .usage)
    XCTAssertEqual(refusal(["imu.x", "x"])?.code, .usage)
    XCTAssertEqual(refusal(["door", "door"])?.code, .usage)
  }
}
