import XCTest

@testable import SluicePipeline

final class SourceLagTests: XCTestCase {
  private let ledgers = [StreamLedger(), StreamLedger()]

  private func receive(_ time: Int64, _ stream: Int = 0) {
    ledgers[stream].received.add(1, ordering: .relaxed)
    ledgers[stream].newest.store(time, ordering: .relaxed)
  }

  func testPromises() {
    let lag = SourceLag(ledgers)
    XCTAssertEqual(lag.promise(at: 1_000), 1_000, "nothing has come")
    receive(1_050)
    XCTAssertEqual(lag.promise(at: 1_100), 1_050)
    XCTAssertEqual(lag.promise(at: 1_200), 1_150, "a silence ends windows, as late as its source is")
    receive(1_500)
    XCTAssertEqual(lag.promise(at: 1_300), 1_300, "a source that is ahead promises nothing more")
    receive(-5_000, 1)
    XCTAssertEqual(lag.promise(at: 1_400), 1_400, "one that is behind does not keep the other waiting")
    receive(200)
    XCTAssertEqual(lag.promise(at: 1_600), 200, "its clock was set back")
    XCTAssertEqual(lag.promise(at: 1_700), 300)
  }

  func testTimesAtTheEnds() {
    let lag = SourceLag([ledgers[0]])
    receive(.min)
    XCTAssertEqual(lag.promise(at: 1_000), 1_000 - .max)
    XCTAssertEqual(lag.promise(at: -10), .min)
    receive(.max)
    XCTAssertEqual(lag.promise(at: .min), .min)
  }
}
