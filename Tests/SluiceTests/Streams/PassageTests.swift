import Foundation
import TestFiles
import XCTest

@testable import Sluice
@testable import SluiceExtras

/// A value that passes at once is the value that would have come out of the queue: whatever a core may `pass`, it does the
/// same if it is told to receive it, and is then asked what is next.
final class PassageTests: XCTestCase {
  /// One event for a core.
  private enum Event {
    case value(Int)
    /// So many values, from this one on.
    case run(Int, Int)
    case request(Subscribers.Demand)
    case end(fails: Bool)
    /// Another upstream, of those that get more while they run, or what else may happen.
    case other
  }

  private struct Move {
    let event: Event
    /// Which of the inlets has it.
    let inlet: Int
    /// Happens while the values before it are being delivered, if there are any.
    let isWithin: Bool
  }

  /// What drives a core beside its ports.
  private struct Subject<P: Operators.Port> where P.Input == Int {
    let core: P.Core
    let ports: [P]
    var sendsRuns = false
    /// The end of the upstream that is no port.
    var end: ((inout P.Core, Bool) -> Void)?
    var other: (inout P.Core, inout [P]) -> Void = { _, _ in }
    var perform: (P.Core.Effect, inout P.Core) -> Void = { _, _ in }
    let failure: P.Failure?
  }

  /// Plays events to a core as a conduit does.
  ///
  /// - Parameter passes: Whether the core is asked to pass a value at once.
  /// - Returns: What it answered, in order.
  private func play<P: Operators.Port>(_ moves: [Move], _ subject: Subject<P>, passes: Bool) -> [String] {
    var (core, ports) = (subject.core, subject.ports)
    var moves = moves[...]
    var answers: [String] = []
    var isOver = false

    func apply(_ event: Event, _ inlet: Int) {
      let port = ports.isEmpty ? nil : ports[inlet % ports.count]
      switch event {
      case .value(let value): if let port { _ = port.receive(value, &core) }
      case .run(let value, let count): for value in value..<value + count { apply(.value(value), inlet) }
      case .request(let more): core.request(more)
      case .end(let fails):
        if fails, subject.failure == nil { return }
        if let end = subject.end, inlet % 2 == 0 { return end(&core, fails) }
        port?.receive(completion: fails ? subject.failure.map { .failure($0) } ?? .finished : .finished, &core)
      case .other: subject.other(&core, &ports)
      }
    }
    func delivered(_ output: P.Core.Output) {
      answers.append("deliver \(output)")
      while let move = moves.first, move.isWithin {
        moves.removeFirst()
        apply(move.event, move.inlet)
      }
    }
    func drain() {
      while !isOver, let step = core.step() {
        switch step {
        case .deliver(let output): delivered(output)
        case .perform(let effect): subject.perform(effect, &core)
        case .request(let demand, let inlet): answers.append("ask \(inlet) for \(demand.max ?? -1)")
        case .cancel(let inlet): answers.append("cancel \(inlet)")
        case .complete(let completion):
          if case .finished = completion { answers.append("finish") } else { answers.append("fail") }
          isOver = true
        }
      }
    }

    for inlet in 0..<core.inlets { core.connected(inlet) }
    drain()
    while !isOver, let move = moves.popFirst() {
      switch move.event {
      case .value(let value) where passes && !ports.isEmpty:
        if let output = ports[move.inlet % ports.count].pass(value, &core) {
          delivered(output)
        } else {
          apply(move.event, move.inlet)
        }
      case .run(let value, let count) where passes && subject.sendsRuns:
        var run = Array(value..<value + count)[...]
        for output in ports[move.inlet % ports.count].pass(run: &run, &core) { answers.append("deliver \(output)") }
        for value in run { apply(.value(value), move.inlet) }
      // Each value by itself would be drained before the next.
      case .run where !subject.sendsRuns: continue
      default: apply(move.event, move.inlet)
      }
      drain()
    }
    return answers
  }

  private var checked: Set<String> = []

