import Dispatch
import Sluice
import SluiceDispatch
import XCTest

/// A scheduler as people write it for tests of code that uses Combine.
final class TestScheduler: Scheduler {
  struct Time: Strideable {
    var milliseconds: Int
    struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric {
      var magnitude: Int
      init(_ value: Int) { magnitude = value }
      init(integerLiteral value: Int) { magnitude = value }
      init?<T: BinaryInteger>(exactly source: T) { magnitude = Int(source) }
      static func < (a: Stride, b: Stride) -> Bool { a.magnitude < b.magnitude }
      static func + (a: Stride, b: Stride) -> Stride { Stride(a.magnitude + b.magnitude) }
      static func - (a: Stride, b: Stride) -> Stride { Stride(a.magnitude - b.magnitude) }
      static func * (a: Stride, b: Stride) -> Stride { Stride(a.magnitude * b.magnitude) }
      static func += (a: inout Stride, b: Stride) { a = a + b }
      static func -= (a: inout Stride, b: Stride) { a = a - b }
      static func *= (a: inout Stride, b: Stride) { a = a * b }
      static func seconds(_ s: Int) -> Stride { Stride(s * 1_000) }
      static func seconds(_ s: Double) -> Stride { Stride(Int(s * 1_000)) }
      static func milliseconds(_ ms: Int) -> Stride { Stride(ms) }
      static func microseconds(_ us: Int) -> Stride { Stride(us / 1_000) }
      static func nanoseconds(_ ns: Int) -> Stride { Stride(ns / 1_000_000) }
    }
    func distance(to other: Time) -> Stride { Stride(other.milliseconds - milliseconds) }
    func advanced(by n: Stride) -> Time { Time(milliseconds: milliseconds + n.magnitude) }
  }
  typealias SchedulerTimeType = Time
  typealias SchedulerOptions = Never

  var now = Time(milliseconds: 0)
  var minimumTolerance: Time.Stride = 0
  private var work: [(due: Time, number: Int, action: () -> Void)] = []
  private var count = 0

  func schedule(options: Never?, _ action: @escaping () -> Void) {
    schedule(after: now, tolerance: 0, options: nil, action)
  }

  func schedule(after date: Time, tolerance: Time.Stride, options: Never?, _ action: @escaping () -> Void) {
    work.append((date, count, action))
    count += 1
  }

  func schedule(
    after date: Time, interval: Time.Stride, tolerance: Time.Stride, options: Never?, _ action: @escaping () -> Void
  ) -> Cancellable {
    var cancelled = false
    func again(_ date: Time) {
      schedule(after: date, tolerance: tolerance, options: nil) {
        guard !cancelled else { return }
        action()
        again(date.advanced(by: interval))
      }
    }
    again(date)
    return AnyCancellable { cancelled = true }
  }

  func advance(by interval: Time.Stride) {
    let end = now.advanced(by: interval)
    while let next = work.indices.min(by: { (work[$0].due, work[$0].number) < (work[$1].due, work[$1].number) }),
      work[next].due <= end
    {
      let (due, _, action) = work.remove(at: next)
      now = max(now, due)
      action()
    }
    now = end
  }
}

final class TimingTests: XCTestCase {
  private typealias Values = PassthroughSubject<Int, Never>
  private let time = TestScheduler()
  private let values = PassthroughSubject<Int, Never>()
  private var log: [String] = []
  private var cancellables = Set<AnyCancellable>()

  private func listen<P: Publisher>(_ publisher: P) where P.Failure == Never {
    publisher.sink { [unowned self] in log.append("\(time.now.milliseconds): \($0)") }.store(in: &cancellables)
  }

  private func send(_ range: ClosedRange<Int>) {
    for value in range {
      values.send(value)
      time.advance(by: .milliseconds(100))
    }
    time.advance(by: .seconds(10))
  }

  func testDebounce() {
    let p: Publishers.Debounce<Values, TestScheduler> = values.debounce(for: .milliseconds(150), scheduler: time)
    XCTAssertEqual(p.dueTime, .milliseconds(150))
    XCTAssertTrue(p.scheduler === time && p.upstream === values)
    listen(p)
    send(1...3)
    XCTAssertEqual(log, ["350: 3"])
    listen(Publishers.Debounce(upstream: values, dueTime: 50, scheduler: time, options: nil))
  }

  func testThrottle() {
    let p: Publishers.Throttle<Values, TestScheduler> =
      values.throttle(for: .milliseconds(250), scheduler: time, latest: true)
    XCTAssertEqual(p.interval, 250)
    XCTAssertTrue(p.latest)
    listen(p)
    send(1...5)
    XCTAssertEqual(log, ["0: 1", "250: 3", "500: 5"])
    listen(Publishers.Throttle(upstream: values, interval: 1, scheduler: time, latest: false))
  }

  func testDelay() {
    let p: Publishers.Delay<Values, TestScheduler> = values.delay(for: .seconds(1), scheduler: time)
    XCTAssertEqual(p.interval, .seconds(1))
    XCTAssertEqual(p.tolerance, 0)
    listen(p)
    send(1...2)
    XCTAssertEqual(log, ["1000: 1", "1100: 2"])
    listen(Publishers.Delay(upstream: values, interval: 1, tolerance: 0, scheduler: time))
    listen(values.delay(for: 1, tolerance: 2, scheduler: time))
  }

