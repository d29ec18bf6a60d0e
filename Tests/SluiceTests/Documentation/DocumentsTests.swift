import Dispatch
import SluiceTesting
import XCTest

@testable import Sluice
@testable import SluiceDispatch
@testable import SluiceExtras

/// What the four articles that the project began from describe, one behaviour a test; a program for each is in Examples.
final class DocumentsTests: XCTestCase {
  private enum Event: Equatable {
    case subscription, request(Subscribers.Demand), value(Int), completion
  }

  /// A subscriber from scratch, as the articles write it.
  private final class Logger: Subscriber {
    typealias Input = Int
    typealias Failure = Never
    var log: [Event] = []
    var outstanding = Subscribers.Demand.none
    var subscription: (any Subscription)?

    func ask(_ demand: Subscribers.Demand) {
      log.append(.request(demand))
      outstanding += demand
      subscription?.request(demand)
    }
    func receive(subscription: any Subscription) {
      log.append(.subscription)
      self.subscription = subscription
      ask(.max(2))
    }
    func receive(_ input: Int) -> Subscribers.Demand {
      log.append(.value(input))
      outstanding -= 1
      return .none
    }
    func receive(completion: Subscribers.Completion<Never>) { log.append(.completion) }
  }

  func test01TheOrderOfTheContract() {
    let logger = Logger()
    (1...2).publisher.subscribe(logger)
    XCTAssertEqual(logger.log, [.subscription, .request(.max(2)), .value(1), .value(2), .completion])
  }

  func test02DemandAddsUp() {
    let (subject, logger) = (PassthroughSubject<Int, Never>(), Logger())
    subject.subscribe(logger)
    logger.ask(.max(3))
    XCTAssertEqual(logger.outstanding, .max(5), "two, then three more")
    subject.send(1)
    XCTAssertEqual(logger.outstanding, .max(4))
    for value in 2...9 { subject.send(value) }
    XCTAssertEqual(logger.log.suffix(5), (1...5).map { .value($0) }, "five were asked for")

    let returning = TestSubscriber<Int, Never>(initial: .max(1)) { $0 == 1 ? .max(2) : .none }
    (1...9).publisher.subscribe(returning)
    XCTAssertEqual(returning.values, [1, 2, 3], "what receive(_:) returns is asked for too")
    let nothing = TestSubscriber<Int, Never>(initial: .none)
    (1...9).publisher.subscribe(nothing)
    XCTAssertEqual(nothing.values, [])
    XCTAssertEqual(Subscribers.Demand.unlimited - 3, .unlimited)
  }

  private final class Display {
    var level = 0
  }

  func test03SinkAndAssignStopWhenLetGoOf() {
    let (upstream, display) = (TestPublisher<Int, Never>(), Display())
    var values: [Int] = []
    var cancellable: AnyCancellable? = upstream.sink { values.append($0) }
    XCTAssertEqual(upstream.requests, [.unlimited])
    upstream.send(1)
    cancellable = nil
    XCTAssertEqual(upstream.cancels, 1)
    upstream.send(2)
    XCTAssertEqual(values, [1])

    let assigned = TestPublisher<Int, Never>()
    cancellable = assigned.assign(to: \.level, on: display)
    XCTAssertEqual(assigned.requests, [.unlimited])
    assigned.send(3)
    cancellable = nil
    assigned.send(4)
    XCTAssertEqual(display.level, 3)
    XCTAssertNil(cancellable)
  }

