import Sluice
import XCTest

final class ConcurrencyTests: XCTestCase {
  func testValues() async {
    var values: [Int] = []
    for await value in (1...3).publisher.map({ $0 * 2 }).values { values.append(value) }
    XCTAssertEqual(values, [2, 4, 6])
    let sequence: AsyncPublisher<Just<Int>> = Just(1).values
    for await value in sequence { values.append(value) }
    XCTAssertEqual(values.last, 1)
  }

  func testThrowingValues() async {
    var values: [Int] = []
    do {
      let failing = [1, 2].publisher.setFailureType(to: TestError.self).append(Fail(error: .first))
      for try await value in failing.values { values.append(value) }
      XCTFail("no error")
    } catch {
      XCTAssertEqual(error as? TestError, .first)
    }
    XCTAssertEqual(values, [1, 2])
    let sequence: AsyncThrowingPublisher<Fail<Int, TestError>> = Fail(error: .second).values
    do {
      for try await _ in sequence {}
      XCTFail("no error")
    } catch {
      XCTAssertEqual(error as? TestError, .second)
    }
  }

  func testFutureValue() async throws {
    let value = await Future<Int, Never> { $0(.success(1)) }.value
    XCTAssertEqual(value, 1)
    do {
      _ = try await Future<Int, TestError> { $0(.failure(.first)) }.value
      XCTFail("no error")
    } catch {
      XCTAssertEqual(error as? TestError, .first)
    }
    let fromTask = Future<Int, Never> { promise in
      Task { promise(.success(2)) }
    }
    let later = await fromTask.value
    XCTAssertEqual(later, 2)
  }
}
