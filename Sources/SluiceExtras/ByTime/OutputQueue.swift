public import DequeModule
public import Sluice

/// The core of an operator with outputs that are made on the upstream side. It keeps outputs until they are requested,
/// and requests inputs.
@usableFromInline
struct OutputQueue<Output, Failure: Error>: Operators.Core {
  /// The number of inputs to request per output.
  @usableFromInline let ratio: Int
  /// Whether a failure overtakes outputs that are ready.
  @usableFromInline let failsAtOnce: Bool
  @usableFromInline var ready: Deque<Output> = []
  @usableFromInline var wanted = WantedInputs()
  @usableFromInline var owed = Subscribers.Demand.none  // to be requested, in addition to the current demand
  @usableFromInline var end: Subscribers.Completion<Failure>?
  @usableFromInline var givesRuns = false

  @inlinable init(ratio: Int, failsAtOnce: Bool) {
    self.ratio = ratio
    self.failsAtOnce = failsAtOnce
  }

  @inlinable var demand: Subscribers.Demand { wanted.demand }

  @inlinable mutating func request(_ more: Subscribers.Demand) { wanted.demand += more }

  @inlinable var mayPass: Bool { wanted.demand != .none && ready.isEmpty && end == nil }

  /// Takes inputs, and the outputs that the last of them made.
  @inlinable mutating func receive(inputs count: Int, _ outputs: inout Deque<Output>) {
    guard end == nil else { return }
    if count > 1 {
      wanted.received(count - 1)
      // Other inputs are requested in their place, whatever the last one gives.
      owed += wanted.next(perOutput: ratio) ?? .none
    }
    wanted.received()
    while let output = outputs.popFirst() { ready.append(output) }
  }

  /// - Parameter outputs: The last outputs.
  @inlinable mutating func receive(completion: Subscribers.Completion<Failure>, _ outputs: Deque<Output>) {
    guard end == nil else { return }
    end = completion
    ready += outputs
  }

  @inlinable mutating func giveRuns() { givesRuns = true }

  @inlinable mutating func takeRun() -> [Output] {
    let run = Array(ready.prefix(wanted.demand.max ?? .max))
    ready.removeFirst(run.count)
    wanted.demand -= run.count
    return run
  }

  @inlinable mutating func next(_ out: inout Operators.Outbox<Self>) -> Operators.Action? {
    if failsAtOnce, case .failure(let error)? = end { return out.complete(.failure(error)) }
    if givesRuns, wanted.demand != .none, ready.count > 1 { return .deliverRun }
    if wanted.demand != .none, let output = ready.popFirst() {
      wanted.demand -= 1
      return out.deliver(output)
    }
    switch end {
    case .failure(let error)?: return out.complete(.failure(error))
    case .finished?: return ready.isEmpty ? out.complete(.finished) : nil
    case nil: break
    }
    owed += wanted.next(perOutput: ratio) ?? .none
    if owed == .none { return nil }
    defer { owed = .none }
    return .request(owed, inlet: 0)
  }
}

/// The input of elements that are delivered unchanged.
@usableFromInline
struct PassingPort<Element, Failure: Error>: Operators.Port {
  @usableFromInline typealias Core = OutputQueue<Element, Failure>

  @inlinable init() {}

  @inlinable var inlet: Int { 0 }
  @inlinable static var takesRuns: Bool { true }

  @inlinable func pass(_ input: Element, _ core: inout Core) -> Element? {
    guard core.mayPass else { return nil }
    core.wanted.received()
    core.wanted.demand -= 1
    return input
  }

  @inlinable func receive(_ input: Element, _ core: inout Core) {
    guard core.end == nil else { return }
    core.wanted.received()
    core.ready.append(input)
  }

  @inlinable func pass(run: inout ArraySlice<Element>, _ core: inout Core) -> ArraySlice<Element> {
    guard core.mayPass else { return [] }
    let passed = run.prefix(core.wanted.demand.max ?? .max)
    run.removeFirst(passed.count)
    core.wanted.received(passed.count)
    core.wanted.demand -= passed.count
    return passed
  }

  @inlinable func receive(run: inout ArraySlice<Element>, _ core: inout Core, _: inout [Void]) {
    if core.end == nil {
      core.wanted.received(run.count)
      core.ready.append(contentsOf: run)
    }
    run = []
  }

  @inlinable func receive(completion: Subscribers.Completion<Failure>, _ core: inout Core) {
    core.receive(completion: completion, [])
  }
}