  func test04TheArticlesCompositions() {
    var log: [String] = []
    let subscriber = AnySubscriber<String, Boom>(
      receiveSubscription: { $0.request(.max(2)) },
      receiveValue: {
        log.append($0)
        return .none
      },
      receiveCompletion: { log.append("\($0)") })
    let numbers: AnyPublisher<Int, Boom> = ["1", "x", "2", "3", "4"].publisher
      .compactMap { Int($0) }.filter { $0 != 3 }.scan(0, +).setFailureType(to: Boom.self).eraseToAnyPublisher()
    numbers.zip(Just("a").append(Just("b")).setFailureType(to: Boom.self)).map { "\($0)\($1)" }.subscribe(subscriber)
    XCTAssertEqual(log, ["1a", "3b", "finished"])

    let columns = [[1, 2], [3, 4], [5, 6]].map(\.publisher)
    let first = columns[0].map { [$0] }.eraseToAnyPublisher()
    let rows = columns.dropFirst().reduce(first) { $0.zip($1) { $0 + [$1] }.eraseToAnyPublisher() }
    let sums = TestSubscriber<Int, Never>()
    rows.map { $0.reduce(0, +) }.subscribe(sums)
    XCTAssertEqual(sums.values, [9, 12])
  }

  private func values<P: Publisher>(_ publisher: P) -> [P.Output] where P.Failure == Never {
    let subscriber = TestSubscriber<P.Output, Never>()
    publisher.subscribe(subscriber)
    XCTAssertTrue(subscriber.isFinished)
    return subscriber.values
  }

  func test05Toggle() {
    XCTAssertEqual(values([false, true, true, false].publisher.toggle()), [true, false, false, true])
  }

  func test06Unwrap() { XCTAssertEqual(values([1, 2, nil, 3, nil, 4].publisher.unwrap()), [1, 2, 3, 4]) }

  func test07Pair() { XCTAssertEqual(values((1...5).publisher.pair()), [[1, 2], [2, 3], [3, 4], [4, 5]]) }

  func test08Timer() {
    // Without a clock: three whole intervals in three and a half, published with the times at which they ended.
    var core = TimerCore(times: .unlimited)
    core.request(.unlimited)
    guard case .request? = core.step() else { return XCTFail("not started") }
    var times: [UInt64] = []
    for period in 1...3 {
      core.fire(1, at: DispatchTime(uptimeNanoseconds: UInt64(period) * 1_000))
      guard case .deliver(let tick)? = core.step() else { return XCTFail("no tick") }
      times.append(tick.time.uptimeNanoseconds)
    }
    XCTAssertNil(core.step())
    XCTAssertEqual(zip(times, times.dropFirst()).map { $1 - $0 }, [1_000, 1_000])

    // With one: no value beyond the demand, and the end after `times`.
    let twoCame = expectation(description: "two")
    let ended = expectation(description: "the end")
    let count = Locked(0)
    let subscriber = TestSubscriber<DispatchTime, Never>(
      initial: .max(2),
      answer: { _ in
        let now = count.withLock { count in
          count += 1
          return count
        }
        if now == 2 { twoCame.fulfill() }
        return .none
      },
      ended: { _ in ended.fulfill() })
    let queue = DispatchQueue(label: "ticks")
    Publishers.timer(queue: queue, interval: .milliseconds(2), times: .max(5)).subscribe(subscriber)
    wait(for: [twoCame], timeout: 60)
    waitForTicks(5, on: queue)
    XCTAssertEqual(subscriber.values.count, 2)
    XCTAssertNil(subscriber.completion)
    subscriber.request(.unlimited)
    wait(for: [ended], timeout: 60)
    XCTAssertEqual(subscriber.values.count, 5)
    XCTAssertEqual(subscriber.violations, [])
  }

  /// An event later than any tick of the same interval that is due by now.
  private func waitForTicks(_ count: Int, on queue: DispatchQueue) {
    let done = expectation(description: "\(count) ticks")
    let other = TestSubscriber<DispatchTime, Never>(ended: { _ in done.fulfill() })
    Publishers.timer(queue: queue, interval: .milliseconds(2), times: .max(count)).subscribe(other)
    wait(for: [done], timeout: 60)
  }

