import Sluice
import XCTest

/// Operators with several inputs against models of them. The models follow Combine's documentation and the contract, not
/// the cores.
final class ModelTests: XCTestCase {
  func testZip() {
    compare("zip", sources: 2, model: { ZipModel($0, sources: 2) }) {
      $0.attach(to: $0.source().zip($0.source()) { [$0, $1] })
    }
    compare("zip of three", sources: 3, model: { ZipModel($0, sources: 3) }) {
      $0.attach(to: $0.source().zip($0.source(), $0.source()) { [$0, $1, $2] })
    }
  }

  func testCombineLatest() {
    compare("combineLatest", sources: 2, model: { CombineLatestModel($0, sources: 2) }) {
      $0.attach(to: $0.source().combineLatest($0.source()) { [$0, $1] })
    }
    compare("combineLatest of three", sources: 3, model: { CombineLatestModel($0, sources: 3) }) {
      $0.attach(to: $0.source().combineLatest($0.source(), $0.source()) { [$0, $1, $2] })
    }
  }

  func testFlatMap() {
    for most in [1, 2, Int.max] {
      compare("flatMap, \(most)", sources: 5, model: { FlatMapModel($0, most) }) { bench in
        bench.attach(
          to: bench.source().flatMap(maxPublishers: most == .max ? .unlimited : .max(most)) { [unowned bench] _ in
            bench.source()
          })
      }
    }
  }

  func testSwitchToLatest() {
    compare("switchToLatest", sources: 5, model: { SwitchToLatestModel($0, sources: 1) }) { bench in
      bench.attach(to: bench.source().map { [unowned bench] _ in bench.source() }.switchToLatest())
    }
  }
}

/// Asks every source for as much as downstream asks of it.
private class JoiningModel: StreamModel {
  private var owed = 0

  override func requested(_ more: Int) {
    super.requested(more)
    owed = sum(owed, more)
  }

  override func ask() {
    for source in sources.indices { grant(owed, to: source) }
    owed = 0
  }
}

/// The first with the first, the second with the second. Ends as soon as no further tuple is possible, or with a failure.
private final class ZipModel: JoiningModel {
  private lazy var waiting = sources.map { _ in [Int]() }
  private lazy var hasEnded = sources.map { _ in false }
  private var end: Event?

  override func received(_ value: Int, from source: Int) { waiting[source].append(value) }

  override func ended(_ source: Int, fails: Bool) {
    hasEnded[source] = true
    if fails, end == nil { end = .failed }
    seeWhetherItIsOver()
  }

  private func seeWhetherItIsOver() {
    if end == nil, zip(waiting, hasEnded).contains(where: { $0.isEmpty && $1 }) { end = .finished }
  }

  override func next() -> Event? {
    if let end { return end }
    guard demand > 0, !waiting.contains([]) else { return nil }
    spend(&demand)
    let tuple = waiting.indices.map { waiting[$0].removeFirst() }
    seeWhetherItIsOver()
    return .value("\(tuple)")
  }
}

/// The latest of each with every new value, once all have one. What comes without demand is only remembered. Ends when all
/// have ended, or with a failure.
private final class CombineLatestModel: JoiningModel {
  private lazy var latest = sources.map { _ in Int?.none }
  private var made: [[Int]] = []
  private var running: Int { sources.count { $0.isOpen } }
  private var hasFailed = false

  override func received(_ value: Int, from source: Int) {
    latest[source] = value
    let all = latest.compactMap { $0 }
    guard demand > 0, all.count == latest.count else { return }
    spend(&demand)
    made.append(all)
  }

  override func ended(_ source: Int, fails: Bool) { hasFailed = hasFailed || fails }

  override func next() -> Event? {
    if hasFailed { return .failed }
    if !made.isEmpty { return .value("\(made.removeFirst())") }
    return running == 0 ? .finished : nil
  }
}

/// Source 0 makes sources, `most` at a time. Each may be a value ahead, or any number if everything is wanted.
private final class FlatMapModel: StreamModel {
  private let most: Int
  private var kept: [(value: Int, source: Int)] = []
  private var owed: [Int: Int] = [:]
  private var hasFailed = false

  init(_ script: Script, _ most: Int) {
    self.most = most
    super.init(script, sources: 1)
    sources[0].credit = most
  }

  override func received(_ value: Int, from source: Int) {
    if source > 0 { return kept.append((value, source)) }
    if !hasFailed { sources.append(Source(credit: demand == .max ? .max : 1)) }
  }

  override func ended(_ source: Int, fails: Bool) {
    if fails { hasFailed = true } else if source > 0 { owed[0, default: 0] += 1 }
  }

  override func requested(_ more: Int) {
    super.requested(more)
    if demand == .max { for source in sources.indices.dropFirst() { owed[source] = .max } }
  }

  override func ask() {
    for (source, more) in owed { grant(more, to: source) }
    owed = [:]
  }

  override func next() -> Event? {
    if hasFailed { return .failed }
    if demand > 0, !kept.isEmpty {
      spend(&demand)
      let (value, source) = kept.removeFirst()
      owed[source] = sum(owed[source] ?? 0, 1)
      return .value("\(value)")
    }
    return kept.isEmpty && !sources.contains { $0.isOpen } ? .finished : nil
  }
}

/// Source 0 makes sources, each in the place of the one before. The latest may send what downstream still wants.
private final class SwitchToLatestModel: StreamModel {
  private var kept: [Int] = []
  private var owed = 0
  private var hasFailed = false

  override func start() {
    sources[0].credit = .max
    super.start()
  }

  override func received(_ value: Int, from source: Int) {
    if source > 0 {
      // There is demand: it may send no more than that.
      spend(&demand)
      return kept.append(value)
    }
    if sources.count > 1 { sources[sources.count - 1].isOpen = false }
    sources.append(Source())
    owed = demand
  }

  override func ended(_ source: Int, fails: Bool) { hasFailed = hasFailed || fails }

  override func requested(_ more: Int) {
    super.requested(more)
    owed = sum(owed, more)
  }

  override func ask() {
    if sources.count > 1 { grant(owed, to: sources.count - 1) }
    owed = 0
  }

  override func next() -> Event? {
    if hasFailed { return .failed }
    if !kept.isEmpty { return .value("\(kept.removeFirst())") }
    return sources.contains { $0.isOpen } ? nil : .finished
  }
}
