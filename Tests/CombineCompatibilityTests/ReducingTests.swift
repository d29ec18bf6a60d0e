import Sluice
import XCTest

final class ReducingTests: XCTestCase {
  private let numbers: AnyPublisher<Int, Never> = [3, 1, 2].publisher.eraseToAnyPublisher()
  private typealias Upstream = AnyPublisher<Int, Never>

  func testCollect() {
    let all: Publishers.Collect<Upstream> = numbers.collect()
    XCTAssertEqual(history(all), ["[3, 1, 2]", "finished"])
    let two: Publishers.CollectByCount<Upstream> = numbers.collect(2)
    XCTAssertEqual(history(two), ["[3, 1]", "[2]", "finished"])
    XCTAssertEqual(two.count, 2)
    XCTAssertEqual(history(Publishers.Collect(upstream: numbers)), ["[3, 1, 2]", "finished"])
    XCTAssertEqual(history(Publishers.CollectByCount(upstream: numbers, count: 1)).count, 4)
  }

  func testReduce() throws {
    let p: Publishers.Reduce<Upstream, String> = numbers.reduce("") { $0 + String($1) }
    XCTAssertEqual(history(p), ["312", "finished"])
    XCTAssertEqual(p.initial, "")
    XCTAssertEqual(p.nextPartialResult("a", 1), "a1")
    let t: Publishers.TryReduce<Upstream, Int> = numbers.tryReduce(0) { sum, n in
      if n == 2 { throw TestError.first }
      return sum + n
    }
    XCTAssertEqual(history(t), ["first"])
    XCTAssertEqual(try t.nextPartialResult(1, 3), 4)
    XCTAssertEqual(
      history(Publishers.Reduce(upstream: numbers, initial: 1, nextPartialResult: *)), ["6", "finished"])
    XCTAssertEqual(
      history(Publishers.TryReduce(upstream: numbers, initial: 0, nextPartialResult: { $0 + $1 })), ["6", "finished"])
  }

  func testCountMinMax() throws {
    let c: Publishers.Count<Upstream> = numbers.count()
    XCTAssertEqual(history(c), ["3", "finished"])
    XCTAssertEqual(history(Publishers.Count(upstream: numbers)), ["3", "finished"])
    let smallest: Publishers.Comparison<Upstream> = numbers.min()
    let largest: Publishers.Comparison<Upstream> = numbers.max()
    XCTAssertEqual(history(smallest), ["1", "finished"])
    XCTAssertEqual(history(largest), ["3", "finished"])
    XCTAssertEqual(history(numbers.min(by: >)), ["3", "finished"])
    XCTAssertEqual(history(numbers.max(by: >)), ["1", "finished"])
    XCTAssertEqual(history(numbers.max { $0 < $1 }), ["3", "finished"])
    let t: Publishers.TryComparison<Upstream> = numbers.tryMax { _, _ in throw TestError.first }
    XCTAssertEqual(history(t), ["first"])
    XCTAssertThrowsError(try t.areInIncreasingOrder(1, 2))
    XCTAssertEqual(history(numbers.tryMin { $0 < $1 }), ["1", "finished"])
    XCTAssertEqual(
      history(Publishers.Comparison(upstream: numbers, areInIncreasingOrder: <)), ["3", "finished"])
  }

  func testContains() throws {
    let p: Publishers.Contains<Upstream> = numbers.contains(1)
    XCTAssertEqual(history(p), ["true", "finished"])
    XCTAssertEqual(p.output, 1)
    let w: Publishers.ContainsWhere<Upstream> = numbers.contains(where: { $0 > 5 })
    XCTAssertEqual(history(w), ["false", "finished"])
    XCTAssertTrue(w.predicate(6))
    let t: Publishers.TryContainsWhere<Upstream> = numbers.tryContains(where: { try !refuse(1)($0) })
    XCTAssertEqual(history(t), ["first"])
    XCTAssertFalse(try t.predicate(3))
    XCTAssertEqual(history(Publishers.Contains(upstream: numbers, output: 4)), ["false", "finished"])
    XCTAssertEqual(history(Publishers.ContainsWhere(upstream: numbers, predicate: { $0 == 1 })), ["true", "finished"])
    XCTAssertEqual(
      history(Publishers.TryContainsWhere(upstream: numbers, predicate: refuse(9))), ["true", "finished"])
  }

  func testAllSatisfy() throws {
    let p: Publishers.AllSatisfy<Upstream> = numbers.allSatisfy { $0 > 0 }
    XCTAssertEqual(history(p), ["true", "finished"])
    XCTAssertFalse(p.predicate(0))
    let t: Publishers.TryAllSatisfy<Upstream> = numbers.tryAllSatisfy(refuse(1))
    XCTAssertEqual(history(t), ["first"])
    XCTAssertTrue(try t.predicate(2))
    XCTAssertEqual(history(Publishers.AllSatisfy(upstream: numbers, predicate: { $0 > 1 })), ["false", "finished"])
    XCTAssertEqual(history(Publishers.TryAllSatisfy(upstream: numbers, predicate: refuse(9))), ["true", "finished"])
  }
}
