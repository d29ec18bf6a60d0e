import Sluice
import SluiceExtras
import SluiceTesting
import XCTest

/// An operator between sources and a subscriber that do what a script says.
final class ModelBench {
  /// Sends what is wanted, and nothing after its end or a cancel.
  final class Source: Publisher, Subscription {
    typealias Output = Int
    typealias Failure = Boom
    private(set) var credit = Subscribers.Demand.none
    private(set) var isOpen = true
    private var subscriber: AnySubscriber<Int, Boom>?

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Boom {
      self.subscriber = AnySubscriber(subscriber)
      subscriber.receive(subscription: self)
    }

    func request(_ demand: Subscribers.Demand) { credit += demand }

    func cancel() {
      isOpen = false
      subscriber = nil
    }

    func send(_ value: Int) {
      guard isOpen, credit > .none, let subscriber else { return }
      credit -= 1
      credit += subscriber.receive(value)
    }

    func end(_ completion: Subscribers.Completion<Boom>) {
      guard isOpen else { return }
      isOpen = false
      subscriber?.receive(completion: completion)
      subscriber = nil
    }

    /// How it looks to a model.
    var state: StreamModel.Source { .init(credit: credit.max ?? .max, isOpen: isOpen) }
  }

  let script: Script
  let time = VirtualTimeScheduler()
  private(set) var sources: [Source] = []
  private(set) var log: [String] = []
  private(set) var violations: () -> [String] = { [] }
  private var request: (Subscribers.Demand) -> Void = { _ in }
  private var cancel: () -> Void = {}
  private var deliveries = 0

  init(_ script: Script) { self.script = script }

  /// One more source.
  func source() -> Source {
    sources.append(Source())
    return sources[sources.count - 1]
  }

  func attach<P: Publisher>(to publisher: P) where P.Failure == Boom {
    let subscriber = TestSubscriber<P.Output, Boom>(
      initial: Self.demand(script.initial),
      answer: { [unowned self] in received("\($0)") },
      ended: { [unowned self] in note($0 == .finished ? "finished" : "failed") })
    request = { subscriber.request($0) }
    cancel = { subscriber.cancel() }
    violations = { subscriber.violations }
    publisher.subscribe(subscriber)
  }

  func perform(_ act: Act) {
    switch act {
    case .send(let value, let source): sources[source % sources.count].send(value)
    case .end(let source, let fails): sources[source % sources.count].end(fails ? .failure(Boom()) : .finished)
    case .request(let more): request(Self.demand(more))
    case .cancel: cancel()
    case .wait(let milliseconds): time.advance(by: .milliseconds(milliseconds))
    }
  }

  private static func demand(_ number: Int) -> Subscribers.Demand { number == .max ? .unlimited : .max(number) }

  private func note(_ event: String) { log.append("\(event) at \(time.now.nanoseconds / 1_000_000)") }

  private func received(_ value: String) -> Subscribers.Demand {
    note(value)
    let (acts, answer) = script.reaction(to: deliveries)
    deliveries += 1
    for act in acts { perform(act) }
    return Self.demand(answer)
  }
}

/// Plays scripts to an operator and to its model, and compares after each act what downstream got and what each source
/// may send.
///
/// - Parameters:
///   - sources: The number of sources that scripts may choose from, those to come included.
///   - model: Makes the model.
///   - attach: Makes the sources, and attaches the operator.
func compare(
  _ name: String, sources: Int, seeds: Range<UInt64> = 0..<2_000, line: UInt = #line,
  model makeModel: (Script) -> StreamModel, attach: (ModelBench) -> Void
) {
  var (values, ends) = (0, 0)
  for seed in seeds {
    let script = Script(seed: seed, sources: sources)
    let model = makeModel(script)
    let bench = ModelBench(script)
    attach(bench)
    model.start()
    for (step, act) in script.acts.enumerated() {
      bench.perform(act)
      model.perform(act)
      let states = bench.sources.map(\.state)
      let isSame =
        bench.log == model.log && states.count == model.sources.count
        && zip(states, model.sources).allSatisfy { $0 == $1 || (!$0.isOpen && !$1.isOpen) }
      guard isSame, bench.violations().isEmpty else {
        XCTFail(
          """
          \(name), seed \(seed), act \(step): \(act)
          comes:    \(bench.log), \(states.map { "\($0.isOpen ? "\($0.credit)" : "-")" })
          expected: \(model.log), \(model.sources.map { "\($0.isOpen ? "\($0.credit)" : "-")" })
          \(bench.violations())
          with \(script)
          """, line: line)
        return
      }
    }
    bench.perform(.cancel)
    bench.time.advance(by: .zero)
    guard bench.time.scheduledCount == 0 else {
      return XCTFail("\(name), seed \(seed): something is left in the scheduler", line: line)
    }
    if model.log.last?.hasPrefix("f") == true { ends += 1 }
    values += model.log.count
  }
  XCTAssertGreaterThan(values, seeds.count, "\(name): too little comes to say something", line: line)
  XCTAssertGreaterThan(ends, seeds.count / 20, "\(name): too few come to an end", line: line)
}
