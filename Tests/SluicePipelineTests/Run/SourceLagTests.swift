import XCTest

@testable import SluicePipeline

final class SourceLagTests: XCTestCase {
  private let ledgers = [StreamLedger(), StreamLedger(), StreamLedger()]

  private func receive(_ time: Int64, _ stream: Int = 0) {
    ledgers[stream].lastTime.store(time, ordering: .relaxed)
    ledgers[stream].received.add(1, ordering: .releasing)
  }

  func testOneSource() {
    let lag = SourceLag([Array(ledgers[..<2])], lateness: 20)
    XCTAssertNil(lag.promise(at: 1_000), "nothing has come")
    receive(500)
    XCTAssertEqual(lag.promise(at: 1_100), 480, "its next reading may be as late as any other")
    XCTAssertEqual(lag.promise(at: 1_200), 580, "a silence ends windows, as late as its source is")
    receive(620, 1)
    XCTAssertEqual(lag.promise(at: 1_300), 600)
    receive(1_390)
    XCTAssertEqual(lag.promise(at: 1_400), 1_380, "its clock was set")
    receive(5_000)
    XCTAssertEqual(lag.promise(at: 1_500), 1_480, "a clock that is ahead promises nothing more")
    receive(200)
    receive(150, 1)
    XCTAssertEqual(lag.promise(at: 1_600), 180, "it was set back")
    XCTAssertEqual(lag.promise(at: 1_700), 280)
  }

  func testTheOneThatIsLeastBehindCounts() {
    let lag = SourceLag([Array(ledgers[..<1]), Array(ledgers[1...])], lateness: 0)
    receive(500, 2)
    XCTAssertEqual(lag.promise(at: 1_000), 500)
    receive(900)
    XCTAssertEqual(lag.promise(at: 1_000), 900)
    // It is silent, and does not wait for the clock of the other.
    for tick in Int64(1)...10 {
      receive(500 + tick * 100, 1)
      XCTAssertEqual(lag.promise(at: 1_000 + tick * 100), 900 + tick * 100)
    }
  }

  func testTimesAtTheEnds() {
    let lag = SourceLag([Array(ledgers[..<1])], lateness: 0)
    receive(.min)
    XCTAssertEqual(lag.promise(at: 1_000), 1_000 - .max)
    XCTAssertEqual(lag.promise(at: -10), .min)
    receive(.max)
    XCTAssertEqual(lag.promise(at: 5), 5)
  }
}
