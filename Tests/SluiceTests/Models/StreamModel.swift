import Sluice

/// What is done to an operator: from outside, or from within the delivery of a value.
enum Act {
  /// A source has a value. It sends it if it is wanted.
  case send(Int, from: Int)
  case end(of: Int, fails: Bool)
  case request(Int)
  case cancel
  /// The clock moves. Only from outside.
  case wait(Int)
}

/// Random acts, and what downstream does when it gets its values.
struct Script {
  private(set) var initial = 0
  private(set) var acts: [Act] = []
  private var reactions: [(acts: [Act], answer: Int)] = []

  /// - Parameter sources: The number of sources, as far as it is known beforehand.
  init(seed: UInt64, sources: Int) {
    var random = Linear(state: seed)
    var values = 0
    func demand() -> Int { random.below(12) == 0 ? .max : 1 + random.below(3) }
    func act(within: Bool) -> Act {
      switch random.below(40) {
      case 0: return .cancel
      case 1...3: return .end(of: random.below(sources), fails: random.below(3) == 0)
      case 4...13: return .request(demand())
      case 14...21 where !within: return .wait(random.below(13))
      default:
        values += 1
        return .send(values, from: random.below(sources))
      }
    }
    initial = random.below(2) == 0 ? 0 : demand()
    acts = (0..<30).map { _ in act(within: false) }
    reactions = (0..<7).map { _ in
      let answer = random.below(3) == 0 ? demand() : 0
      return (random.below(2) == 0 ? [] : (0...random.below(2)).map { _ in act(within: true) }, answer)
    }
  }

  /// What downstream does with a value. Not for ever: each value might bring the next.
  func reaction(to delivery: Int) -> (acts: [Act], answer: Int) {
    delivery < 30 ? reactions[delivery % reactions.count] : ([], 0)
  }
}

/// What comes out of an operator by the rules, and what its sources may send; a subclass has the rules of one operator.
///
/// Numbers of values are plain, `.max` is all of them. Only `next()` says what is delivered, one thing at a time:
/// whatever is done from within a delivery comes after it.
class StreamModel {
  struct Source: Equatable {
    /// How many values it may send.
    var credit = 0
    /// It has neither ended nor been cancelled.
    var isOpen = true
  }

  enum Event { case value(String), finished, failed }

  let script: Script
  var sources: [Source]
  var demand = 0
  var now = 0
  private(set) var log: [String] = []
  private(set) var isOver = false
  private var deliveries = 0
  private var isDelivering = false

  init(_ script: Script, sources: Int) {
    self.script = script
    self.sources = Array(repeating: Source(), count: sources)
  }

  // MARK: The rules

  func received(_ value: Int, from source: Int) {}
  func ended(_ source: Int, fails: Bool) {}
  func requested(_ more: Int) { demand = sum(demand, more) }
  /// Asks the sources, when there is nothing to deliver.
  func ask() {}
  func next() -> Event? { nil }
  /// When something happens by itself.
  var due: Int? { nil }
  func turn() {}

  // MARK: The course of events

  func start() {
    if script.initial > 0 { requested(script.initial) }
    settle()
  }

  func perform(_ act: Act) {
    guard !isOver else { return }
    switch act {
    case .send(let value, let source):
      let source = source % sources.count
      guard sources[source].isOpen, sources[source].credit > 0 else { return }
      if sources[source].credit != .max { sources[source].credit -= 1 }
      received(value, from: source)
    case .end(let source, let fails):
      let source = source % sources.count
      guard sources[source].isOpen else { return }
      sources[source].isOpen = false
      ended(source, fails: fails)
    case .request(let more): requested(more)
    case .cancel: close()
    case .wait(let time):
      let end = now + time
      while !isOver, let due, due <= end {
        now = max(now, due)
        turn()
        settle()
      }
      now = end
    }
    settle()
  }

  private func settle() {
    guard !isDelivering, !isOver else { return }
    isDelivering = true
    defer { isDelivering = false }
    while !isOver, let event = next() {
      switch event {
      case .value(let value):
        log.append("\(value) at \(now)")
        let (acts, answer) = script.reaction(to: deliveries)
        deliveries += 1
        for act in acts { perform(act) }
        if answer > 0 { requested(answer) }
      case .finished, .failed:
        log.append("\(event) at \(now)")
        close()
      }
    }
    if !isOver { ask() }
  }

  private func close() {
    isOver = true
    for source in sources.indices { sources[source].isOpen = false }
  }

  final func sum(_ a: Int, _ b: Int) -> Int { a == .max || b == .max ? .max : a + b }
  /// Takes one from a number of values.
  final func spend(_ number: inout Int) { if number != .max { number -= 1 } }
  final func grant(_ more: Int, to source: Int) { sources[source].credit = sum(sources[source].credit, more) }
}