  func test09ShareReplay() {
    var subscriptions = 0
    let subject = PassthroughSubject<Int, Never>()
    let shared = subject.handleEvents(receiveSubscription: { _ in subscriptions += 1 }).shareReplay(capacity: 2)
    let subscribers = (0..<4).map { _ in TestSubscriber<Int, Never>() }
    subject.send(0)
    shared.subscribe(subscribers[0])
    for value in 1...3 { subject.send(value) }
    shared.subscribe(subscribers[1])
    shared.subscribe(subscribers[3])
    subscribers[3].cancel()
    for value in 4...5 { subject.send(value) }
    subject.send(completion: .finished)
    shared.subscribe(subscribers[2])
    XCTAssertEqual(subscribers.map(\.values), [[1, 2, 3, 4, 5], [2, 3, 4, 5], [4, 5], [2, 3]])
    XCTAssertEqual(subscribers.map(\.isFinished), [true, true, true, false], "cancelling is no completion")
    XCTAssertEqual(subscriptions, 1)
    XCTAssertEqual(subscribers.flatMap(\.violations), [])
  }

  func test10PausableSink() {
    let time = VirtualTimeScheduler()
    var log: [String] = []
    let sink = (1...6).publisher.pausableSink(
      receiveCompletion: { log.append("\($0)") },
      receiveValue: {
        log.append("\($0)")
        return $0 % 2 == 0
      })
    let timer = time.schedule(after: at(1), interval: .seconds(1)) {
      XCTAssertEqual(sink.paused, log.last != "finished")
      log.append("resume")
      sink.resume()
    }
    XCTAssertEqual(log, ["1"])
    time.advance(to: at(3))
    timer.cancel()
    XCTAssertEqual(log, ["1", "resume", "2", "3", "resume", "4", "5", "resume", "6", "finished"])
    XCTAssertFalse(sink.paused)
  }

  func test11DelayedDemand() {
    let queue = DispatchQueue(label: "ticks")
    let subscriber = TestSubscriber<DispatchTime, Never>(initial: .none)
    Publishers.timer(queue: queue, interval: .milliseconds(2)).subscribe(subscriber)
    waitForTicks(5, on: queue)
    XCTAssertEqual(subscriber.values.count, 0)
    subscriber.request(.max(3))
    while subscriber.values.count < 3 { waitForTicks(1, on: queue) }
    waitForTicks(5, on: queue)
    XCTAssertEqual(subscriber.values.count, 3)
    XCTAssertNil(subscriber.completion)
    XCTAssertEqual(subscriber.violations, [])
    subscriber.cancel()
  }

  private final class Lines: TextOutputStream {
    var text = ""
    func write(_ string: String) { text += string }
  }

  func test12SubjectsAndTheTimeLogger() {
    let (time, lines) = (VirtualTimeScheduler(), Lines())
    let logger = TimeLogger(elapsed: { .nanoseconds(time.now.nanoseconds) }, output: lines)
    let passing = PassthroughSubject<Int, Never>()
    let current = CurrentValueSubject<Int, Never>(7)
    passing.send(1)
    let first = passing.print("p", to: logger).sink { _ in }
    time.advance(to: at(2))
    passing.send(2)
    time.advance(by: .milliseconds(50))
    first.cancel()
    XCTAssertEqual(
      lines.text.split(separator: "\n"),
      [
        "+0.000s: p: receive subscription: (PassthroughSubject)", "+0.000s: p: request unlimited",
        "+2.000s: p: receive value: (2)", "+2.050s: p: receive cancel",
      ])
    var values: [Int] = []
    let second = current.sink { values.append($0) }
    current.value = 8
    current.send(9)
    XCTAssertEqual(values, [7, 8, 9])
    XCTAssertEqual(current.value, 9)
    second.cancel()
  }

  func test13ZipAll() {
    XCTAssertEqual(
      values([[1, 2, 3], [4, 5, 6], [7, 8, 9, 10]].map(\.publisher).zipAll()), [[1, 4, 7], [2, 5, 8], [3, 6, 9]])
    let inputs = (0..<2).map { _ in PassthroughSubject<Int, Boom>() }
    let subscriber = TestSubscriber<[Int], Boom>()
    inputs.zipAll().subscribe(subscriber)
    for value in 1...2 { inputs[0].send(value) }
    inputs[1].send(3)
    inputs[1].send(completion: .failure(Boom()))
    XCTAssertEqual(subscriber.values, [[1, 3]])
    XCTAssertEqual(subscriber.failure, Boom(), "though 2 still waits for its partner")
  }

