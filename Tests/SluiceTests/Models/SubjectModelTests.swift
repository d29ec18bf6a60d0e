import Sluice
import SluiceTesting
import XCTest

/// Subjects with several subscribers, who send, ask, come and go from within their calls as well as from outside, against a
/// model. The values are numbered as they are sent, so the same order for all is an ascending one.
final class SubjectModelTests: XCTestCase {
  func testPassthroughSubject() { compare("PassthroughSubject") { PassthroughSubject<Int, Boom>() } }

  func testCurrentValueSubject() { compare("CurrentValueSubject", value: 0) { CurrentValueSubject<Int, Boom>(0) } }

  private func compare<S: Subject>(_ name: String, value: Int? = nil, line: UInt = #line, _ make: () -> S)
  where S.Output == Int, S.Failure == Boom {
    var values = 0
    for seed in 0..<2_000 as Range<UInt64> {
      let script = SubjectScript(seed: seed)
      let (bench, model) = (SubjectBench(make(), script), SubjectModel(value, script))
      for (step, act) in script.acts.enumerated() {
        bench.perform(act)
        model.perform(act)
        let logs = model.lines.map(\.log)
        guard bench.logs == logs, bench.violations.isEmpty else {
          XCTFail(
            """
            \(name), seed \(seed), act \(step): \(act)
            comes:    \(bench.logs)
            expected: \(logs)
            \(bench.violations)
            with \(script)
            """, line: line)
          return
        }
      }
      for log in bench.logs {
        XCTAssertEqual(log, Array(Set(log)).sorted(), "\(name), seed \(seed): the same order for all", line: line)
      }
      values += bench.logs.joined().count
    }
    XCTAssertGreaterThan(values, 10_000, "\(name): too little comes to say something", line: line)
  }
}

/// What is done to a subject; subscribers are counted in the order in which they come.
private enum SubjectAct {
  case send
  case end
  case subscribe(Int)
  case request(Int, by: Int)
  case cancel(Int)
}

private struct SubjectScript {
  private(set) var acts: [SubjectAct] = []
  private var reactions: [(acts: [SubjectAct], answer: Int)] = []

  init(seed: UInt64) {
    var random = Linear(state: seed)
    func demand() -> Int { random.below(4) == 0 ? .max : 1 + random.below(4) }
    func act(within: Bool) -> SubjectAct {
      switch random.below(within ? 60 : 40) {
      case 0: .end
      case 1, 2: .cancel(random.below(6))
      case 3...8: .subscribe(random.below(3) == 0 ? 0 : demand())
      case 9...19: .request(demand(), by: random.below(6))
      default: .send
      }
    }
    acts = (0..<30).map { _ in act(within: false) }
    reactions = (0..<11).map { _ in
      let answer = random.below(4) == 0 ? 1 : 0
      return (random.below(2) == 0 ? [] : (0...random.below(2)).map { _ in act(within: true) }, answer)
    }
  }

  /// What a subscriber does with a value. Not for ever: each value might bring the next.
  func reaction(of subscriber: Int, to delivery: Int) -> (acts: [SubjectAct], answer: Int) {
    delivery < 10 ? reactions[(subscriber * 5 + delivery) % reactions.count] : ([], 0)
  }
}

/// The end is written as the highest number.
private let end = Int.max

private final class SubjectBench<S: Subject> where S.Output == Int, S.Failure == Boom {
  private let subject: S
  private let script: SubjectScript
  private var subscribers: [TestSubscriber<Int, Boom>] = []
  private(set) var logs: [[Int]] = []
  private var sent = 0
  private var hasEnded = false

  init(_ subject: S, _ script: SubjectScript) { (self.subject, self.script) = (subject, script) }

  var violations: [String] { subscribers.flatMap(\.violations) }

  private func demand(_ number: Int) -> Subscribers.Demand { number == .max ? .unlimited : .max(number) }

  func perform(_ act: SubjectAct) {
    switch act {
    case .send:
      if !hasEnded { sent += 1 }
      subject.send(sent)
    case .end:
      hasEnded = true
      subject.send(completion: .finished)
    case .subscribe(let initial):
      let number = subscribers.count
      guard number < 6 else { return }
      logs.append([])
      let subscriber = TestSubscriber<Int, Boom>(
        initial: demand(initial),
        answer: { [unowned self] in
          logs[number].append($0)
          let (acts, answer) = script.reaction(of: number, to: logs[number].count)
          for act in acts { perform(act) }
          return demand(answer)
        }, ended: { [unowned self] _ in logs[number].append(end) })
      subscribers.append(subscriber)
      subject.subscribe(subscriber)
    case .request(let more, let number): if number < subscribers.count { subscribers[number].request(demand(more)) }
    case .cancel(let number): if number < subscribers.count { subscribers[number].cancel() }
    }
  }
}

/// A send first counts for everybody, in one step: who wants the value will get it, and of a current value everybody else
/// keeps the latest. Then the value is delivered, to each subscriber after what it was given before.
private final class SubjectModel {
  final class Line {
    var demand = 0
    var waiting: [Int] = []
    /// The current value, if it has not had it.
    var kept: Int?
    var isOver = false
    /// Somebody is delivering to it, or about to.
    var isBusy = false
    var log: [Int] = []
  }

  private let script: SubjectScript
  private var value: Int?
  private var sent = 0
  private var hasEnded = false
  private(set) var lines: [Line] = []

  init(_ value: Int?, _ script: SubjectScript) { (self.value, self.script) = (value, script) }

  func perform(_ act: SubjectAct) {
    switch act {
    case .send:
      guard !hasEnded else { return }
      sent += 1
      if value != nil { value = sent }
      for line in lines {
        line.kept = line.demand == 0 ? value : nil
        guard line.demand > 0 else { continue }
        if line.demand != .max { line.demand -= 1 }
        line.waiting.append(sent)
      }
      deliver(to: lines.filter { !$0.waiting.isEmpty })
    case .end:
      hasEnded = true
      deliver(to: lines)
    case .subscribe(let initial):
      guard lines.count < 6 else { return }
      let line = Line()
      lines.append(line)
      if !hasEnded { line.kept = value }
      request(initial, for: line)
    case .request(let more, let number): if number < lines.count { request(more, for: lines[number]) }
    case .cancel(let number): if number < lines.count { lines[number].isOver = true }
    }
  }

  private func request(_ more: Int, for line: Line) {
    line.demand = line.demand == .max || more == .max ? .max : line.demand + more
    deliver(to: [line])
  }

  private func deliver(to lines: [Line]) {
    let mine = lines.filter { !$0.isBusy }
    for line in mine { line.isBusy = true }
    for line in mine {
      while !line.isOver, let value = next(of: line) {
        line.log.append(value)
        if value == end {
          line.isOver = true
          continue
        }
        let (acts, answer) = script.reaction(of: self.lines.firstIndex { $0 === line } ?? 0, to: line.log.count)
        for act in acts { perform(act) }
        if answer > 0, line.demand != .max { line.demand += answer }
      }
      line.isBusy = false
    }
  }

  private func next(of line: Line) -> Int? {
    if !line.waiting.isEmpty { return line.waiting.removeFirst() }
    if line.demand > 0, let kept = line.kept {
      if line.demand != .max { line.demand -= 1 }
      line.kept = nil
      return kept
    }
    return hasEnded ? end : nil
  }
}
