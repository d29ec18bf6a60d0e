import Sluice
import XCTest

final class FilteringTests: XCTestCase {
  private let numbers: AnyPublisher<Int, Never> = [1, 2, 2, 3].publisher.eraseToAnyPublisher()
  private let none: AnyPublisher<Int, Never> = Empty().eraseToAnyPublisher()
  private typealias Upstream = AnyPublisher<Int, Never>

  func testFilter() throws {
    let p: Publishers.Filter<Upstream> = numbers.filter { $0 > 1 }
    XCTAssertEqual(history(p), ["2", "2", "3", "finished"])
    XCTAssertTrue(p.isIncluded(2))
    let again: Publishers.Filter<Upstream> = p.filter { $0 > 2 }
    XCTAssertEqual(history(again), ["3", "finished"])
    let t: Publishers.TryFilter<Upstream> = numbers.tryFilter(refuse(3))
    XCTAssertEqual(history(t), ["1", "2", "2", "first"])
    XCTAssertEqual(try t.isIncluded(1), true)
    XCTAssertEqual(history(Publishers.Filter(upstream: numbers, isIncluded: { $0 == 1 })), ["1", "finished"])
    XCTAssertEqual(history(Publishers.TryFilter(upstream: numbers, isIncluded: refuse(1))), ["first"])
  }

  func testRemoveDuplicates() throws {
    let p: Publishers.RemoveDuplicates<Upstream> = numbers.removeDuplicates()
    XCTAssertEqual(history(p), ["1", "2", "3", "finished"])
    XCTAssertTrue(p.predicate(1, 1))
    XCTAssertEqual(history(numbers.removeDuplicates { $0 % 2 == $1 % 2 }), ["1", "2", "3", "finished"])
    let t: Publishers.TryRemoveDuplicates<Upstream> = numbers.tryRemoveDuplicates { a, b in
      if b == 3 { throw TestError.first }
      return a == b
    }
    XCTAssertEqual(history(t), ["1", "2", "first"])
    XCTAssertTrue(try t.predicate(4, 4))
    XCTAssertEqual(
      history(Publishers.RemoveDuplicates(upstream: numbers, predicate: { _, _ in true })), ["1", "finished"])
  }

  func testReplacing() {
    let e: Publishers.ReplaceEmpty<Upstream> = none.replaceEmpty(with: 7)
    XCTAssertEqual(history(e), ["7", "finished"])
    XCTAssertEqual(e.output, 7)
    let f: Publishers.ReplaceError<Fail<Int, TestError>> = Fail(error: TestError.first).replaceError(with: 8)
    XCTAssertEqual(history(f), ["8", "finished"])
    XCTAssertEqual(f.output, 8)
    XCTAssertEqual(history(Publishers.ReplaceEmpty(upstream: numbers, output: 9)).count, 5)
    XCTAssertEqual(
      history(Publishers.ReplaceError(upstream: Fail<Int, TestError>(error: .first), output: 1)), ["1", "finished"])
    let i: Publishers.IgnoreOutput<Upstream> = numbers.ignoreOutput()
    XCTAssertEqual(history(i), ["finished"])
    let never: AnyPublisher<Never, Never> = Publishers.IgnoreOutput(upstream: numbers).eraseToAnyPublisher()
    XCTAssertEqual(history(never), ["finished"])
  }

  func testFirst() throws {
    let p: Publishers.First<Upstream> = numbers.first()
    XCTAssertEqual(history(p), ["1", "finished"])
    let w: Publishers.FirstWhere<Upstream> = numbers.first(where: { $0 > 1 })
    XCTAssertEqual(history(w), ["2", "finished"])
    XCTAssertFalse(w.predicate(1))
    let t: Publishers.TryFirstWhere<Upstream> = numbers.tryFirst(where: refuse(1))
    XCTAssertEqual(history(t), ["first"])
    XCTAssertTrue(try t.predicate(2))
    XCTAssertEqual(history(Publishers.First(upstream: none)), ["finished"])
    XCTAssertEqual(history(Publishers.FirstWhere(upstream: numbers, predicate: { $0 == 3 })), ["3", "finished"])
    XCTAssertEqual(history(Publishers.TryFirstWhere(upstream: numbers, predicate: refuse(9))), ["1", "finished"])
  }