  func test14TheBacklogOfZipAllStaysWithinDemand() {
    for count in [1, 2, 10, 1_000] {
      var made = Array(repeating: 0, count: count)
      let slow = PassthroughSubject<Int, Never>()
      let fast = (0..<count).map { input in
        (1...1_000_000).publisher.handleEvents(receiveOutput: { _ in made[input] += 1 }).eraseToAnyPublisher()
      }
      let subscriber = TestSubscriber<[Int], Never>(initial: .max(2)) { $0[0] == 1 ? .max(1) : .none }
      (fast + [slow.eraseToAnyPublisher()]).zipAll().subscribe(subscriber)
      XCTAssertEqual(made, Array(repeating: 2, count: count), "two rows are wanted")
      slow.send(0)
      XCTAssertEqual(made, Array(repeating: 3, count: count), "with the first row one more")
      slow.send(0)
      slow.send(0)
      slow.send(0)
      XCTAssertEqual(subscriber.values.map { $0[0] }, [1, 2, 3])
      XCTAssertEqual(subscriber.values.map(\.count), Array(repeating: count + 1, count: 3))
      XCTAssertEqual(made, Array(repeating: 3, count: count))
      subscriber.cancel()
    }
  }

  func test15CombineLatestAll() {
    let inputs = (0..<3).map { _ in PassthroughSubject<Int, Never>() }
    let subscriber = TestSubscriber<[Int], Never>()
    inputs.combineLatestAll().subscribe(subscriber)
    for (input, value) in [(0, 1), (1, 2), (0, 3), (2, 4), (1, 5)] { inputs[input].send(value) }
    XCTAssertEqual(subscriber.values, [[3, 2, 4], [3, 5, 4]])
    for input in inputs { input.send(completion: .finished) }
    XCTAssertTrue(subscriber.isFinished)
  }

  /// What comes of 0...9, one a second beginning at once, each with the second at which it comes.
  private func timed<P: Publisher>(
    _ make: (PassthroughSubject<Int, Never>, VirtualTimeScheduler) -> P
  ) -> [String] where P.Failure == Never {
    let (time, source) = (VirtualTimeScheduler(), PassthroughSubject<Int, Never>())
    var log: [String] = []
    func note(_ what: Any) { log.append("\(time.now.nanoseconds / 1_000_000_000): \(what)") }
    let cancellable = make(source, time).sink(receiveCompletion: { note($0) }, receiveValue: { note($0) })
    for value in 0...9 {
      source.send(value)
      time.advance(by: .seconds(1))
    }
    source.send(completion: .finished)
    time.run()
    cancellable.cancel()
    return log
  }

