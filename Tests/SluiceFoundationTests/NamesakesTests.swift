import Namesakes
import SluiceFoundation
import XCTest

/// A library may have every name that SluiceExtras and the kit for authors of operators have: it compiles beside
/// SluiceFoundation, and where both are imported its own are called. SluiceExtras is built with these tests, and no file of
/// them imports it.
final class NamesakesTests: XCTestCase {
  func testItsOwnAreCalled() {
    for (name, type) in callsOfTypes() + callsOfOperators() {
      let full = String(reflecting: type)
      XCTAssertTrue(full.contains("Namesakes"), "\(name) is \(full)")
    }
  }

  func testEveryNameIsThere() throws {
    let extras = try ModuleNames("SluiceExtras").outermost
    var kit = Set<String>()
    for name in try ModuleNames("Sluice").names where name.hasPrefix("Operators.") {
      let inner = name.dropFirst("Operators.".count)
      if !inner.contains(".") { kit.insert(String(inner)) }
    }
    let namesakes = try ModuleNames("Namesakes").outermost
    XCTAssertGreaterThan(extras.count, 40, "SluiceExtras was not read")
    XCTAssertGreaterThan(kit.count, 20, "the kit was not read")
    XCTAssertEqual(extras.union(kit).subtracting(namesakes).sorted(), [], "to be added to Namesakes")
    XCTAssertEqual(
      namesakes.subtracting(extras).subtracting(kit).sorted(), ["Own"], "not a name of ours any more")
    let called = (callsOfTypes() + callsOfOperators()).map(\.name)
    XCTAssertEqual(extras.union(kit).subtracting(called).sorted(), [], "to be called in this file")
  }
}

/// A name, as the compiler sees it, and the type that is made by using it.
private typealias Call = (name: String, type: Any.Type)

private func callsOfTypes() -> [Call] {
  [
    ("ClosureKeys", type(of: ClosureKeys())),
    ("ClosureStamps", type(of: ClosureStamps())),
    ("TimeLogger", type(of: TimeLogger())),
    ("VirtualTimeScheduler", type(of: VirtualTimeScheduler())),
    ("Action", type(of: Action())),
    ("Conduit", type(of: Conduit())),
    ("Core", type(of: Core())),
    ("Delivery", type(of: Delivery())),
    ("Description", type(of: Description())),
    ("DynamicCore", type(of: DynamicCore())),
    ("DynamicInlet", type(of: DynamicInlet())),
    ("Fold", type(of: Fold())),
    ("FoldConduit", type(of: FoldConduit())),
    ("Inlet", type(of: Inlet())),
    ("LateInput", type(of: LateInput())),
    ("OnlyPort", type(of: OnlyPort())),
    ("Outbox", type(of: Outbox())),
    // Foundation has one too.
    ("Port", type(of: Namesakes.Port())),
    ("Pull", type(of: Pull())),
    ("PullConduit", type(of: PullConduit())),
    ("RelayCore", type(of: RelayCore())),
    ("ScheduledCore", type(of: ScheduledCore())),
    ("SingleInputCore", type(of: SingleInputCore())),
    ("Stage", type(of: Stage())),
    ("StageConduit", type(of: StageConduit())),
    ("Step", type(of: Step())),
    ("Taken", type(of: Taken())),
    ("TimedCore", type(of: TimedCore())),
    ("TimedInlet", type(of: TimedInlet())),
    ("Turn", type(of: Turn())),
    ("ElementProcessor", (any ElementProcessor).self),
    ("ElementKeys", (any ElementKeys).self),
    ("ElementStamps", (any ElementStamps).self),
    ("Pausable", (any Pausable).self),
    ("HoldValue", type(of: HoldValue(1))),
    ("ReplaySubject", type(of: ReplaySubject<Int, Never>(bufferSize: 1))),
    ("Subscribers.PausableSink", type(of: Subscribers.PausableSink())),
    ("Publishers.AsyncElements", type(of: Publishers.AsyncElements())),
    ("Publishers.CombineLatestAll", type(of: Publishers.CombineLatestAll())),
    ("Publishers.Joined", type(of: Publishers.Joined())),
    ("Publishers.KeyedBuffer", type(of: Publishers.KeyedBuffer())),
    ("Publishers.KeyedCollect", type(of: Publishers.KeyedCollect())),
    ("Publishers.KeyedThrottle", type(of: Publishers.KeyedThrottle())),
    ("Publishers.MergeByTime", type(of: Publishers.MergeByTime())),
    ("Publishers.Process", type(of: Publishers.Process())),
    ("Publishers.Nwise", type(of: Publishers.Nwise())),
    ("Publishers.ShareReplay", type(of: Publishers.ShareReplay())),
    ("Publishers.ZipAll", type(of: Publishers.ZipAll())),
    ("Publishers.DispatchTimer", type(of: Publishers.DispatchTimer())),
    ("Publishers.Tick", type(of: Publishers.Tick())),
    ("Publishers.Ticks", type(of: Publishers.Ticks())),
    ("Publishers.Part", type(of: Publishers.Part())),
    ("Publishers.WithLatestFrom", type(of: Publishers.WithLatestFrom(upstream: Just(1), other: Just(2)))),
    ("Publishers.timer(queue:interval:leeway:times:)", type(of: Publishers.timer(interval: 1))),
  ]
}

