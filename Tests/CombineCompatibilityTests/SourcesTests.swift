import Dispatch
import Sluice
import XCTest

final class SourcesTests: XCTestCase {
  func testJustEmptyFailDeferred() {
    let just: Just<Int> = Just(1)
    XCTAssertEqual(just.output, 1)
    XCTAssertEqual(just, Just(1))
    XCTAssertEqual(history(just), ["1", "finished"])
    let empty: Empty<Int, TestError> = Empty()
    XCTAssertEqual(history(empty), ["finished"])
    XCTAssertEqual(history(Empty<Int, Never>(completeImmediately: false)), [])
    XCTAssertEqual(empty, Empty(completeImmediately: true, outputType: Int.self, failureType: TestError.self))
    let fail: Fail<Int, TestError> = Fail(outputType: Int.self, failure: .first)
    XCTAssertEqual(history(fail), ["first"])
    XCTAssertEqual(fail.error, .first)
    XCTAssertEqual(fail, Fail(error: .first))
    var made = 0
    let deferred: Deferred<Just<Int>> = Deferred {
      made += 1
      return Just(made)
    }
    XCTAssertEqual(made, 0)
    XCTAssertEqual(history(deferred) + history(deferred), ["1", "finished", "2", "finished"])
    XCTAssertEqual(deferred.createPublisher().output, 3)
  }

  func testFuture() {
    let now = Future<Int, TestError> { promise in promise(.success(1)) }
    XCTAssertEqual(history(now), ["1", "finished"])
    XCTAssertEqual(history(Future<Int, TestError> { $0(.failure(.second)) }), ["second"])
    let done = expectation(description: "later")
    let later = Future<Int, Never> { promise in
      DispatchQueue.global().async { promise(.success(2)) }
    }
    let cancellable = later.sink(receiveCompletion: { _ in done.fulfill() }, receiveValue: { XCTAssertEqual($0, 2) })
    wait(for: [done], timeout: 60)
    cancellable.cancel()
    XCTAssertEqual(history(later), ["2", "finished"])
    let promise: Future<Int, Never>.Promise = { result in XCTAssertEqual(result, .success(3)) }
    promise(.success(3))
  }

  func testRecord() {
    let p = Record<Int, TestError> { recording in
      recording.receive(1)
      recording.receive(2)
      recording.receive(completion: .failure(.first))
    }
    XCTAssertEqual(history(p), ["1", "2", "first"])
    XCTAssertEqual(p.recording.output, [1, 2])
    XCTAssertEqual(p.recording.completion, .failure(.first))
    XCTAssertEqual(history(Record<Int, Never>(output: [3], completion: .finished)), ["3", "finished"])
    let recording = Record<Int, Never>.Recording(output: [4], completion: .finished)
    XCTAssertEqual(history(Record(recording: recording)), ["4", "finished"])
  }

  func testOptionalResultSequence() {
    let some: Optional<Int>.Publisher = Optional(1).publisher
    XCTAssertEqual(history(some), ["1", "finished"])
    XCTAssertEqual(some.output, 1)
    XCTAssertEqual(history(Optional<Int>.Publisher(nil)), ["finished"])
    let success: Result<Int, TestError>.Publisher = Result.success(2).publisher
    XCTAssertEqual(history(success), ["2", "finished"])
    XCTAssertEqual(success.result, .success(2))
    XCTAssertEqual(history(Result<Int, TestError>.Publisher(.second)), ["second"])
    XCTAssertEqual(history(Result<Int, TestError>.Publisher(3)), ["3", "finished"])
    let sequence: Publishers.Sequence<ClosedRange<Int>, Never> = (1...2).publisher
    XCTAssertEqual(history(sequence), ["1", "2", "finished"])
    XCTAssertEqual(sequence.sequence, 1...2)
    XCTAssertEqual(history(Publishers.Sequence<[Int], TestError>(sequence: [4])), ["4", "finished"])
    XCTAssertEqual([1].publisher, [1].publisher)
  }

  /// Of publishers of what is known already the operators are such publishers again.
  func testOperatorsOfPlainPublishers() {
    let doubled: Just<Int> = Just(1).map { $0 * 2 }
    XCTAssertEqual(doubled, Just(2))
    let filtered: Optional<Int>.Publisher = Just(1).filter { $0 > 1 }
    XCTAssertEqual(filtered, Optional<Int>.Publisher(nil))
    let typed: Result<Int, TestError>.Publisher = Just(1).setFailureType(to: TestError.self)
    XCTAssertEqual(history(typed), ["1", "finished"])
    let tried: Result<Int, Error>.Publisher = Just(1).tryMap { _ in throw TestError.first }
    XCTAssertEqual(history(tried), ["first"])
    let length: Optional<Int>.Publisher = Optional("ab").publisher.map(\.count)
    XCTAssertEqual(history(length), ["2", "finished"])
    let replaced: Just<Int> = Optional<Int>.none.publisher.replaceEmpty(with: 7)
    XCTAssertEqual(replaced.output, 7)
    let mapped: Result<String, TestError>.Publisher = Result<Int, TestError>.success(1).publisher.map { "\($0)" }
    XCTAssertEqual(mapped.result, .success("1"))
    let texts: Publishers.Sequence<[String], Never> = [1, 2].publisher.map { "\($0)" }
    XCTAssertEqual(texts.sequence, ["1", "2"])
    let dropped: Publishers.Sequence<DropFirstSequence<[Int]>, Never> = [1, 2].publisher.dropFirst()
    XCTAssertEqual(history(dropped), ["2", "finished"])
    let all: Result<[Int], Never>.Publisher = (1...2).publisher.collect()
    XCTAssertEqual(history(all), ["[1, 2]", "finished"])
    let count: Just<Int> = [1, 2].publisher.count()
    XCTAssertEqual(count, Just(2))
    let first: Optional<Int>.Publisher = [1, 2].publisher.first()
    XCTAssertEqual(history(first), ["1", "finished"])
    let sum: Result<Int, Never>.Publisher = [1, 2].publisher.reduce(0, +)
    XCTAssertEqual(history(sum), ["3", "finished"])
    let generic: Publishers.Map<Publishers.Sequence<[Int], Never>, Int> = [1].publisher.map { $0 + 1 }
    XCTAssertEqual(history(generic), ["2", "finished"])
  }

  func testAnyPublisher() {
    let erased: AnyPublisher<Int, TestError> = AnyPublisher(Just(1).setFailureType(to: TestError.self))
    XCTAssertEqual(history(erased), ["1", "finished"])
    func opaque() -> some Publisher<Int, Never> { Just(2) }
    func existential() -> any Publisher<Int, Never> { Just(3) }
    XCTAssertEqual(history(opaque()) + history(existential()), ["2", "finished", "3", "finished"])
    func generic<P: Publisher>(_ p: P) -> AnyPublisher<P.Output, Error> where P.Failure: Error {
      p.mapError { $0 as Error }.eraseToAnyPublisher()
    }
    XCTAssertEqual(history(generic(erased)), ["1", "finished"])
  }
}
