// Allocations per value, operator by operator, for integers; and how time grows with a backlog. Exits with 1 if an operator
// allocates for a value. What is allowed: the array that an operator publishes, and the turns of a scheduler.
import CAllocations
import Glibc
import Sluice
import SluiceExtras

/// Sends what it is told to, to whoever has asked for everything.
final class Source {
  private var subscriber: AnySubscriber<Int, Never>?
  private struct Quiet: Subscription {
    let combineIdentifier = CombineIdentifier()
    func request(_ demand: Subscribers.Demand) {}
    func cancel() {}
  }
  private struct Attached: Publisher {
    typealias Output = Int
    typealias Failure = Never
    let source: Source
    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
      source.subscriber = AnySubscriber(subscriber)
      subscriber.receive(subscription: Quiet())
    }
  }
  var publisher: AnyPublisher<Int, Never> { Attached(source: self).eraseToAnyPublisher() }
  func send(_ value: Int) { _ = subscriber?.receive(value) }
}

let values = 100_000
var worst = 0.0

func row<P: Publisher>(_ name: String, expected: Double = 0, step: (() -> Void)? = nil, _ make: (Source) -> P) {
  let source = Source()
  let stream = make(source)
  let cancellable = stream.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
  func send(_ count: Int) {
    for value in 0..<count {
      source.send(value)
      step?()
    }
  }
  // What is set up once, and queues that grow to their size, do not count.
  send(2_000)
  let before = allocations()
  send(values)
  let each = Double(allocations() - before) / Double(values)
  print("\(name.padded(to: 28)) \(each)\(expected > 0 ? "   allowed: \(expected)" : "")")
  worst = max(worst, each - expected)
  cancellable.cancel()
}

extension String {
  func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}

let clock = VirtualTimeScheduler()
var sent = 0
/// A turn of the scheduler costs two or three allocations, whatever it delivers: here it delivers a hundred values.
func tick() {
  sent += 1
  if sent % 100 == 0 { clock.advance(by: .milliseconds(1)) }
}
let turn = 0.05
/// A timer that can be cancelled costs about ten.
let alarm = 0.12
let never = Empty<Int, Never>(completeImmediately: false)
struct Oops: Error {}

