public import Sluice

/// A state machine that makes any number of outputs from its inputs. It is a value type.
///
/// Use it for an operator that `scan` and `compactMap` cannot express, because an input may give several outputs.
///
/// ```swift
/// import Sluice
/// import SluiceExtras
///
/// /// Repeats each number: 2 gives 2, 2.
/// struct Repeated: ElementProcessor {
///   func receive(_ input: Int, into outputs: inout [Int]) {
///     outputs += Array(repeating: input, count: input)
///   }
/// }
/// [2, 0, 3].publisher.process(by: Repeated()).sink { print($0) }  // 2 2 3 3 3
/// ```
///
/// The operator calls it while it holds its lock. So it must not publish, wait, or call a closure of a user, because
/// that code may need the same lock.
public protocol ElementProcessor<Input, Output> {
  /// The type of its inputs.
  associatedtype Input
  /// The type of its outputs.
  associatedtype Output

  /// Takes an input, and adds its outputs.
  mutating func receive(_ input: Input, into outputs: inout [Output])
  /// Adds the last outputs, after upstream has finished.
  mutating func finish(into outputs: inout [Output])
  /// Whether there are more outputs than the last call has added. Then ``resume(into:)`` is called until this is false.
  var hasMore: Bool { get }
  /// Adds more outputs, some hundred per call, so that a long series takes no memory before there is demand for it.
  mutating func resume(into outputs: inout [Output])

  /// Takes inputs, up to the first input with more than one output.
  /// - Returns: The number of inputs that it has taken, and the number of outputs of the last of them.
  mutating func receive(
    run: UnsafeBufferPointer<Input>, into outputs: inout [Output]
  ) -> (count: Int, ofLast: Int)
}

extension ElementProcessor {
  /// By default, the end adds no output.
  @inlinable public mutating func finish(into outputs: inout [Output]) {}
  /// By default, all outputs are added at once.
  @inlinable public var hasMore: Bool { false }
  /// By default, all outputs are added at once.
  @inlinable public mutating func resume(into outputs: inout [Output]) {}

  /// By default, the inputs are taken one by one.
  @inlinable public mutating func receive(
    run: UnsafeBufferPointer<Input>, into outputs: inout [Output]
  ) -> (count: Int, ofLast: Int) {
    var before = outputs.count
    for index in run.indices {
      before = outputs.count
      receive(run[index], into: &outputs)
      if outputs.count > before + 1 || hasMore { return (index + 1, outputs.count - before) }
    }
    return (run.count, outputs.count - before)
  }
}

extension Publisher {
  /// Publishes the outputs of a state machine.
  ///
  /// Use it with an ``ElementProcessor``, which has an example.
  ///
  /// Without demand nothing is dropped: outputs wait until there is demand. A finish comes after the last output.
  ///
  /// - Demand: Requests the demand of downstream, and one more input for each input without an output.
  /// - Thread: The thread of upstream, or of a request: see Threads in `Sluice`.
  /// - Memory: Keeps the outputs of the requested inputs; for an input with many outputs, some hundred.
  /// - Failure: Passes on the failure of upstream, after the outputs of the inputs before it.
  @inlinable public func process<Processor: ElementProcessor>(
    by processor: Processor
  ) -> Publishers.Process<Self, Processor> where Processor.Input == Output {
    Publishers.Process(upstream: self, processor: processor)
  }
}

