import Sluice
import XCTest

final class FailureTests: XCTestCase {
  private typealias Failing = Fail<Int, TestError>
  private let failing = Fail<Int, TestError>(error: .first)

  func testCatch() {
    let p: Publishers.Catch<Failing, Just<Int>> = failing.catch { error in Just(error == .first ? 1 : 2) }
    XCTAssertEqual(history(p), ["1", "finished"])
    XCTAssertEqual(p.handler(.second).output, 2)
    let never: AnyPublisher<Int, Never> = p.eraseToAnyPublisher()
    XCTAssertEqual(history(never), ["1", "finished"])
    let t: Publishers.TryCatch<Failing, Just<Int>> = failing.tryCatch { error -> Just<Int> in
      if error == .first { throw TestError.second }
      return Just(3)
    }
    XCTAssertEqual(history(t), ["second"])
    XCTAssertEqual(history(Publishers.Catch(upstream: failing, handler: { _ in Just(4) })), ["4", "finished"])
    XCTAssertEqual(history(Publishers.TryCatch(upstream: failing, handler: { _ in Just(5) })), ["5", "finished"])
  }

  func testRetry() {
    var attempts = 0
    let source = Deferred { () -> Fail<Int, TestError> in
      attempts += 1
      return Fail(error: .first)
    }
    let p: Publishers.Retry<Deferred<Failing>> = source.retry(2)
    XCTAssertEqual(p.retries, 2)
    XCTAssertEqual(history(p), ["first"])
    XCTAssertEqual(attempts, 3)
    XCTAssertNil(Publishers.Retry(upstream: source, retries: nil).retries)
  }

  func testAssertNoFailure() {
    let values = Just(1).setFailureType(to: TestError.self)
    let p: AnyPublisher<Int, Never> = values.assertNoFailure("never").eraseToAnyPublisher()
    XCTAssertEqual(history(p), ["1", "finished"])
    let explicit = Publishers.AssertNoFailure(upstream: values, prefix: "x", file: #file, line: 7)
    XCTAssertEqual(explicit.prefix, "x")
    XCTAssertEqual(explicit.line, 7)
  }
}
