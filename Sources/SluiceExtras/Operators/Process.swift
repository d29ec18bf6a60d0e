public import DequeModule
public import Sluice

/// A state machine that makes any number of outputs of its inputs, as a value.
///
/// Use it for an operator that `scan` and `compactMap` cannot express, because an input may give several outputs, or
/// the outputs are to be made only when they are wanted.
///
/// ```swift
/// import Sluice
/// import SluiceExtras
///
/// /// Each number as often as it says: 2 gives 2, 2.
/// struct Repeated: ElementProcessor {
///   var number = 0
///   var left = 0
///   mutating func receive(_ input: Int) { (number, left) = (input, input) }
///   mutating func next() -> Int? {
///     guard left > 0 else { return nil }
///     left -= 1
///     return number
///   }
/// }
/// [2, 0, 3].publisher.process(by: Repeated()).sink { print($0) }  // 2 2 3 3 3
/// ```
///
/// The operator calls it under its lock: it must call no foreign code.
public protocol ElementProcessor<Input, Output> {
  /// The type of upstream's values.
  associatedtype Input
  /// The type of the values that it makes.
  associatedtype Output

  /// Takes an input; called only after ``next()`` has returned nil.
  mutating func receive(_ input: Input)
  /// Upstream has finished; called once, after ``next()`` has returned nil.
  mutating func finish()
  /// The next output; nil if it needs another input for it.
  mutating func next() -> Output?
}

extension ElementProcessor {
  /// By default the end makes no output.
  @inlinable public mutating func finish() {}
}

extension Publisher {
  /// Publishes what a state machine makes of the values.
  ///
  /// Use it with an ``ElementProcessor``, which has an example.
  ///
  /// Nothing is dropped because of missing demand: inputs wait until the outputs of those before them are delivered. A
  /// finish comes after the last output.
  ///
  /// - Demand: Asks for what downstream asks for, and for one more for each input that gives no output.
  /// - Thread: Where the upstream already delivering does, or where downstream requests: see Threads in `Sluice`.
  /// - Memory: Keeps the inputs that were asked for; outputs are made when they are wanted.
  /// - Failure: Passes on upstream's, after the outputs that the inputs before it make.
  @inlinable public func process<Processor: ElementProcessor>(
    by processor: Processor
  ) -> Publishers.Process<Self, Processor> where Processor.Input == Output {
    Publishers.Process(upstream: self, processor: processor)
  }
}

extension Publishers {
  /// Publishes what a state machine makes of the values.
  public struct Process<Upstream: Publisher, Processor: ElementProcessor>: _DirectPublisher
  where Processor.Input == Upstream.Output {
    /// The type of the values that it publishes.
    public typealias Output = Processor.Output
    /// The type of upstream's failure.
    public typealias Failure = Upstream.Failure

    /// The publisher that this one gets its values from.
    public let upstream: Upstream
    /// The state machine; each subscriber gets a copy.
    public let processor: Processor

    @inlinable init(upstream: Upstream, processor: Processor) {
      self.upstream = upstream
      self.processor = processor
    }

    /// Attaches a subscriber.
    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let conduit = Operators.Conduit("Process", ProcessCore<Processor, Failure>(processor), subscriber)
      upstream._attach(Operators.Inlet(conduit, Operators.OnlyPort()))
    }
  }
}

@usableFromInline
struct ProcessCore<Processor: ElementProcessor, Failure: Error>: Operators.SingleInputCore {
  @usableFromInline typealias Input = Processor.Input
  @usableFromInline typealias Output = Processor.Output

  /// The longest run, so that a processor that never runs out cannot fill the memory.
  @inlinable static var longestRun: Int { 512 }

  @usableFromInline var processor: Processor
  @usableFromInline var inputs: Deque<Input> = []
  @usableFromInline var wanted = WantedInputs()
  @usableFromInline var givesRuns = false
  /// Made for a run, and to be delivered in it.
  @usableFromInline var run: [Output] = []
  /// Made to see whether there is one more, without demand for it.
  @usableFromInline var ahead: Output?
  @usableFromInline var end: Subscribers.Completion<Failure>?
  @usableFromInline var hasFinished = false

  @inlinable init(_ processor: Processor) { self.processor = processor }

  @inlinable var demand: Subscribers.Demand { wanted.demand }

  @inlinable mutating func request(_ more: Subscribers.Demand) { wanted.demand += more }

  @inlinable mutating func receive(_ input: Input) {
    guard end == nil else { return }
    wanted.received()
    inputs.append(input)
  }

  @inlinable static var takesRuns: Bool { true }

  @inlinable mutating func receive(run: inout ArraySlice<Input>, _: inout [Void]) {
    if end == nil {
      wanted.received(run.count)
      inputs.append(contentsOf: run)
    }
    run = []
  }

  @inlinable mutating func receive(completion: Subscribers.Completion<Failure>) { end = end ?? completion }

  @inlinable mutating func giveRuns() { givesRuns = true }

  @inlinable mutating func takeRun() -> [Output] {
    defer { run = [] }
    return run
  }

  /// The next output of the inputs that are there.
  @inlinable mutating func made() -> Output? {
    if ahead != nil { return ahead.take() }
    while true {
      if let output = processor.next() { return output }
      if let input = inputs.popFirst() {
        processor.receive(input)
      } else if case .finished? = end, !hasFinished {
        hasFinished = true
        processor.finish()
      } else {
        return nil
      }
    }
  }

  @inlinable mutating func next(_ out: inout Operators.Outbox<Self>) -> Operators.Action? {
    while wanted.demand != .none, let output = made() {
      wanted.demand -= 1
      guard givesRuns else { return out.deliver(output) }
      run.append(output)
      if run.count == Self.longestRun { break }
    }
    if !run.isEmpty { return .deliverRun }
    if let end {
      ahead = made()
      return ahead == nil ? out.complete(end) : nil
    }
    return inputs.isEmpty ? wanted.next(perOutput: 1).map { .request($0, inlet: 0) } : nil
  }
}
