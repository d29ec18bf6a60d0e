import Sluice
import SluiceExtras
import XCTest

/// Operators with a scheduler against models of them, in virtual time.
final class TimedModelTests: XCTestCase {
  func testThrottle() {
    for latest in [true, false] {
      compare("throttle, latest: \(latest)", sources: 1, model: { ThrottleModel($0, latest: latest) }) {
        $0.attach(to: $0.source().throttle(for: .milliseconds(10), scheduler: $0.time, latest: latest))
      }
    }
  }

  func testDebounce() {
    compare("debounce", sources: 1, model: { DebounceModel($0, sources: 1) }) {
      $0.attach(to: $0.source().debounce(for: .milliseconds(4), scheduler: $0.time))
    }
  }

  func testTimeout() {
    compare("timeout", sources: 1, model: { TimeoutModel($0, failing: false) }) {
      $0.attach(to: $0.source().timeout(.milliseconds(10), scheduler: $0.time))
    }
    compare("timeout with an error", sources: 1, model: { TimeoutModel($0, failing: true) }) {
      $0.attach(to: $0.source().timeout(.milliseconds(10), scheduler: $0.time) { Boom() })
    }
  }

  func testCollectByTime() {
    compare("collect(.byTime)", sources: 1, model: { CollectModel($0, count: nil) }) {
      $0.attach(to: $0.source().collect(.byTime($0.time, .milliseconds(10))))
    }
    compare("collect(.byTimeOrCount)", sources: 1, model: { CollectModel($0, count: 3) }) {
      $0.attach(to: $0.source().collect(.byTimeOrCount($0.time, .milliseconds(10), 3)))
    }
  }
}

/// The first or the latest of each ten milliseconds. What comes while nothing is wanted is left out; an end waits for the
/// value that waits.
private final class ThrottleModel: StreamModel {
  private let latest: Bool
  private var held: Int?
  private var end: Event?
  private var opens = 0  // when the next value may come
  private var isTurn = false

  init(_ script: Script, latest: Bool) {
    self.latest = latest
    super.init(script, sources: 1)
    sources[0].credit = .max
  }

  override func received(_ value: Int, from source: Int) {
    if held != nil {
      if latest { held = value }
    } else if demand > 0 {
      spend(&demand)
      held = value
    }
  }

  override func ended(_ source: Int, fails: Bool) { end = fails ? .failed : .finished }

  override var due: Int? { held != nil ? max(opens, now) : end != nil ? now : nil }
  override func turn() { isTurn = true }

  override func next() -> Event? {
    guard isTurn else { return nil }
    isTurn = false
    guard let value = held else { return end }
    held = nil
    opens = now + 10
    return .value("\(value)")
  }
}

/// A value that no other follows within four milliseconds. The end comes at once, and nothing that is not due.
private final class DebounceModel: StreamModel {
  private var last: (value: Int, due: Int)?
  private var end: Event?
  private var isTurn = false

  override func start() {
    sources[0].credit = .max
    super.start()
  }

  override func received(_ value: Int, from source: Int) { last = (value, now + 4) }

  override func ended(_ source: Int, fails: Bool) { end = fails ? .failed : .finished }

  override var due: Int? { end != nil ? now : last?.due }
  override func turn() { isTurn = true }

  override func next() -> Event? {
    guard isTurn else { return nil }
    isTurn = false
    if let end { return end }
    guard let (value, _) = last else { return nil }
    last = nil
    guard demand > 0 else { return nil }
    spend(&demand)
    return .value("\(value)")
  }
}

/// Every value, on the scheduler. Ends when ten milliseconds have passed since the last one, or since the beginning.
private final class TimeoutModel: StreamModel {
  private let failing: Bool
  private var waiting: [Int] = []
  private var deadline = 10
  private var owed = 0
  private var end: Event?
  private var turns = 0  // how many values the present turn may deliver: those that were there when it began
  private var isTurn = false

  init(_ script: Script, failing: Bool) {
    self.failing = failing
    super.init(script, sources: 1)
  }

  override func received(_ value: Int, from source: Int) {
    waiting.append(value)
    deadline = now + 10
  }

  override func ended(_ source: Int, fails: Bool) { end = fails ? .failed : .finished }

  /// Demand passes through.
  override func requested(_ more: Int) { owed = sum(owed, more) }
  override func ask() {
    grant(owed, to: 0)
    owed = 0
  }

  override var due: Int? { waiting.isEmpty && end == nil ? deadline : now }
  override func turn() {
    isTurn = true
    turns = waiting.count
    if waiting.isEmpty, end == nil { end = failing ? .failed : .finished }
  }

  override func next() -> Event? {
    guard isTurn else { return nil }
    if turns > 0 {
      turns -= 1
      return .value("\(waiting.removeFirst())")
    }
    isTurn = false
    return waiting.isEmpty ? end : nil
  }
}

/// The values of each ten milliseconds, or `count` of them. What is complete comes as soon as it is wanted, and goes on
/// growing until then. A finish completes; a failure throws away.
private final class CollectModel: StreamModel {
  private let count: Int?
  private var gathered: [Int] = []
  private var full: [[Int]] = []
  private var closes: Int?  // when what is gathered is complete
  private var owed = 0
  private var end: Event?

  init(_ script: Script, count: Int?) {
    self.count = count
    super.init(script, sources: 1)
    if count == nil { sources[0].credit = .max }
  }

  override func received(_ value: Int, from source: Int) {
    if gathered.isEmpty { closes = (now / 10 + 1) * 10 }
    gathered.append(value)
    guard gathered.count == count else { return }
    full.append(gathered)
    gathered = []
    closes = nil
  }

  override func ended(_ source: Int, fails: Bool) {
    end = fails ? .failed : .finished
    closes = nil
  }

  override func requested(_ more: Int) {
    super.requested(more)
    guard let count else { return }
    owed = more == .max ? .max : sum(owed, more * count)
  }

  override func ask() {
    grant(owed, to: 0)
    owed = 0
  }

  override var due: Int? { closes }
  override func turn() { closes = nil }

  override func next() -> Event? {
    if case .failed? = end { return end }
    if demand > 0, let group = full.first {
      spend(&demand)
      full.removeFirst()
      return .value("\(group)")
    }
    if demand > 0, closes == nil, !gathered.isEmpty {
      spend(&demand)
      defer { gathered = [] }
      return .value("\(gathered)")
    }
    return full.isEmpty && gathered.isEmpty ? end : nil
  }
}
