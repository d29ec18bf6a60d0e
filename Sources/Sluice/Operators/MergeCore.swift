public import DequeModule

@usableFromInline
struct MergePort<Value, Failure: Error>: Operators.Port {
  @usableFromInline typealias Core = MergeCore<Value, Failure>
  @usableFromInline let inlet: Int

  @inlinable init(inlet: Int) { self.inlet = inlet }

  @inlinable func pass(_ input: Value, _ core: inout Core) -> Value? { core.pass(input, from: inlet) }
  @inlinable func receive(_ input: Value, _ core: inout Core) { core.receive(input, from: inlet) }
  @inlinable func receive(completion: Subscribers.Completion<Failure>, _ core: inout Core) {
    core.receive(completion: completion)
  }

  @inlinable static var takesRuns: Bool { true }
  @inlinable func pass(run: inout ArraySlice<Value>, _ core: inout Core) -> ArraySlice<Value> {
    core.pass(run: &run, from: inlet)
  }
}

@usableFromInline
struct MergeCore<Value, Failure: Error>: Operators.Core {
  @inlinable static var hasManyInlets: Bool { true }

  @usableFromInline typealias Output = Value

  @usableFromInline let inlets: Int
  @usableFromInline var running: Int
  @usableFromInline var connected: [Int] = []
  @usableFromInline var toAsk: Deque<Int> = []  // the inlets that need a request
  @usableFromInline var queue: Deque<(value: Value, inlet: Int)> = []
  @usableFromInline var demand = Subscribers.Demand.none
  @usableFromInline var failure: Failure?

  @inlinable init(inlets: Int) {
    self.inlets = inlets
    running = inlets
  }

  @inlinable mutating func connected(_ inlet: Int) {
    connected.append(inlet)
    toAsk.append(inlet)
  }

  @inlinable mutating func request(_ more: Subscribers.Demand) {
    let before = demand
    demand += more
    // From now on upstreams need no request for each value.
    if demand == .unlimited, before != .unlimited { toAsk = Deque(connected) }
  }

  @inlinable mutating func pass(_ input: Value, from inlet: Int) -> Value? {
    guard queue.isEmpty, demand != .none, failure == nil else { return nil }
    demand.spend()
    if demand != .unlimited { toAsk.append(inlet) }
    return input
  }

  @inlinable mutating func pass(run: inout ArraySlice<Value>, from inlet: Int) -> ArraySlice<Value> {
    guard queue.isEmpty, demand != .none, failure == nil else { return [] }
    let passed = run.prefix(demand.max ?? .max)
    run.removeFirst(passed.count)
    demand -= passed.count
    if demand != .unlimited { toAsk.append(contentsOf: repeatElement(inlet, count: passed.count)) }
    return passed
  }

  @inlinable mutating func receive(_ input: Value, from inlet: Int) { queue.append((input, inlet)) }

  @inlinable mutating func receive(completion: Subscribers.Completion<Failure>) {
    running -= 1
    if case .failure(let error) = completion, failure == nil { failure = error }
  }

  @inlinable mutating func next(_ out: inout Operators.Outbox<Self>) -> Operators.Action? {
    // The usual case: a value has passed under unlimited demand. `next` is small, so that it can be inlined.
    if queue.isEmpty, toAsk.isEmpty, running > 0, failure == nil { return nil }
    return act(&out)
  }

  @inlinable mutating func act(_ out: inout Operators.Outbox<Self>) -> Operators.Action? {
    if let failure { return out.complete(.failure(failure)) }
    if demand != .none, let (value, inlet) = queue.popFirst() {
      demand.spend()
      if demand != .unlimited { toAsk.append(inlet) }
      return out.deliver(value)
    }
    if let inlet = toAsk.popFirst() { return .request(demand == .unlimited ? .unlimited : .max(1), inlet: inlet) }
    return running <= 0 && queue.isEmpty ? out.complete(.finished) : nil
  }
}
