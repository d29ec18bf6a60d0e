import Sluice
import XCTest

final class CombiningTests: XCTestCase {
  private typealias One = AnyPublisher<Int, Never>
  private func one(_ n: Int) -> One { Just(n).eraseToAnyPublisher() }
  private func names(_ n: Int) -> [String] { (1...n).map(String.init) + ["finished"] }

  func testMerge() {
    let (a, b, c, d, e, f, g, h) = (one(1), one(2), one(3), one(4), one(5), one(6), one(7), one(8))
    let many: Publishers.MergeMany<One> = a.merge(with: b)
    XCTAssertEqual(history(many), names(2))
    XCTAssertEqual(history(many.merge(with: c)), names(3))
    XCTAssertEqual(many.publishers.count, 2)
    XCTAssertEqual(history(Publishers.MergeMany(a, b, c)), names(3))
    XCTAssertEqual(history(Publishers.MergeMany([a, b])), names(2))
    let mixed: Publishers.Merge<Just<Int>, One> = Just(1).merge(with: b)
    XCTAssertEqual(history(mixed), names(2))
    XCTAssertEqual(history(mixed.b), ["2", "finished"])
    let three: Publishers.Merge3<One, One, One> = a.merge(with: b, c)
    XCTAssertEqual(history(three), names(3))
    let chained: Publishers.Merge3<Just<Int>, One, One> = mixed.merge(with: c)
    XCTAssertEqual(history(chained), names(3))
    let four: Publishers.Merge4<One, One, One, One> = a.merge(with: b, c, d)
    let five: Publishers.Merge5<One, One, One, One, One> = a.merge(with: b, c, d, e)
    let six: Publishers.Merge6<One, One, One, One, One, One> = a.merge(with: b, c, d, e, f)
    let seven: Publishers.Merge7<One, One, One, One, One, One, One> = a.merge(with: b, c, d, e, f, g)
    let eight: Publishers.Merge8<One, One, One, One, One, One, One, One> = a.merge(with: b, c, d, e, f, g, h)
    XCTAssertEqual(
      [history(four), history(five), history(six), history(seven), history(eight)],
      [names(4), names(5), names(6), names(7), names(8)])
    XCTAssertEqual(history(eight.h), ["8", "finished"])
    XCTAssertEqual(history(Publishers.Merge(a, b)), names(2))
    XCTAssertEqual(history(Publishers.Merge8(a, b, c, d, e, f, g, h)), names(8))
  }

  func testCombineLatest() {
    let (a, b, c, d) = (one(1), one(2), one(3), one(4))
    let two: Publishers.CombineLatest<One, One> = a.combineLatest(b)
    XCTAssertEqual(history(two), ["(1, 2)", "finished"])
    let three: Publishers.CombineLatest3<One, One, One> = a.combineLatest(b, c)
    XCTAssertEqual(history(three), ["(1, 2, 3)", "finished"])
    let four: Publishers.CombineLatest4<One, One, One, One> = a.combineLatest(b, c, d)
    XCTAssertEqual(history(four), ["(1, 2, 3, 4)", "finished"])
    let sum: Publishers.Map<Publishers.CombineLatest<One, One>, Int> = a.combineLatest(b) { $0 + $1 }
    XCTAssertEqual(history(sum), ["3", "finished"])
    XCTAssertEqual(history(a.combineLatest(b, c) { $0 + $1 + $2 }), ["6", "finished"])
    XCTAssertEqual(history(a.combineLatest(b, c, d) { $0 + $1 + $2 + $3 }), ["10", "finished"])
    XCTAssertEqual(history(Publishers.CombineLatest(a, b).map(+)), ["3", "finished"])
    XCTAssertEqual(history(Publishers.CombineLatest3(a, b, c).map { a, b, c in a * b * c }), ["6", "finished"])
    XCTAssertEqual(history(four.d), ["4", "finished"])
  }

  func testZip() {
    let (a, b, c, d) = (one(1), one(2), one(3), one(4))
    let two: Publishers.Zip<One, One> = a.zip(b)
    XCTAssertEqual(history(two), ["(1, 2)", "finished"])
    let three: Publishers.Zip3<One, One, One> = a.zip(b, c)
    XCTAssertEqual(history(three), ["(1, 2, 3)", "finished"])
    let four: Publishers.Zip4<One, One, One, One> = a.zip(b, c, d)
    XCTAssertEqual(history(four), ["(1, 2, 3, 4)", "finished"])
    let product: Publishers.Map<Publishers.Zip<One, One>, Int> = a.zip(b) { $0 * $1 }
    XCTAssertEqual(history(product), ["2", "finished"])
    XCTAssertEqual(history(a.zip(b, c) { $0 + $1 + $2 }), ["6", "finished"])
    XCTAssertEqual(history(a.zip(b, c, d) { $0 + $1 + $2 + $3 }), ["10", "finished"])
    XCTAssertEqual(history(Publishers.Zip(a, b)), ["(1, 2)", "finished"])
    XCTAssertEqual(history(Publishers.Zip4(a, b, c, d)), ["(1, 2, 3, 4)", "finished"])
    XCTAssertEqual(history(three.c), ["3", "finished"])
  }

  func testConcatenate() {
    let p: Publishers.Concatenate<One, One> = one(1).append(one(2))
    XCTAssertEqual(history(p), names(2))
    XCTAssertEqual(history(p.prefix), ["1", "finished"])
    XCTAssertEqual(history(p.suffix), ["2", "finished"])
    let appended: Publishers.Concatenate<One, Publishers.Sequence<[Int], Never>> = one(1).append(2, 3)
    XCTAssertEqual(history(appended), names(3))
    XCTAssertEqual(history(one(1).append([2, 3])), names(3))
    let prepended: Publishers.Concatenate<Publishers.Sequence<[Int], Never>, One> = one(3).prepend(1, 2)
    XCTAssertEqual(history(prepended), names(3))
    XCTAssertEqual(history(one(3).prepend([1, 2])), names(3))
    XCTAssertEqual(history(one(2).prepend(one(1))), names(2))
    XCTAssertEqual(history(Publishers.Concatenate(prefix: one(1), suffix: one(2))), names(2))
  }
}