private func callsOfOperators() -> [Call] {
  let numbers = PassthroughSubject<Int, Never>()
  let bools = PassthroughSubject<Bool, Never>()
  let optionals = PassthroughSubject<Int?, Never>()
  let arrays = PassthroughSubject<[Int], Never>()
  let letters = PassthroughSubject<String, Never>()
  let stamps = ClosureStamps()
  return [
    ("Publisher.nwise(_:)", type(of: numbers.nwise(2))),
    ("Publisher.pair()", type(of: numbers.pair())),
    ("Publisher.toggle()", type(of: bools.toggle())),
    ("Publisher.unwrap()", type(of: optionals.unwrap())),
    ("Publisher.process(by:)", type(of: numbers.process(by: 1))),
    ("Publisher.joined(ahead:)", type(of: arrays.joined())),
    ("Publisher.shareReplay(capacity:)", type(of: numbers.shareReplay(capacity: 1))),
    ("Publisher.partition(into:by:)", type(of: numbers.partition(into: 2) { $0 % 2 })),
    ("Publisher.withLatestFrom(_:)", type(of: numbers.withLatestFrom(letters))),
    ("Publisher.withLatestFrom(_:resultSelector:)", type(of: numbers.withLatestFrom(letters) { "\($0)\($1)" })),
    ("Publisher.withLatestFrom(_:_:)", type(of: numbers.withLatestFrom(letters, bools))),
    (
      "Publisher.withLatestFrom(_:_:resultSelector:)",
      type(of: numbers.withLatestFrom(letters, bools) { "\($0)\($1)" })
    ),
    ("Publisher.withLatestFrom(_:_:_:)", type(of: numbers.withLatestFrom(letters, bools, arrays))),
    (
      "Publisher.withLatestFrom(_:_:_:resultSelector:)",
      type(of: numbers.withLatestFrom(letters, bools, arrays) { "\($0)\($1)" })
    ),
    (
      "Publisher.pausableSink(receiveCompletion:receiveValue:)",
      type(of: numbers.pausableSink(receiveCompletion: { _ in }, receiveValue: { $0 < 2 }))
    ),
    (
      "Publisher.sink(on:receiveCompletion:receiveValue:)",
      type(of: numbers.sink(on: 1, receiveCompletion: { _ in }, receiveValue: { _ in }))
    ),
    (
      "Publisher.sink(receiveCompletion:onMainActor:)",
      type(of: numbers.sink(receiveCompletion: { _ in }, onMainActor: { _ in }))
    ),
    ("Publisher.assign(to:onMainActor:)", type(of: numbers.assign(to: \.number, onMainActor: Numbered()))),
    (
      "Publisher.values(buffering:prefetch:whenFull:)",
      type(of: numbers.values(buffering: 10, prefetch: .byRequest, whenFull: .dropOldest))
    ),
    (
      "Publisher.buffer(size:key:prefetch:whenFull:onDrop:afterDrop:)",
      type(of: numbers.buffer(size: 1, key: { $0 }, prefetch: .byRequest, whenFull: .dropOldest))
    ),
    (
      "Publisher.buffer(size:by:prefetch:whenFull:onDrop:afterDrop:)",
      type(of: numbers.buffer(size: 1, by: stamps, prefetch: .byRequest, whenFull: .dropOldest))
    ),
    ("Publisher.collect(for:count:time:key:)", type(of: numbers.collect(for: 1, time: { $0 }, key: { $0 }))),
    ("Publisher.collect(for:count:by:)", type(of: numbers.collect(for: 1, by: stamps))),
    (
      "Publisher.throttle(for:latest:time:key:onDiscard:)",
      type(of: numbers.throttle(for: 1, latest: true, time: { $0 }, key: { $0 }))
    ),
    ("Publisher.throttle(for:latest:by:onDiscard:)", type(of: numbers.throttle(for: 1, latest: true, by: stamps))),
    ("Collection.combineLatestAll()", type(of: [numbers].combineLatestAll())),
    ("Collection.mergeAll()", type(of: [numbers].mergeAll())),
    ("Collection.zipAll()", type(of: [numbers].zipAll())),
    ("AsyncSequence.publisher", type(of: AsyncStream<Int> { $0.finish() }.publisher)),
  ]
}

private final class Numbered {
  var number = 0
}
