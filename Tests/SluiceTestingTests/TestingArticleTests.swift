import Dispatch
import Sluice
import SluiceDispatch
import SluiceExtras
import SluiceTesting
import XCTest

/// What the article of SluiceTesting shows, word for word: ArticleTests compares the two.
final class TestingArticleTests: XCTestCase {
  func testRecordAndExpect() throws {
    let recorder = (1...4).publisher.map { $0 * 10 }.record()
    XCTAssertEqual(try recorder.next(), 10)
    XCTAssertEqual(try recorder.next(2), [20, 30])
    try recorder.finished()
    XCTAssertEqual(try recorder.elements(), [10, 20, 30, 40])
  }

  func testInAnAsynchronousTest() async throws {
    let sensor = PassthroughSubject<Int, Never>()
    let recorder = sensor.receive(on: DispatchQueue.main).record()
    sensor.send(7)
    let first = try await recorder.next(within: .seconds(5))
    XCTAssertEqual(first, 7)
  }

  func testASentence() {
    var printed: [String] = []
    func print(_ error: any Error) { printed.append("\(error)") }
    let sensor = PassthroughSubject<Int, Never>()
    let recorder = sensor.record()
    sensor.send(7)
    do {
      _ = try recorder.next(2, within: .milliseconds(1))
    } catch {
      print(error)  // awaited values 1 to 2 within 0.001 seconds; 1 value (7) came until then
    }
    XCTAssertEqual(printed, ["awaited values 1 to 2 within 0.001 seconds; 1 value (7) came until then"])
  }

  func testVirtualTime() {
    let time = VirtualTimeScheduler()
    let keys = PassthroughSubject<String, Never>()
    let recorder = keys.debounce(for: .milliseconds(300), scheduler: time).record()
    keys.send("a")
    keys.send("ab")
    XCTAssertEqual(recorder.values, [])
    time.advance(by: .seconds(1))
    XCTAssertEqual(try recorder.next(within: .zero), "ab")
  }

  func testBothEnds() {
    let upstream = TestPublisher<Int, Never>()
    let subscriber = upstream.filter { $0 > 1 }.record(initial: .max(1))
    XCTAssertEqual(upstream.requests, [.max(1)])
    XCTAssertEqual(upstream.send(1), .max(1))  // the filter wants another
    upstream.send(2)
    XCTAssertEqual(subscriber.values, [2])
    XCTAssertEqual(subscriber.violations, [])
  }
}
