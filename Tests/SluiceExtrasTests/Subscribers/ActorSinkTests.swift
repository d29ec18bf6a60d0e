import Sluice
import SluiceExtras
import SluiceTesting
import XCTest

final class ActorSinkTests: XCTestCase {
  private actor Log {
    var lines: [String] = []
    func add(_ line: String) { lines.append(line) }
  }

  func testValuesAndTheEndComeInOrderOnTheActor() async {
    let log = Log()
    let ended = expectation(description: "ended")
    let numbers = (1...1_000).publisher.setFailureType(to: Boom.self).append(Fail(error: Boom()))
    let cancellable = numbers.sink(
      on: log,
      receiveCompletion: { log, completion in
        if case .failure = completion { log.add("failed") }
        ended.fulfill()
      },
      receiveValue: { log, number in
        await Task.yield()
        log.add("\(number)")
      })
    await fulfillment(of: [ended], timeout: 60)
    let lines = await log.lines
    XCTAssertEqual(lines, (1...1_000).map(String.init) + ["failed"])
    withExtendedLifetime(cancellable) {}
  }

  func testOneValueAtATimeIsAskedFor() async {
    let log = Log()
    let upstream = TestPublisher<Int, Never>()
    let asked = expectation(description: "asked for the third")
    upstream.onRequest = { _ in
      // Each request is answered at once: the next comes when the closure has returned.
      if upstream.requests.count <= 2 { upstream.send(upstream.requests.count) } else { asked.fulfill() }
    }
    let cancellable = upstream.sink(on: log) { log, number in log.add("\(number)") }
    await fulfillment(of: [asked], timeout: 60)
    XCTAssertEqual(upstream.requests, [.max(1), .max(1), .max(1)])
    let lines = await log.lines
    XCTAssertEqual(lines, ["1", "2"])
    cancellable.cancel()
    upstream.onRequest = nil
  }

  func testACancelReachesUpstream() async {
    let log = Log()
    let upstream = TestPublisher<Int, Never>()
    let (asked, cancelled) = (expectation(description: "asked"), expectation(description: "cancelled"))
    upstream.onRequest = { _ in asked.fulfill() }
    let cancellable = upstream.handleEvents(receiveCancel: { cancelled.fulfill() })
      .sink(on: log) { log, number in log.add("\(number)") }
    await fulfillment(of: [asked], timeout: 60)
    cancellable.cancel()
    await fulfillment(of: [cancelled], timeout: 60)
    let lines = await log.lines
    XCTAssertEqual(lines, [])
    upstream.onRequest = nil
  }

  @MainActor private final class Label {
    var text = "" { didSet { onSet(text) } }
    private var onSet: @Sendable (String) -> Void = { _ in }
    init() {}
    func whenSet(_ body: @escaping @Sendable (String) -> Void) { onSet = body }
    func follow(_ texts: PassthroughSubject<String, Never>) -> AnyCancellable {
      texts.buffer(size: 8, prefetch: .byRequest, whenFull: .dropNewest).assign(to: \.text, onMainActor: self)
    }
  }

  func testOnTheMainActor() async {
    let label = await Label()
    let ended = expectation(description: "ended")
    let cancellable = ["a", "b"].publisher.sink(
      receiveCompletion: { _ in ended.fulfill() }, onMainActor: { label.text += $0 })
    await fulfillment(of: [ended], timeout: 60)
    let text = await label.text
    XCTAssertEqual(text, "ab")
    withExtendedLifetime(cancellable) {}
  }

  func testAssigningOnTheMainActor() async {
    let set = expectation(description: "set")
    let label = await Label()
    await label.whenSet { if $0 == "b" { set.fulfill() } }
    let texts = PassthroughSubject<String, Never>()
    let cancellable = await label.follow(texts)
    texts.send("a")
    texts.send("b")
    await fulfillment(of: [set], timeout: 60)
    let text = await label.text
    XCTAssertEqual(text, "b")
    cancellable.cancel()
  }

  func testValuesThatWait() async {
    let subject = PassthroughSubject<Int, Never>()
    var iterator = subject.values(buffering: 3, prefetch: .byRequest, whenFull: .dropOldest).makeAsyncIterator()
    for number in 1...5 { subject.send(number) }
    subject.send(completion: .finished)
    var numbers: [Int] = []
    while let number = await iterator.next() { numbers.append(number) }
    XCTAssertEqual(numbers, [3, 4, 5])
    var throwing = (1...3).publisher.setFailureType(to: Boom.self).values(buffering: 2).makeAsyncIterator()
    var sum = 0
    do {
      while let number = try await throwing.next() { sum += number }
    } catch {
      XCTFail("\(error)")
    }
    XCTAssertEqual(sum, 6)
  }
}