  /// - Parameter names: Of the types whose `pass` it is about.
  private func check<P: Operators.Port>(_ names: [String], _ subject: Subject<P>, line: UInt = #line) {
    checked.formUnion(names)
    var random = Linear(state: 1)
    var deliveries = 0
    for round in 0..<500 {
      let moves = (0..<20).map { step -> Move in
        let event: Event =
          switch random.below(40) {
          case 0: .end(fails: random.below(2) == 0)
          case 1: .request(.unlimited)
          case 2...14: .request(.max(1 + random.below(3)))
          case 15...17: .other
          case 18...20: .run(step * 10, 1 + random.below(5))
          default: .value(step * 10)
          }
        // A run is delivered in one call, so nothing can be told to happen after a part of it.
        return Move(event: event, inlet: random.below(12), isWithin: !subject.sendsRuns && random.below(4) == 0)
      }
      let passed = play(moves, subject, passes: true)
      let queued = play(moves, subject, passes: false)
      guard passed == queued else {
        return XCTFail("\(names), round \(round): \(moves)\npassed: \(passed)\nqueued: \(queued)", line: line)
      }
      deliveries += passed.count { $0.hasPrefix("deliver") }
    }
    XCTAssertGreaterThan(deliveries, 100, "\(names): too little was delivered", line: line)
  }

  private func check<Core: Operators.SingleInputCore>(
    _ name: String, _ core: Core, failure: Core.Failure? = nil, line: UInt = #line,
    other: @escaping (inout Core) -> Void = { _ in }
  ) where Core.Input == Int {
    check(
      [name], Subject(core: core, ports: [Operators.OnlyPort()], other: { core, _ in other(&core) }, failure: failure),
      line: line)
  }

  func testPassIsReceiveThenNext() throws {
    check("RelayCore", Operators.RelayCore<Int, Boom>(forwards: false), failure: Boom())
    check("RelayCore", Operators.RelayCore<Int, Boom>(forwards: true, demand: .max(3)), failure: Boom())
    check("CurrentValueCore", CurrentValueCore<Int, Boom>(-1), failure: Boom())
    check("HoldValueCore", HoldValueCore<Int>())
    check("ReplayCore", ReplayCore<Int, Boom>(backlog: [-1], bufferSize: 2, end: nil), failure: Boom())
    check("PrefixUntilOutputCore", PrefixUntilOutputCore<Int, Boom>(), failure: Boom())
    check("DropUntilOutputCore", DropUntilOutputCore<Int, Boom>(), failure: Boom()) { $0.triggered = true }
    check("WithLatestFromCore", WithLatestFromCore<Int, Int, Boom>(), failure: Boom()) {
      $0.latest = ($0.latest ?? 0) - 1
    }
    check("ReplaceEmptyCore", ReplaceEmptyCore<Int, Boom>(output: -1), failure: Boom())
    check(
      ["ReplaceErrorCore", "ReplaceErrorPort"],
      Subject(core: ReplaceErrorCore(output: -1), ports: [ReplaceErrorPort<Int, Boom>()], failure: Boom()))
    for sendsRuns in [false, true] {
      check(
        ["MergeCore", "MergePort"],
        Subject(
          core: MergeCore(inlets: 3), ports: (0..<3).map { MergePort<Int, Boom>(inlet: $0) }, sendsRuns: sendsRuns,
          failure: Boom()))
      check(
        ["PassingPort"],
        Subject(
          core: OutputQueue(ratio: 1, failsAtOnce: true), ports: [PassingPort<Int, Boom>()], sendsRuns: sendsRuns,
          failure: Boom()))
      check(
        ["MergeByTimeRunPort"],
        Subject(
          core: MergeByTimeCore(sources: 2), ports: (0..<3).map { TimePort(inlet: $0) }, sendsRuns: sendsRuns,
          perform: { $1.marked = $0 }, failure: Boom()))
    }
    checkBuffers()
    check(
      ["FlatMapCore", "FlatMapPort"],
      Subject(
        core: FlatMapCore(maxPublishers: .max(2)), ports: [FlatMapPort<Int, Boom>](),
        end: { $0.receive(completion: $1 ? .failure(Boom()) : .finished) },
        other: { core, ports in
          ports.append(core.add())
          core.connected(ports[ports.count - 1].inlet)
        }, failure: Boom()))
    check(
      ["SwitchToLatestCore", "SwitchToLatestPort"],
      Subject(
        core: SwitchToLatestCore(), ports: [SwitchToLatestPort<Int, Boom>](),
        end: { $0.receive(completion: $1 ? .failure(Boom()) : .finished) },
        other: { core, ports in
          ports.append(core.add())
          core.connected(1)
        }, failure: Boom()))
    XCTAssertEqual(try Self.passing().subtracting(checked), [], "nobody compares what these pass with what they queue")
    XCTAssertEqual(checked.subtracting(try Self.passing()), [], "they pass nothing")
  }

