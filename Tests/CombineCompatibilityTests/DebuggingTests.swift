import Sluice
import XCTest

final class DebuggingTests: XCTestCase {
  private final class Output: TextOutputStream {
    var text = ""
    func write(_ string: String) { text += string }
  }

  func testPrint() {
    let output = Output()
    let p: Publishers.Print<AnyPublisher<Int, Never>> = Just(1).eraseToAnyPublisher().print("n", to: output)
    XCTAssertEqual(p.prefix, "n")
    XCTAssertNotNil(p.stream)
    XCTAssertEqual(history(p), ["1", "finished"])
    XCTAssertTrue(output.text.contains("n: request unlimited\nn: receive value: (1)\n"), output.text)
    XCTAssertTrue(output.text.hasSuffix("n: receive finished\n"), output.text)
    XCTAssertEqual(history(Publishers.Print(upstream: Just(2), prefix: "", to: output)), ["2", "finished"])
  }

  func testHandleEvents() {
    var log: [String] = []
    var p: Publishers.HandleEvents<Just<Int>> = Just(1).handleEvents(
      receiveSubscription: { _ in log.append("subscription") },
      receiveOutput: { log.append("output \($0)") },
      receiveCompletion: { log.append("completion \($0)") },
      receiveCancel: { log.append("cancel") },
      receiveRequest: { log.append("request \($0)") })
    XCTAssertEqual(history(p), ["1", "finished"])
    XCTAssertEqual(log, ["subscription", "request unlimited", "output 1", "completion finished"])
    p.receiveOutput = nil
    XCTAssertNotNil(p.receiveCancel)
    XCTAssertEqual(history(p.receiveOutput == nil ? p.upstream : Just(0)), ["1", "finished"])
    let explicit = Publishers.HandleEvents(upstream: Just(2), receiveOutput: { log.append("\($0)") })
    XCTAssertEqual(history(explicit), ["2", "finished"])
    XCTAssertEqual(log.last, "2")
  }

  func testBreakpoint() {
    var asked = 0
    let p: Publishers.Breakpoint<Just<Int>> = Just(1).breakpoint(
      receiveSubscription: { _ in
        asked += 1
        return false
      },
      receiveOutput: { _ in
        asked += 1
        return false
      },
      receiveCompletion: { _ in
        asked += 1
        return false
      })
    XCTAssertEqual(history(p), ["1", "finished"])
    XCTAssertEqual(asked, 3)
    XCTAssertEqual(p.receiveOutput?(1), false)
    XCTAssertEqual(history(Just(1).breakpointOnError()), ["1", "finished"])
    XCTAssertNil(Publishers.Breakpoint(upstream: Just(2)).receiveOutput)
  }
}
