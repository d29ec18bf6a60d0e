import Sluice
import XCTest

final class MappingTests: XCTestCase {
  private struct Point: Equatable {
    var x: Int
    var y: Int
    var name: String
  }

  private let numbers: AnyPublisher<Int, Never> = [1, 2, 3].publisher.eraseToAnyPublisher()
  private let points = Just(Point(x: 1, y: 2, name: "a")).eraseToAnyPublisher()

  func testMap() {
    let p: Publishers.Map<Publishers.Filter<AnyPublisher<Int, Never>>, String> =
      numbers.filter { $0 != 2 }.map { "<\($0)>" }
    XCTAssertEqual(history(p), ["<1>", "<3>", "finished"])
    XCTAssertEqual(p.transform(7), "<7>")
    XCTAssertEqual(history(p.upstream), ["1", "3", "finished"])
    let explicit = Publishers.Map(upstream: numbers, transform: { $0 + 1 })
    XCTAssertEqual(history(explicit), ["2", "3", "4", "finished"])
    let twice: Publishers.Map<AnyPublisher<Int, Never>, String> = explicit.map { String($0) }
    XCTAssertEqual(history(twice), ["2", "3", "4", "finished"])
  }

  func testTryMap() throws {
    func half(_ n: Int) throws -> Int {
      guard n != 2 else { throw TestError.first }
      return n * 10
    }
    let p: Publishers.TryMap<AnyPublisher<Int, Never>, Int> = numbers.tryMap(half)
    XCTAssertEqual(history(p), ["10", "first"])
    XCTAssertEqual(try p.transform(3), 30)
    let chained: Publishers.TryMap<AnyPublisher<Int, Never>, String> = p.map { String($0) }
    XCTAssertEqual(history(chained), ["10", "first"])
    XCTAssertEqual(history(Publishers.TryMap(upstream: numbers, transform: half)), ["10", "first"])
    let failure: AnyPublisher<Int, Error> = p.eraseToAnyPublisher()
    XCTAssertEqual(history(failure), ["10", "first"])
  }

  func testKeyPaths() {
    let one: Publishers.MapKeyPath<AnyPublisher<Point, Never>, Int> = points.map(\.x)
    XCTAssertEqual(history(one), ["1", "finished"])
    XCTAssertEqual(one.keyPath, \Point.x)
    let two: Publishers.MapKeyPath2<AnyPublisher<Point, Never>, Int, Int> = points.map(\.x, \.y)
    XCTAssertEqual(history(two.map { $0 + $1 }), ["3", "finished"])
    XCTAssertEqual(two.keyPath1, \Point.y)
    let three: Publishers.MapKeyPath3<AnyPublisher<Point, Never>, Int, Int, String> = points.map(\.x, \.y, \.name)
    XCTAssertEqual(history(three.map { "\($2)\($0)\($1)" }), ["a12", "finished"])
    XCTAssertEqual(three.keyPath2, \Point.name)
  }

  func testCompactMap() {
    let texts = ["1", "x", "3"].publisher.eraseToAnyPublisher()
    let p: Publishers.CompactMap<AnyPublisher<String, Never>, Int> = texts.compactMap { Int($0) }
    XCTAssertEqual(history(p), ["1", "3", "finished"])
    XCTAssertEqual(history(texts.compactMap(Int.init)), ["1", "3", "finished"])
    XCTAssertNil(p.transform("y"))
    let t: Publishers.TryCompactMap<AnyPublisher<String, Never>, Int> = texts.tryCompactMap {
      guard let n = Int($0) else { throw TestError.second }
      return n == 1 ? nil : n
    }
    XCTAssertEqual(history(t), ["second"])
    XCTAssertEqual(history(Publishers.CompactMap(upstream: texts, transform: { Int($0) })), ["1", "3", "finished"])
  }

  func testScan() {
    let p: Publishers.Scan<AnyPublisher<Int, Never>, Int> = numbers.scan(0, +)
    XCTAssertEqual(history(p), ["1", "3", "6", "finished"])
    XCTAssertEqual(p.initialResult, 0)
    XCTAssertEqual(p.nextPartialResult(2, 3), 5)
    let t: Publishers.TryScan<AnyPublisher<Int, Never>, String> = numbers.tryScan("") { text, n in
      if n == 3 { throw TestError.first }
      return text + String(n)
    }
    XCTAssertEqual(history(t), ["1", "12", "first"])
    XCTAssertEqual(
      history(Publishers.Scan(upstream: numbers, initialResult: 10, nextPartialResult: { $0 - $1 })),
      ["9", "7", "4", "finished"])
  }

