import XCTest

@testable import Sluice
@testable import SluiceExtras

final class PassageTests: XCTestCase {
  /// One event for a core.
  private enum Event { case value(Int), request(Int), end }

  /// Plays events to a core as a conduit does.
  ///
  /// - Parameter passes: Whether the core is asked to pass a value at once.
  /// - Returns: What it answered, in order.
  private func play<Core: Operators.SingleInputCore>(_ events: [Event], _ core: Core, passes: Bool) -> [String]
  where Core.Input == Int {
    var core = core
    var answers: [String] = []
    var isOver = false
    func drain() {
      while !isOver, let step = core.step() {
        answers.append("\(step)")
        if case .complete = step { isOver = true }
      }
    }
    for inlet in 0..<core.inlets { core.connected(inlet) }
    drain()
    for event in events where !isOver {
      switch event {
      case .value(let value):
        if passes, let output = core.pass(value) {
          answers.append("\(CoreStep<Core>.deliver(output))")
        } else {
          _ = core.receive(value)
        }
      case .request(let more): core.request(.max(more))
      case .end: core.receive(completion: .finished)
      }
      drain()
    }
    return answers
  }

  private func check<Core: Operators.SingleInputCore>(_ name: String, _ core: Core) where Core.Input == Int {
    var state: UInt64 = 1
    func below(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    var deliveries = 0
    for round in 0..<500 {
      let events = (0..<20).map { step -> Event in
        switch below(20) {
        case 0: .end
        case 1...7: .request(1 + below(3))
        default: .value(step)
        }
      }
      let passed = play(events, core, passes: true)
      XCTAssertEqual(passed, play(events, core, passes: false), "\(name), round \(round): \(events)")
      deliveries += passed.count { $0.hasPrefix("deliver") }
    }
    XCTAssertGreaterThan(deliveries, 0, "\(name): nothing was delivered")
  }

  /// A value that passes at once is the value that would have come out of the queue.
  func testPassIsReceiveThenNext() {
    check("RelayCore", Operators.RelayCore<Int, Never>(forwards: false))
    check("RelayCore, forwards", Operators.RelayCore<Int, Never>(forwards: true, demand: .max(3)))
    check("CurrentValueCore", CurrentValueCore<Int, Never>(-1))
    check("HoldValueCore", HoldValueCore<Int>())
    check("ReplayCore", ReplayCore<Int, Never>(backlog: [-1], bufferSize: 2, end: nil))
    check("PrefixUntilOutputCore", PrefixUntilOutputCore<Int, Never>())
    var triggered = DropUntilOutputCore<Int, Never>()
    triggered.triggered = true
    check("DropUntilOutputCore", triggered)
    var withLatest = WithLatestFromCore<Int, Int, Never>()
    withLatest.latest = -1
    check("WithLatestFromCore", withLatest)
    check("ReplaceEmptyCore", ReplaceEmptyCore<Int, Never>(output: -1))
  }

  func testInOrderAndNoMoreThanIsWanted() {
    var passage = Passage<Int>(demand: .max(3))
    XCTAssertEqual(passage.pass(1), 1)
    XCTAssertNil(passage.receive(2))
    XCTAssertNil(passage.pass(3), "one stands before it")
    XCTAssertNil(passage.receive(3))
    XCTAssertEqual(passage.receive(4), 4, "nobody wants it")
    XCTAssertEqual([passage.next(), passage.next(), passage.next()], [2, 3, nil])
    XCTAssertNil(passage.pass(5))
    XCTAssertEqual(passage.demand, .none)
  }
}