print("Allocations per value, over \(values) integers:\n")
row("map") { $0.publisher.map { $0 + 1 } }
row("tryMap") { $0.publisher.tryMap { $0 + 1 } }
row("mapError") { $0.publisher.setFailureType(to: Oops.self).mapError { $0 } }
row("filter") { $0.publisher.filter { $0 % 2 == 0 } }
row("tryFilter") { $0.publisher.tryFilter { $0 % 2 == 0 } }
row("compactMap") { $0.publisher.compactMap { $0 % 2 == 0 ? $0 : nil } }
row("tryCompactMap") { $0.publisher.tryCompactMap { $0 % 2 == 0 ? $0 : nil } }
row("scan") { $0.publisher.scan(0, &+) }
row("tryScan") { $0.publisher.tryScan(0) { $0 &+ $1 } }
row("removeDuplicates") { $0.publisher.removeDuplicates() }
row("tryRemoveDuplicates") { $0.publisher.tryRemoveDuplicates { $0 == $1 } }
row("dropFirst") { $0.publisher.dropFirst(3) }
row("drop(while:)") { $0.publisher.drop { $0 < 3 } }
row("tryDrop(while:)") { $0.publisher.tryDrop { $0 < 3 } }
row("drop(untilOutputFrom:)") { $0.publisher.drop(untilOutputFrom: Just(1)) }
row("prefix(while:)") { $0.publisher.prefix { $0 >= 0 } }
row("tryPrefix(while:)") { $0.publisher.tryPrefix { $0 >= 0 } }
row("prefix(untilOutputFrom:)") { $0.publisher.prefix(untilOutputFrom: never) }
row("output(in:)") { $0.publisher.output(in: 0...) }
row("ignoreOutput") { $0.publisher.ignoreOutput() }
row("replaceEmpty") { $0.publisher.replaceEmpty(with: 0) }
row("replaceError") { $0.publisher.setFailureType(to: Oops.self).replaceError(with: 0) }
row("reduce") { $0.publisher.reduce(0, &+) }
row("tryReduce") { $0.publisher.tryReduce(0) { $0 &+ $1 } }
row("count") { $0.publisher.count() }
row("max") { $0.publisher.max() }
row("contains") { $0.publisher.contains(-1) }
row("allSatisfy") { $0.publisher.allSatisfy { $0 >= 0 } }
row("first(where:)") { $0.publisher.first { $0 < 0 } }
row("last") { $0.publisher.last() }
row("collect(10)", expected: 0.1) { $0.publisher.collect(10) }
row("collect(.byTimeOrCount)", expected: 0.1 + turn, step: tick) {
  $0.publisher.collect(.byTimeOrCount(clock, .seconds(1), 10))
}
row("pair", expected: 1) { $0.publisher.pair() }
row("buffer") { $0.publisher.buffer(size: 100, prefetch: .byRequest, whenFull: .dropOldest) }
row("throttle", expected: turn, step: tick) {
  $0.publisher.throttle(for: .milliseconds(10), scheduler: clock, latest: true)
}
row("throttle by key") { $0.publisher.throttle(for: 100, latest: true, time: { $0 }, key: { $0 % 4 }) }
row("throttle by key, all pass") { $0.publisher.throttle(for: 4, latest: true, time: { $0 }, key: { $0 % 4 }) }
row("collect by key, 10 each", expected: 0.5) {
  $0.publisher.collect(for: nil, count: 10, time: { $0 }, key: { $0 % 4 })
}
row("collect by key, joined", expected: 0.5) {
  $0.publisher.collect(for: nil, count: 10, time: { $0 }, key: { $0 % 4 }).joined()
}
row("buffer by key") {
  $0.publisher.buffer(size: 100, key: { $0 % 4 }, prefetch: .byRequest, whenFull: .dropOldest)
}
row("debounce", expected: alarm, step: tick) { $0.publisher.debounce(for: .microseconds(1), scheduler: clock) }
row("delay", expected: alarm, step: tick) { $0.publisher.delay(for: .microseconds(1), scheduler: clock) }
row("timeout", expected: turn, step: tick) { $0.publisher.timeout(.seconds(10), scheduler: clock) }
row("receive(on:)", expected: turn, step: tick) { $0.publisher.receive(on: clock) }
row("subscribe(on:)") { $0.publisher.subscribe(on: ImmediateScheduler.shared) }
row("measureInterval") { $0.publisher.measureInterval(using: clock) }
row("merge") { $0.publisher.merge(with: never) }
row("combineLatest") { $0.publisher.combineLatest(Just(1)) { $0 + $1 } }
row("multicast") { $0.publisher.multicast { PassthroughSubject() }.autoconnect() }
let left = PassthroughSubject<Int, Never>()
row("zip", step: { left.send(0) }) { $0.publisher.zip(left) { $0 + $1 } }
row("zipAll", expected: 1, step: { left.send(0) }) { [$0.publisher, left.eraseToAnyPublisher()].zipAll() }
row("combineLatestAll", expected: 1) { [$0.publisher, Just(1).eraseToAnyPublisher()].combineLatestAll() }
row("withLatestFrom") { $0.publisher.withLatestFrom(Just(1)) { $0 + $1 } }
row("append") { $0.publisher.append(1) }
row("catch") { $0.publisher.setFailureType(to: Oops.self).catch { _ in Just(1) } }
row("retry") { $0.publisher.retry(1) }
row("handleEvents") { $0.publisher.handleEvents(receiveOutput: { _ in }) }
row("share") { $0.publisher.share() }
row("shareReplay") { $0.publisher.shareReplay(capacity: 10) }
row("eraseToAnyPublisher") { $0.publisher.eraseToAnyPublisher() }

print("\nGrowth of time with the backlog, a million against 100,000 (10 is linear):\n")
func seconds(_ body: () -> Void) -> Double {
  let start = ContinuousClock.now
  body()
  let components = (ContinuousClock.now - start).components
  return Double(components.seconds) + Double(components.attoseconds) / 1e18
}
func growth(_ name: String, _ run: (Int) -> Void) {
  let times = [100_000, 1_000_000].map { count in (0..<3).map { _ in seconds { run(count) } }.min() ?? 0 }
  print("\(name.padded(to: 28)) \((times[1] / times[0] * 10).rounded() / 10)")
}
growth("buffer") { count in
  let subject = PassthroughSubject<Int, Never>()
  var subscription: (any Subscription)?
  subject.buffer(size: .max, prefetch: .byRequest, whenFull: .dropNewest).subscribe(
    AnySubscriber(receiveSubscription: { subscription = $0 }, receiveValue: { _ in .none }))
  for value in 0..<count { subject.send(value) }
  subscription?.request(.unlimited)
}
growth("zip") { count in
  let (left, right) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
  let cancellable = left.zip(right).sink { _ in }
  for value in 0..<count { left.send(value) }
  for value in 0..<count { right.send(value) }
  cancellable.cancel()
}
growth("zipAll") { count in
  let subjects = (0..<3).map { _ in PassthroughSubject<Int, Never>() }
  let cancellable = subjects.zipAll().sink { _ in }
  for subject in subjects { for value in 0..<count { subject.send(value) } }
  cancellable.cancel()
}

if worst > 0.001 {
  print("\nan operator allocates \(worst) times a value more than it may")
  exit(1)
}
