import Dispatch
import Sluice
import SluiceExtras
import XCTest

final class PausableSinkTests: XCTestCase {
  /// In Swift 6 this compiles only if the sink is Sendable.
  func testItIsResumedFromAnotherQueue() {
    let received = Locked<[Int]>([])
    let (paused, ended) = (expectation(description: "paused"), expectation(description: "ended"))
    let sink = (1...3).publisher.pausableSink(
      receiveCompletion: { _ in ended.fulfill() },
      receiveValue: { value in
        received.withLock { $0.append(value) }
        if value == 2 { paused.fulfill() }
        return value != 2
      })
    wait(for: [paused], timeout: 60)
    XCTAssertEqual(received.withLock { $0 }, [1, 2])
    DispatchQueue.global().async { sink.resume() }
    wait(for: [ended], timeout: 60)
    XCTAssertEqual(received.withLock { $0 }, [1, 2, 3])
    XCTAssertFalse(sink.paused)
  }
}
