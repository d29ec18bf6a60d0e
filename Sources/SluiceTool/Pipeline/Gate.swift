import Sluice

/// Holds streams back as long as their common end wants nothing.
///
/// Operators that keep time ask for everything and drop what is not wanted; a gate in front of them leaves it upstream,
/// where it is buffered, instead.
final class Gate: @unchecked Sendable {
  // The lock protects all state.
  private struct State {
    var isOpen = true
    var listeners: [(Bool) -> Void] = []
  }
  private let state = Locked(State())

  var isOpen: Bool { state.withLock { $0.isOpen } }

  func set(open: Bool) {
    let listeners = state.withLock { state -> [(Bool) -> Void] in
      guard state.isOpen != open else { return [] }
      state.isOpen = open
      return state.listeners
    }
    for listener in listeners { listener(open) }
  }

  fileprivate func listen(_ listener: @escaping (Bool) -> Void) {
    let isOpen = state.withLock { state in
      state.listeners.append(listener)
      return state.isOpen
    }
    listener(isOpen)
  }
}

extension Publisher {
  /// Asks upstream for one value at a time, and only while the gate is open.
  func gate(_ gate: Gate) -> Publishers.Gated<Self> { Publishers.Gated(upstream: self, gate: gate) }
}

extension Publishers {
  struct Gated<Upstream: Publisher>: _DirectPublisher {
    typealias Output = Upstream.Output
    typealias Failure = Upstream.Failure

    let upstream: Upstream
    let gate: Gate

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let conduit = Conduit("Gate", GateCore<Output, Failure>(), subscriber)
      upstream._attach(Inlet(conduit, OnlyPort()))
      gate.listen { [weak conduit] open in conduit?.feed { $0.isOpen = open } }
    }
  }
}

struct GateCore<Value, Failure: Error>: SingleInputCore {
  typealias Output = Value

  var isOpen = false
  var demand = Subscribers.Demand.none
  var asked = false
  var held: Value?  // it was asked for before the gate closed
  var end: Subscribers.Completion<Failure>?

  mutating func request(_ more: Subscribers.Demand) { demand += more }

  mutating func pass(_ input: Value) -> Value? {
    guard isOpen, demand != .none, held == nil else { return nil }
    asked = false
    demand -= 1
    return input
  }

  mutating func receive(_ input: Value) {
    asked = false
    held = input
  }

  mutating func receive(completion: Subscribers.Completion<Failure>) { end = end ?? completion }

  mutating func next(_ out: inout Outbox<Self>) -> Action? {
    if isOpen, demand != .none, let value = held {
      held = nil
      demand -= 1
      return out.deliver(value)
    }
    if held == nil, let end { return out.complete(end) }
    guard isOpen, demand != .none, !asked, held == nil else { return nil }
    asked = true
    return .request(.max(1), inlet: 0)
  }
}