  func testLast() throws {
    let p: Publishers.Last<Upstream> = numbers.last()
    XCTAssertEqual(history(p), ["3", "finished"])
    let w: Publishers.LastWhere<Upstream> = numbers.last(where: { $0 < 3 })
    XCTAssertEqual(history(w), ["2", "finished"])
    XCTAssertTrue(w.predicate(1))
    let t: Publishers.TryLastWhere<Upstream> = numbers.tryLast(where: refuse(3))
    XCTAssertEqual(history(t), ["first"])
    XCTAssertTrue(try t.predicate(2))
    XCTAssertEqual(history(Publishers.Last(upstream: none)), ["finished"])
    XCTAssertEqual(history(Publishers.LastWhere(upstream: numbers, predicate: { $0 == 1 })), ["1", "finished"])
    XCTAssertEqual(history(Publishers.TryLastWhere(upstream: numbers, predicate: refuse(9))), ["3", "finished"])
  }

  func testDrop() throws {
    let p: Publishers.Drop<Upstream> = numbers.dropFirst()
    XCTAssertEqual(history(p), ["2", "2", "3", "finished"])
    XCTAssertEqual(numbers.dropFirst(3).count, 3)
    XCTAssertEqual(history(Publishers.Drop(upstream: numbers, count: 3)), ["3", "finished"])
    let w: Publishers.DropWhile<Upstream> = numbers.drop(while: { $0 < 2 })
    XCTAssertEqual(history(w), ["2", "2", "3", "finished"])
    XCTAssertTrue(w.predicate(1))
    let t: Publishers.TryDropWhile<Upstream> = numbers.tryDrop(while: refuse(2))
    XCTAssertEqual(history(t), ["first"])
    XCTAssertTrue(try t.predicate(1))
    XCTAssertEqual(history(Publishers.DropWhile(upstream: numbers, predicate: { _ in true })), ["finished"])
    XCTAssertEqual(history(Publishers.TryDropWhile(upstream: numbers, predicate: refuse(9))), ["finished"])
  }

  func testPrefixAndOutput() throws {
    let p: Publishers.Output<Upstream> = numbers.prefix(2)
    XCTAssertEqual(history(p), ["1", "2", "finished"])
    XCTAssertEqual(p.range, 0..<2)
    XCTAssertEqual(history(numbers.output(at: 3)), ["3", "finished"])
    XCTAssertEqual(history(numbers.output(in: 1...2)), ["2", "2", "finished"])
    XCTAssertEqual(history(numbers.output(in: 2...)), ["2", "3", "finished"])
    XCTAssertEqual(history(Publishers.Output(upstream: numbers, range: 0..<1)), ["1", "finished"])
    let w: Publishers.PrefixWhile<Upstream> = numbers.prefix(while: { $0 < 3 })
    XCTAssertEqual(history(w), ["1", "2", "2", "finished"])
    XCTAssertTrue(w.predicate(1))
    let t: Publishers.TryPrefixWhile<Upstream> = numbers.tryPrefix(while: refuse(2))
    XCTAssertEqual(history(t), ["1", "first"])
    XCTAssertTrue(try t.predicate(1))
    XCTAssertEqual(history(Publishers.PrefixWhile(upstream: numbers, predicate: { $0 < 2 })), ["1", "finished"])
    XCTAssertEqual(history(Publishers.TryPrefixWhile(upstream: numbers, predicate: refuse(1))), ["first"])
  }

  func testUntilOutputFrom() {
    let (values, trigger) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Void, Never>())
    let before: Publishers.PrefixUntilOutput<PassthroughSubject<Int, Never>, PassthroughSubject<Void, Never>> =
      values.prefix(untilOutputFrom: trigger)
    let after: Publishers.DropUntilOutput<PassthroughSubject<Int, Never>, PassthroughSubject<Void, Never>> =
      values.drop(untilOutputFrom: trigger)
    XCTAssertTrue(before.other === trigger && after.other === trigger && after.upstream === values)
    var log: [String] = []
    var cancellables = Set<AnyCancellable>()
    before.sink { log.append("before \($0)") }.store(in: &cancellables)
    after.sink { log.append("after \($0)") }.store(in: &cancellables)
    Publishers.PrefixUntilOutput(upstream: values, other: trigger).sink { log.append("b \($0)") }
      .store(in: &cancellables)
    Publishers.DropUntilOutput(upstream: values, other: trigger).sink { log.append("a \($0)") }
      .store(in: &cancellables)
    values.send(1)
    trigger.send()
    values.send(2)
    XCTAssertEqual(Set(log), ["before 1", "b 1", "after 2", "a 2"])
    XCTAssertEqual(log.count, 4)
  }
}