  func testReplaceNilAndFailureTypes() {
    let optional = [1, nil, 3].publisher.eraseToAnyPublisher()
    let p: Publishers.Map<AnyPublisher<Int?, Never>, Int> = optional.replaceNil(with: 0)
    XCTAssertEqual(history(p), ["1", "0", "3", "finished"])
    let typed: Publishers.SetFailureType<AnyPublisher<Int, Never>, TestError> =
      numbers.setFailureType(to: TestError.self)
    XCTAssertEqual(history(typed), ["1", "2", "3", "finished"])
    let retyped: Publishers.SetFailureType<AnyPublisher<Int, Never>, Error> = typed.setFailureType(to: Error.self)
    XCTAssertEqual(history(retyped), ["1", "2", "3", "finished"])
    let mapped: Publishers.MapError<Fail<Int, TestError>, Error> =
      Fail(error: TestError.first).mapError { _ in TestError.second }
    XCTAssertEqual(history(mapped), ["second"])
    XCTAssertEqual(
      history(Publishers.MapError(upstream: Fail<Int, TestError>(error: .first), { _ in TestError.second })),
      ["second"])
  }

  func testFlatMap() {
    let p: Publishers.FlatMap<Publishers.Sequence<[Int], Never>, AnyPublisher<Int, Never>> =
      numbers.flatMap { Array(repeating: $0, count: $0).publisher }
    XCTAssertEqual(history(p), ["1", "2", "2", "3", "3", "3", "finished"])
    XCTAssertEqual(p.maxPublishers, .unlimited)
    XCTAssertEqual(numbers.flatMap(maxPublishers: .max(1)) { Just($0) }.maxPublishers, .max(1))
    let explicit = Publishers.FlatMap(upstream: numbers, maxPublishers: .max(2), transform: { Just($0 * 2) })
    XCTAssertEqual(history(explicit), ["2", "4", "6", "finished"])
    // All four mixtures of failing and not failing.
    let failing = numbers.setFailureType(to: TestError.self)
    XCTAssertEqual(history(failing.flatMap { Just($0) }), ["1", "2", "3", "finished"])
    XCTAssertEqual(history(failing.flatMap { _ in Fail<Int, TestError>(error: .first) }), ["first"])
    XCTAssertEqual(history(numbers.flatMap { _ in Fail<Int, TestError>(error: .second) }), ["second"])
  }

  func testSwitchToLatest() {
    let outer = PassthroughSubject<PassthroughSubject<Int, Never>, Never>()
    let (a, b) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let p:
      Publishers.SwitchToLatest<
        PassthroughSubject<Int, Never>, PassthroughSubject<PassthroughSubject<Int, Never>, Never>
      > = outer.switchToLatest()
    var values: [Int] = []
    let cancellable = p.sink { values.append($0) }
    outer.send(a)
    a.send(1)
    outer.send(b)
    a.send(2)
    b.send(3)
    XCTAssertEqual(values, [1, 3])
    XCTAssertTrue(p.upstream === outer)
    cancellable.cancel()
    XCTAssertEqual(history(numbers.map { Just($0 * 2) }.switchToLatest()), ["2", "4", "6", "finished"])
    XCTAssertEqual(
      history(numbers.map { _ in Fail<Int, TestError>(error: .first) }.switchToLatest()), ["first"])
  }

  private struct Coder: TopLevelEncoder, TopLevelDecoder {
    func encode<T: Encodable>(_ value: T) throws -> String {
      guard let n = value as? Int, n != 3 else { throw TestError.first }
      return String(n)
    }
    func decode<T: Decodable>(_ type: T.Type, from text: String) throws -> T {
      guard let value = Int(text) as? T else { throw TestError.second }
      return value
    }
  }

  func testCoding() {
    let e: Publishers.Encode<AnyPublisher<Int, Never>, Coder> = numbers.encode(encoder: Coder())
    XCTAssertEqual(history(e), ["1", "2", "first"])
    let texts = ["1", "x"].publisher.eraseToAnyPublisher()
    let d: Publishers.Decode<AnyPublisher<String, Never>, Int, Coder> = texts.decode(type: Int.self, decoder: Coder())
    XCTAssertEqual(history(d), ["1", "second"])
    XCTAssertEqual(history(e.upstream), ["1", "2", "3", "finished"])
  }
}
