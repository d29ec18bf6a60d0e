// Too many values: five ways to slow them down, each in virtual time.
//
// Look at which of the values 0...9, one every 100 ms, come through, and when.
import Sluice
import SluiceExtras

/// Sends 0...9, one every 100 ms beginning at once, and then the end.
func run<P: Publisher>(
  _ name: String, _ make: (PassthroughSubject<Int, Never>, VirtualTimeScheduler) -> P
) where P.Failure == Never {
  let time = VirtualTimeScheduler()
  let source = PassthroughSubject<Int, Never>()
  print("--", name)
  let cancellable = make(source, time).sink(
    receiveCompletion: { _ in print("\(time.now.nanoseconds / 1_000_000) ms: finished") },
    receiveValue: { print("\(time.now.nanoseconds / 1_000_000) ms: \($0)") })
  for value in 0...9 {
    source.send(value)
    time.advance(by: .milliseconds(100))
  }
  source.send(completion: .finished)
  time.run()
  cancellable.cancel()
}

run("throttle, the latest of every 300 ms") { $0.throttle(for: .milliseconds(300), scheduler: $1, latest: true) }
run("throttle, the first of every 300 ms") { $0.throttle(for: .milliseconds(300), scheduler: $1, latest: false) }
run("debounce, with a rest after 2 and after 6") { source, time in
  source.filter { ![3, 4, 7].contains($0) }.debounce(for: .milliseconds(150), scheduler: time)
}
run("collect four at a time") { source, _ in source.collect(4) }
run("collect by time") { $0.collect(.byTime($1, .milliseconds(250))) }
run("collect by time or count") { $0.collect(.byTimeOrCount($1, .milliseconds(500), 3)) }

// A buffer slows nothing down: it holds what comes while downstream is not ready, and decides what is lost.
print("-- buffer of three, for a subscriber that asks for one value after 0...9 have come")
for (name, whenFull) in [
  ("dropOldest", Publishers.BufferingStrategy<Never>.dropOldest), ("dropNewest", .dropNewest),
] {
  let source = PassthroughSubject<Int, Never>()
  var held: (any Subscription)?
  source.buffer(size: 3, prefetch: .byRequest, whenFull: whenFull).subscribe(
    AnySubscriber(
      receiveSubscription: { held = $0 },
      receiveValue: {
        print("\(name): \($0)")
        return .none
      }))
  for value in 0...9 { source.send(value) }
  held?.request(.max(1))
  held?.cancel()
}
