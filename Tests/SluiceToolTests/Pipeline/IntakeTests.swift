import Sluice
import SluiceRecording
import XCTest

@testable import SluiceTool

final class IntakeTests: XCTestCase {
  private let readings: [Reading] = [
    IntakeTests.reading(10, 0, .initialLevel), IntakeTests.reading(11, 0), IntakeTests.reading(12, 1),
    IntakeTests.reading(13, 1, .gapBefore), IntakeTests.reading(14, 1),
    IntakeTests.reading(15, 0, .gapBefore), IntakeTests.reading(16, 0, .gapBefore),
    IntakeTests.reading(17, 2, .gapBefore),
  ]

  private static func reading(_ time: Int64, _ stream: UInt16, _ flags: Reading.Flags = []) -> Reading {
    Reading(time: time, stream: StreamID(stream), values: [1], flags: flags)
  }

  private func check(_ ledgers: [StreamLedger], line: UInt = #line) {
    XCTAssertEqual(ledgers.map { $0.received.load(ordering: .relaxed) }, [4, 3], line: line)
    XCTAssertEqual(ledgers.map(\.flagged.gapBefore.first), [[15, 16], [13]], line: line)
    XCTAssertEqual(ledgers.map(\.flagged.initialLevel.first), [[10], []], line: line)
  }

  /// The last reading is of a stream that there is not.
  func testReadings() {
    let ledgers = [StreamLedger(), StreamLedger()]
    var count = 0
    let cancellable = readings.publisher.setFailureType(to: SluiceError.self)
      .intake(ledgers, quota: nil) { _ in }.sink { _ in count += 1 }
    cancellable.cancel()
    XCTAssertEqual(count, 7)
    check(ledgers)
  }

  func testBlocks() {
    for length in 1...readings.count {
      let ledgers = [StreamLedger(), StreamLedger()]
      let blocks = stride(from: 0, to: readings.count, by: length).map { start in
        readings[start..<min(start + length, readings.count)]
      }
      let cancellable = blocks.publisher.setFailureType(to: SluiceError.self).intake(ledgers, quota: nil) { _ in }.sink
      { _ in }
      cancellable.cancel()
      check(ledgers)
    }
  }
}
