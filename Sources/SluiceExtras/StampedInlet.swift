import Sluice

/// A way into a core that takes a stamp with each element, such as its time and key.
@usableFromInline
protocol StampedPort<Core> {
  associatedtype Core: OperatorCore
  associatedtype Element
  associatedtype Stamp
  associatedtype Leftover

  func pass(_ element: Element, _ stamp: Stamp, _ core: inout Core) -> Core.Output?
  func receive(_ element: Element, _ stamp: Stamp, _ core: inout Core) -> Leftover
  func receive(completion: Subscribers.Completion<Core.Failure>, _ core: inout Core)

  /// As in `Port`; the stamps are those of the run, in its order.
  func pass(run: inout ArraySlice<Element>, _ stamps: ArraySlice<Stamp>, _ core: inout Core) -> ArraySlice<Core.Output>
  func receive(
    run: inout ArraySlice<Element>, _ stamps: ArraySlice<Stamp>, _ core: inout Core, _ leftovers: inout [Leftover])

  /// Called outside the lock with what the core threw away.
  func settle(_ leftover: Leftover)
}

extension StampedPort {
  @inlinable func pass(_ element: Element, _ stamp: Stamp, _ core: inout Core) -> Core.Output? { nil }
  @inlinable func pass(
    run: inout ArraySlice<Element>, _ stamps: ArraySlice<Stamp>, _ core: inout Core
  ) -> ArraySlice<Core.Output> { [] }
  @inlinable func settle(_ leftover: Leftover) {}
}

/// The upstream side of a conduit whose core takes a stamp with each element.
///
/// What is the user's, such as the closures that say an element's time and key, runs here, outside the conduit's lock.
@usableFromInline
struct StampedInlet<P: StampedPort, Downstream: Subscriber>: Subscriber, OperatorDescription
where P.Core.Output == Downstream.Input, P.Core.Failure == Downstream.Failure {
  @usableFromInline typealias Input = P.Element
  @usableFromInline typealias Failure = P.Core.Failure

  @usableFromInline let conduit: Conduit<P.Core, Downstream>
  @usableFromInline let port: P
  @usableFromInline let stamp: (P.Element) -> P.Stamp

  @inlinable init(_ conduit: Conduit<P.Core, Downstream>, _ port: P, stamp: @escaping (P.Element) -> P.Stamp) {
    self.conduit = conduit
    self.port = port
    self.stamp = stamp
  }

  @usableFromInline var name: StaticString { conduit.name }
  @inlinable var combineIdentifier: CombineIdentifier { CombineIdentifier(conduit) }

  @inlinable func receive(subscription: any Subscription) { conduit.connect(subscription, 0) }

  @inlinable func receive(_ input: P.Element) -> Subscribers.Demand {
    let stamp = stamp(input)
    return conduit.feed(answering: 0, passing: { port.pass(input, stamp, &$0) }, settling: port.settle) {
      port.receive(input, stamp, &$0)
    }
  }

  @inlinable var _takesRuns: Bool { conduit.takesRuns }

  @inlinable func _receive(run: ArraySlice<P.Element>) -> Subscribers.Taken {
    conduit.feed(run: run, StampedRunPort(port, run.map(stamp), from: run.startIndex))
  }

  @inlinable func receive(completion: Subscribers.Completion<Failure>) {
    conduit.disconnect(0)
    conduit.feed { port.receive(completion: completion, &$0) }
  }
}

/// A port for one run of elements and their stamps.
@usableFromInline
struct StampedRunPort<P: StampedPort>: Port {
  @usableFromInline typealias Core = P.Core
  @usableFromInline typealias Input = P.Element
  @usableFromInline typealias Failure = P.Core.Failure
  @usableFromInline typealias Leftover = P.Leftover

  @usableFromInline let port: P
  @usableFromInline let stamps: [P.Stamp]
  @usableFromInline let start: Int  // the index of the first element in its run

  @inlinable init(_ port: P, _ stamps: [P.Stamp], from start: Int) {
    self.port = port
    self.stamps = stamps
    self.start = start
  }

  @inlinable var inlet: Int { 0 }
  @inlinable static var takesRuns: Bool { true }

  @inlinable func pass(run: inout ArraySlice<Input>, _ core: inout Core) -> ArraySlice<Core.Output> {
    port.pass(run: &run, stamps[(run.startIndex - start)...], &core)
  }

  @inlinable func receive(run: inout ArraySlice<Input>, _ core: inout Core, _ leftovers: inout [Leftover]) {
    port.receive(run: &run, stamps[(run.startIndex - start)...], &core, &leftovers)
  }

  @inlinable func receive(_ input: Input, _ core: inout Core) -> Leftover {
    preconditionFailure("a run is fed in runs: its conduit's downstream takes them")
  }

  @inlinable func receive(completion: Subscribers.Completion<Failure>, _ core: inout Core) {
    port.receive(completion: completion, &core)
  }

  @inlinable func settle(_ leftover: Leftover) { port.settle(leftover) }
}

/// An element's time and key.
@usableFromInline
struct TimeAndKey<Time, Key> {
  @usableFromInline let time: Time
  @usableFromInline let key: Key?

  @inlinable init(_ time: Time, _ key: Key?) {
    self.time = time
    self.key = key
  }
}