  func test16RateControl() {
    XCTAssertEqual(
      timed { $0.throttle(for: .seconds(3), scheduler: $1, latest: true) },
      ["0: 0", "3: 2", "6: 5", "9: 8", "12: 9", "12: finished"])
    XCTAssertEqual(
      timed { $0.throttle(for: .seconds(3), scheduler: $1, latest: false) },
      ["0: 0", "3: 1", "6: 3", "9: 6", "12: 9", "12: finished"])
    XCTAssertEqual(
      timed { source, time in
        source.filter { ![3, 4, 7].contains($0) }.debounce(for: .milliseconds(1_500), scheduler: time)
      },
      ["3: 2", "7: 6", "10: finished"])
    XCTAssertEqual(
      timed { source, _ in source.collect(4) }, ["3: [0, 1, 2, 3]", "7: [4, 5, 6, 7]", "10: [8, 9]", "10: finished"])
    XCTAssertEqual(
      timed { $0.collect(.byTime($1, .milliseconds(2_500))) },
      ["2: [0, 1, 2]", "5: [3, 4]", "7: [5, 6, 7]", "10: [8, 9]", "10: finished"])
    XCTAssertEqual(
      timed { $0.collect(.byTimeOrCount($1, .seconds(5), 3)) },
      ["2: [0, 1, 2]", "5: [3, 4]", "7: [5, 6, 7]", "10: [8, 9]", "10: finished"])
    for (whenFull, kept) in [(Publishers.BufferingStrategy<Boom>.dropOldest, [3, 4]), (.dropNewest, [1, 2])] {
      let (upstream, subscriber) = (TestPublisher<Int, Boom>(), TestSubscriber<Int, Boom>(initial: .none))
      upstream.buffer(size: 2, prefetch: .byRequest, whenFull: whenFull).subscribe(subscriber)
      for value in 1...4 { upstream.send(value) }
      subscriber.request(.unlimited)
      XCTAssertEqual(subscriber.values, kept)
      XCTAssertEqual(upstream.requests, [.unlimited])
    }
    let (upstream, subscriber) = (TestPublisher<Int, Boom>(), TestSubscriber<Int, Boom>(initial: .none))
    upstream.buffer(size: 2, prefetch: .keepFull, whenFull: .customError { Boom() }).subscribe(subscriber)
    XCTAssertEqual(upstream.requests, [.max(2)])
    for value in 1...3 { upstream.send(value) }
    subscriber.request(.unlimited)
    XCTAssertEqual(subscriber.values, [1, 2])
    XCTAssertEqual(subscriber.failure, Boom())
  }

  func test17HoldValue() {
    let held = HoldValue(0)
    let (three, all) = (TestSubscriber<Int, Never>(initial: .max(3)), TestSubscriber<Int, Never>())
    held.subscribe(three)
    held.subscribe(all)
    for value in 1...10 { held.value = value }
    XCTAssertEqual(three.values, [1, 2, 3])
    XCTAssertTrue(three.isFinished)
    XCTAssertEqual(all.values, Array(1...10))
    XCTAssertNil(all.completion)
    XCTAssertEqual(three.violations + all.violations, [])
  }

  func test18StrategiesForTooMuchInput() {
    // Ask only for what can be handled: a source that works on demand makes no more.
    var made = 0
    let source = (1...1_000).publisher.handleEvents(receiveOutput: { _ in made += 1 })
    let modest = TestSubscriber<Int, Never>(initial: .max(10))
    source.subscribe(modest)
    XCTAssertEqual(made, 10)
    modest.cancel()

    // Drop: a source that does not wait loses what nobody asked for.
    let (sensor, slow) = (PassthroughSubject<Int, Never>(), TestSubscriber<Int, Never>(initial: .max(2)))
    sensor.subscribe(slow)
    for value in 1...5 { sensor.send(value) }
    slow.request(.max(1))
    sensor.send(6)
    XCTAssertEqual(slow.values, [1, 2, 6])

    // A mix, into a sink that pauses: each value has one fate, and nothing comes while it is paused.
    let time = VirtualTimeScheduler()
    var (sent, leftOut, dropped, taken) = (0, 0, 0, [Int]())
    var paused = false
    let sink =
      sensor
      .throttle(for: .milliseconds(10), scheduler: time, latest: true) { _ in leftOut += 1 }
      .buffer(size: 8, prefetch: .byRequest, whenFull: .dropOldest) { _ in dropped += 1 }
      .collect(4)
      .pausableSink(receiveCompletion: { _ in }) { values in
        XCTAssertFalse(paused)
        taken += values
        paused = taken.count % 8 == 0
        return !paused
      }
    for _ in 0..<1_000 {
      sent += 1
      sensor.send(sent)
      time.advance(by: .milliseconds(1))
      if sent % 200 == 0 {
        paused = false
        sink.resume()
      }
    }
    sensor.send(completion: .finished)
    time.run()
    while sink.paused {
      paused = false
      sink.resume()
    }
    XCTAssertEqual(sent, leftOut + dropped + taken.count)
    XCTAssertEqual(taken, taken.sorted())
    XCTAssertGreaterThan(dropped, 0)
    XCTAssertGreaterThan(taken.count, 40, "five rests, eight values each, and the last ones")
  }
}