extension Publishers {
  /// Publishes the outputs of a state machine.
  public struct Process<Upstream: Publisher, Processor: ElementProcessor>: _DirectPublisher
  where Processor.Input == Upstream.Output {
    public typealias Output = Processor.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    /// The state machine; each subscriber gets a copy.
    public let processor: Processor

    @inlinable init(upstream: Upstream, processor: Processor) {
      self.upstream = upstream
      self.processor = processor
    }

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

  @usableFromInline var processor: Processor
  /// The inputs that wait, from the index `taken`. The inputs before it are used up.
  @usableFromInline var inputs: [Input] = []
  @usableFromInline var taken = 0
  /// The outputs that wait, from the index `delivered`. The outputs before it are delivered.
  @usableFromInline var outputs: [Output] = []
  @usableFromInline var delivered = 0
  /// The index of the first output of an input with several outputs. Before this index, one input is requested for each
  /// input without an output, as if the inputs had come one by one.
  @usableFromInline var severalFrom: Int?
  @usableFromInline var wanted = WantedInputs()
  @usableFromInline var givesRuns = false
  @usableFromInline var end: Subscribers.Completion<Failure>?
  @usableFromInline var hasFinished = false

  @inlinable init(_ processor: Processor) { self.processor = processor }

  @inlinable var demand: Subscribers.Demand { wanted.demand }

  @inlinable mutating func request(_ more: Subscribers.Demand) { wanted.demand += more }

  @inlinable mutating func receive(_ input: Input) {
    guard end == nil else { return }
    if inputs.isEmpty, outputs.isEmpty, !processor.hasMore {
      wanted.received()
      processor.receive(input, into: &outputs)
    } else {
      inputs.append(input)
    }
  }

  @inlinable static var takesRuns: Bool { true }

  @inlinable mutating func receive(run: inout ArraySlice<Input>, _: inout [Void]) {
    guard end == nil else { return run = [] }
    guard inputs.isEmpty, outputs.isEmpty, !processor.hasMore else {
      inputs.append(contentsOf: run)
      return run = []
    }
    run.removeFirst(run.withUnsafeBufferPointer { take($0) })
  }

  /// - Returns: The number of inputs that it has taken.
  @inlinable mutating func take(_ run: UnsafeBufferPointer<Input>) -> Int {
    let (count, ofLast) = processor.receive(run: run, into: &outputs)
    let isSeveral = ofLast > 1 && count > 1
    if isSeveral { severalFrom = outputs.count - ofLast }
    wanted.received(isSeveral ? count - 1 : count)
    return count
  }

  @inlinable mutating func receive(completion: Subscribers.Completion<Failure>) { end = end ?? completion }

  @inlinable mutating func giveRuns() { givesRuns = true }

  @inlinable mutating func takeRun() -> [Output] {
    let count = min((severalFrom ?? outputs.count) - delivered, wanted.demand.max ?? .max)
    wanted.demand -= count
    if delivered == 0, count == outputs.count, severalFrom == nil {
      defer { outputs = [] }
      return outputs
    }
    let run = Array(outputs[delivered..<delivered + count])
    delivered += count
    forgetDelivered()
    return run
  }

  @inlinable mutating func forgetDelivered() {
    guard delivered == outputs.count else { return }
    outputs.removeAll(keepingCapacity: true)
    delivered = 0
  }

  /// Makes outputs if none of them waits.
  @inlinable mutating func work() {
    while outputs.isEmpty {
      if processor.hasMore {
        processor.resume(into: &outputs)
      } else if taken < inputs.count {
        taken += inputs[taken...].withUnsafeBufferPointer { take($0) }
        if taken == inputs.count {
          inputs.removeAll(keepingCapacity: true)
          taken = 0
        }
      } else if case .finished? = end, !hasFinished {
        hasFinished = true
        processor.finish(into: &outputs)
      } else {
        return
      }
    }
  }

  @inlinable mutating func next(_ out: inout Operators.Outbox<Self>) -> Operators.Action? {
    work()
    if delivered == severalFrom {
      severalFrom = nil
      let more = wanted.next(perOutput: 1)
      wanted.received()
      if let more { return .request(more, inlet: 0) }
    }
    if delivered < outputs.count {
      guard wanted.demand != .none else { return nil }
      if givesRuns, (severalFrom ?? outputs.count) - delivered > 1 { return .deliverRun }
      wanted.demand -= 1
      let output = outputs[delivered]
      delivered += 1
      forgetDelivered()
      return out.deliver(output)
    }
    if let end { return out.complete(end) }
    return wanted.next(perOutput: 1).map { .request($0, inlet: 0) }
  }
}