  func testTimeout() {
    let failing = PassthroughSubject<Int, TestError>()
    let p: Publishers.Timeout<PassthroughSubject<Int, TestError>, TestScheduler> =
      failing.timeout(.milliseconds(50), scheduler: time, customError: { .second })
    XCTAssertEqual(p.interval, 50)
    XCTAssertEqual(p.customError?(), .second)
    listen(p.map { "\($0)" }.catch { Just("\($0)") })
    time.advance(by: 10)
    failing.send(1)
    time.advance(by: 100)
    XCTAssertEqual(log, ["10: 1", "60: second"])
    var ended = false
    values.timeout(.milliseconds(1), scheduler: time)
      .sink(receiveCompletion: { _ in ended = true }, receiveValue: { _ in }).store(in: &cancellables)
    time.advance(by: 1)
    XCTAssertTrue(ended)
    let explicit = Publishers.Timeout(
      upstream: values, interval: 3, scheduler: time, options: nil, customError: nil)
    XCTAssertNil(explicit.options)
  }

  func testMeasureInterval() {
    let p: Publishers.MeasureInterval<Values, TestScheduler> = values.measureInterval(using: time)
    listen(p.map(\.magnitude))
    time.advance(by: 30)
    values.send(1)
    time.advance(by: 70)
    values.send(2)
    XCTAssertEqual(log, ["30: 30", "100: 70"])
    XCTAssertTrue(Publishers.MeasureInterval(upstream: values, scheduler: time).scheduler === time)
  }

  func testReceiveOnAndSubscribeOn() {
    let r: Publishers.ReceiveOn<Values, TestScheduler> = values.receive(on: time)
    XCTAssertTrue(r.scheduler === time)
    XCTAssertNil(r.options)
    listen(r)
    let s: Publishers.SubscribeOn<Just<Int>, TestScheduler> = Just(7).subscribe(on: time)
    XCTAssertEqual(s.upstream.output, 7)
    listen(s)
    values.send(1)
    XCTAssertEqual(log, [])
    time.advance(by: 0)
    XCTAssertEqual(Set(log), ["0: 1", "0: 7"])
    XCTAssertNil(Publishers.ReceiveOn(upstream: values, scheduler: time, options: nil).options)
    XCTAssertNil(Publishers.SubscribeOn(upstream: values, scheduler: time, options: nil).options)
  }

  func testCollectByTime() {
    let p: Publishers.CollectByTime<Values, TestScheduler> = values.collect(.byTime(time, .milliseconds(250)))
    listen(p)
    send(1...5)
    XCTAssertEqual(log, ["250: [1, 2, 3]", "500: [4, 5]"])
    let strategy: Publishers.TimeGroupingStrategy<TestScheduler> = .byTimeOrCount(time, .seconds(1), 2)
    log = []
    cancellables = []
    listen(Publishers.CollectByTime(upstream: values, strategy: strategy, options: nil).map(\.count))
    send(6...8)
    XCTAssertEqual(log.map { $0.suffix(1) }, ["2", "1"])
    guard case .byTimeOrCount(_, let interval, let count) = strategy else { return XCTFail("not by time or count") }
    XCTAssertEqual(interval.magnitude, 1_000)
    XCTAssertEqual(count, 2)
  }

  func testBuffer() {
    let p: Publishers.Buffer<Values> = values.buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest)
    XCTAssertEqual(p.size, 2)
    XCTAssertEqual(p.prefetch, .byRequest)
    guard case .dropOldest = p.whenFull else { return XCTFail("another strategy") }
    listen(p)
    send(1...2)
    XCTAssertEqual(log, ["0: 1", "100: 2"])
    let strategy: Publishers.BufferingStrategy<TestError> = .customError { .second }
    let failing = PassthroughSubject<Int, TestError>()
    let explicit = Publishers.Buffer(upstream: failing, size: 0, prefetch: .keepFull, whenFull: strategy)
    XCTAssertEqual(explicit.prefetch, Publishers.PrefetchStrategy.keepFull)
  }

  func testDispatchQueue() {
    let queue = DispatchQueue(label: "compatibility")
    let done = expectation(description: "values and interval")
    done.expectedFulfillmentCount = 2
    Just(1).delay(for: .milliseconds(1), scheduler: queue).receive(on: queue, options: .init(qos: .utility))
      .sink {
        XCTAssertEqual($0, 1)
        dispatchPrecondition(condition: .onQueue(queue))
        done.fulfill()
      }
      .store(in: &cancellables)
    let now: DispatchQueue.SchedulerTimeType = queue.now
    let stride: DispatchQueue.SchedulerTimeType.Stride = .milliseconds(5)
    XCTAssertEqual(now.distance(to: now.advanced(by: stride)), stride)
    XCTAssertEqual(DispatchQueue.SchedulerTimeType.Stride(.milliseconds(5)), 0.005)
    XCTAssertEqual(stride.timeInterval, .milliseconds(5))
    var repetition: Cancellable?
    repetition = queue.schedule(after: now, interval: stride) {
      repetition?.cancel()
      repetition = nil
      done.fulfill()
    }
    wait(for: [done], timeout: 60)
    queue.sync {}
  }

  func testImmediateScheduler() {
    let scheduler = ImmediateScheduler.shared
    listen(values.receive(on: scheduler).delay(for: .seconds(5), scheduler: scheduler))
    values.send(1)
    XCTAssertEqual(log, ["0: 1"])
    let stride: ImmediateScheduler.SchedulerTimeType.Stride = .seconds(2)
    XCTAssertEqual(stride, 0, "it knows no time")
  }
}
