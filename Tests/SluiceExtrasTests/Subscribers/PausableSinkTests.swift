import Dispatch
import Sluice
import SluiceExtras
import XCTest

final class PausableSinkTests: XCTestCase {
  func testItDeliversNothingWhilePaused() {
    let subject = PassthroughSubject<Int, Never>()
    var values: [Int] = []
    var ended = false
    let sink = subject.buffer(size: 10, prefetch: .byRequest, whenFull: .dropNewest).pausableSink(
      receiveCompletion: { _ in ended = true },
      receiveValue: {
        values.append($0)
        return $0 % 2 == 0
      })
    for value in 1...6 { subject.send(value) }
    subject.send(completion: .finished)
    XCTAssertEqual(values, [1])
    XCTAssertTrue(sink.paused)
    sink.resume()
    XCTAssertEqual(values, [1, 2, 3])
    sink.resume()
    XCTAssertEqual(values, [1, 2, 3, 4, 5])
    XCTAssertFalse(ended)
    sink.resume()
    XCTAssertEqual(values, [1, 2, 3, 4, 5, 6])
    XCTAssertTrue(ended)
    sink.cancel()
  }

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