  /// Not a buffer without room: what it passes on it could not keep. Nor runs longer than there is room for.
  private func checkBuffers() {
    for (whenFull, size) in [(.dropNewest, 2), (.dropOldest, 2), (.customError { Boom() }, 2), (.dropNewest, .max)]
      as [(Publishers.BufferingStrategy<Boom>, Int)]
    {
      for prefetch in [.keepFull, .byRequest] as [Publishers.PrefetchStrategy] {
        check(
          ["BufferCore", "BufferPort"],
          Subject(
            core: BufferCore(size: size, prefetch: prefetch, whenFull: whenFull),
            ports: [BufferPort<Int, Boom>(dropped: nil)], sendsRuns: size == .max,
            perform: { $1.fail(Boom()) }, failure: Boom()))
        check(
          ["KeyedBufferCore", "KeyedBufferRunPort"],
          Subject(
            core: KeyedBufferCore(size: size, prefetch: prefetch, whenFull: whenFull, marksGaps: true),
            ports: [KeyedPort()], sendsRuns: size == .max,
            perform: {
              switch $0 {
              case .fail: $1.fail(Boom())
              case .mark: $1.isMarking = false
              }
            }, failure: Boom()))
      }
    }
  }

  /// The port of a keyed buffer, which has a key for each number.
  private struct KeyedPort: Operators.Port {
    typealias Core = KeyedBufferCore<Int, Boom, Int>
    var inlet: Int { 0 }
    func pass(_ input: Int, _ core: inout Core) -> Int? { core.pass(input) }
    func receive(_ input: Int, _ core: inout Core) -> Int? { core.receive(input, of: input % 3) }
    func receive(completion: Subscribers.Completion<Boom>, _ core: inout Core) { core.receive(completion: completion) }
    func pass(run: inout ArraySlice<Int>, _ core: inout Core) -> ArraySlice<Int> {
      KeyedBufferRunPort(run.map { $0 % 3 }, from: run.startIndex, onDrop: nil).pass(run: &run, &core)
    }
  }

  /// A source of a merge by time, whose values are their times; the last one is that of the marks.
  private struct TimePort: Operators.Port {
    typealias Core = MergeByTimeCore<Int, Boom, Int>
    let inlet: Int
    func receive(_ input: Int, _ core: inout Core) { core.receive(input, at: input, from: inlet) }
    func receive(completion: Subscribers.Completion<Boom>, _ core: inout Core) {
      core.receive(completion: completion, from: inlet)
    }
    func pass(run: inout ArraySlice<Int>, _ core: inout Core) -> ArraySlice<Int> {
      MergeByTimeRunPort(Array(run), from: run.startIndex, inlet).pass(run: &run, &core)
    }
  }

  /// The types in the sources that pass an input, or a run of them.
  private static func passing() throws -> Set<String> {
    var names: Set<String> = []
    let files = FileManager.default.enumerator(at: Checkout.sources, includingPropertiesForKeys: nil)
    for case let file as URL in try XCTUnwrap(files) where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      guard text.contains("func pass(") else { continue }
      var type = ""
      for line in text.split(separator: "\n") where line.contains("{") {
        if let declaration = line.firstMatch(of: /^ *(?:[a-z@]+ )*(struct|class|protocol|extension) ([\w.]+)/) {
          type = declaration.1 == "struct" || declaration.1 == "class" ? String(declaration.2) : ""
        }
        let passes = line.contains("func pass(_ ") || line.contains("func pass(run: inout")
        if passes, !type.isEmpty { names.insert(type) }
      }
    }
    // The part that they have in common, and the port that only asks its core.
    return names.subtracting(["Passage", "OnlyPort"])
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
