import Sluice
import SluiceReadings
import XCTest

@testable import SluicePipeline

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
    XCTAssertEqual(ledgers.map(\.flagged.gapBefore.times), [[15, 16], [13]], line: line)
    XCTAssertEqual(ledgers.map(\.flagged.initialLevel.times), [[10], []], line: line)
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

  func testRuns() {
    for length in 1...readings.count {
      let ledgers = [StreamLedger(), StreamLedger()]
      let collected = Locked<[Reading]>([])
      let upstream = Upstream { subscriber in
        for start in stride(from: 0, to: self.readings.count, by: length) {
          let run = self.readings[start..<min(start + length, self.readings.count)]
          XCTAssertEqual(subscriber._receive(run: run) { true }.count, run.count)
        }
      }
      let cancellable = upstream.intake(ledgers, quota: nil) { _ in }.sink { reading in
        collected.withLock { $0.append(reading) }
      }
      cancellable.cancel()
      XCTAssertEqual(collected.withLock { $0.count }, 7)
      check(ledgers)
    }
  }

  private struct Upstream: Publisher {
    typealias Output = Reading
    typealias Failure = SluiceError
    let send: (AnySubscriber<Reading, SluiceError>) -> Void

    func receive<S: Subscriber>(subscriber: S) where S.Input == Reading, S.Failure == SluiceError {
      subscriber.receive(subscription: Subscriptions.empty)
      send(AnySubscriber(subscriber))
    }
  }
}
