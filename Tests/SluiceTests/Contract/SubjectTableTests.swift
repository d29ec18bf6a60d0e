import SluiceTesting
import Synchronization
import XCTest

@testable import Sluice

/// Subjects with several subscribers of different demand.
final class SubjectTableTests: XCTestCase {
  private typealias Watcher = TestSubscriber<Token, Never>

  /// Runs a body for every row, and sees that nothing is left of it.
  private func each(_ body: (SubjectRow, SubjectRow.Hub) -> Void) {
    for row in SubjectRow.all {
      let before = Token.alive
      check(row, body)
      XCTAssertEqual(Token.alive, before, "\(row.name): everything is let go of at the end")
    }
  }

  private func check(_ row: SubjectRow, _ body: (SubjectRow, SubjectRow.Hub) -> Void) { body(row, row.make()) }

  /// Random values, requests, new subscribers and cancellations: each subscriber gets what a model of it says.
  func testEachSubscriberGetsWhatItsModelSays() {
    each { row, _ in
      for seed in 0..<200 as Range<UInt64> {
        var random = Linear(state: seed)
        let hub = row.make()
        var subscribers: [(Watcher, SubjectRow.Model)] = []
        var sent: [Int] = []
        var isWanted = false
        for step in 0..<40 {
          switch random.below(10) {
          case 0, 1:
            let subscriber = Watcher(initial: .none)
            hub.publisher.subscribe(subscriber)
            subscribers.append((subscriber, SubjectRow.Model(row, sent: sent)))
          case 2, 3, 4:
            guard !subscribers.isEmpty else { continue }
            let (index, more) = (random.below(subscribers.count), 1 + random.below(3))
            isWanted = true
            subscribers[index].1.request(more)
            subscribers[index].0.request(.max(more))
          case 5:
            guard subscribers.count > 3 else { continue }
            let (subscriber, model) = subscribers.remove(at: random.below(subscribers.count))
            XCTAssertEqual(subscriber.values.map(\.number), model.received, "\(row.name), seed \(seed)")
            subscriber.cancel()
          default:
            switch row.starts {
            case .atOnce: break
            case .withSubscriber: if subscribers.isEmpty { continue }
            case .withRequest: if !isWanted { continue }
            }
            sent.append(step)
            for index in subscribers.indices { subscribers[index].1.send(step) }
            hub.send(Token(step))
          }
        }
        for index in subscribers.indices { subscribers[index].1.finish() }
        hub.finish()
        for (index, (subscriber, model)) in subscribers.enumerated() {
          XCTAssertEqual(subscriber.values.map(\.number), model.received, "\(row.name), seed \(seed), \(index)")
          XCTAssertEqual(subscriber.isFinished, model.isFinished, "\(row.name), seed \(seed), \(index)")
          XCTAssertEqual(subscriber.violations, [], "\(row.name), seed \(seed), \(index)")
          subscriber.cancel()
        }
      }
    }
  }

  func testOneCancelsAnotherFromWithin() {
    each { row, hub in
      let second = Watcher()
      let first = Watcher {
        if $0.number == 1 { second.cancel() }
        return .none
      }
      hub.publisher.subscribe(first)
      hub.publisher.subscribe(second)
      for number in 0..<3 { hub.send(Token(number)) }
      XCTAssertEqual(first.values.map(\.number).suffix(3), [0, 1, 2], row.name)
      XCTAssertEqual(second.values.last?.number, 0, row.name)
      XCTAssertEqual(first.violations + second.violations, [], row.name)
      first.cancel()
    }
  }

  func testOneThatSubscribesFromWithinGetsNoValueTwice() {
    each { row, hub in
      let late = Watcher()
      let first = Watcher {
        if $0.number == 1 { hub.publisher.subscribe(late) }
        return .none
      }
      hub.publisher.subscribe(first)
      for number in 0..<4 { hub.send(Token(number)) }
      XCTAssertEqual(late.values.map(\.number).suffix(2), [2, 3], row.name)
      XCTAssertEqual(late.values.map(\.number), Array(Set(late.values.map(\.number))).sorted(), row.name)
      XCTAssertEqual(first.violations + late.violations, [], row.name)
      first.cancel()
      late.cancel()
    }
  }

  /// A value sent from within comes after the one that is being sent, for every subscriber.
  func testAllSeeTheSameOrder() {
    each { row, hub in
      let subscribers = (0..<3).map { index in
        Watcher {
          if index == 0, $0.number == 1 { hub.send(Token(2)) }
          return .none
        }
      }
      for subscriber in subscribers { hub.publisher.subscribe(subscriber) }
      hub.send(Token(1))
      hub.send(Token(3))
      for (index, subscriber) in subscribers.enumerated() {
        XCTAssertEqual(subscriber.values.map(\.number).suffix(3), [1, 2, 3], "\(row.name), \(index)")
        XCTAssertEqual(subscriber.violations, [], "\(row.name), \(index)")
        subscriber.cancel()
      }
    }
  }

  /// The end, too, comes after the value during which it is sent.
  func testAnEndFromWithinComesAfterTheValue() {
    each { row, hub in
      guard !row.endsWithDemand else { return }
      let subscribers = (0..<3).map { index in
        Watcher {
          if index == 0, $0.number == 1 { hub.finish() }
          return .none
        }
      }
      for subscriber in subscribers { hub.publisher.subscribe(subscriber) }
      hub.send(Token(1))
      for (index, subscriber) in subscribers.enumerated() {
        XCTAssertEqual(subscriber.values.last?.number, 1, "\(row.name), \(index)")
        XCTAssertTrue(subscriber.isFinished, "\(row.name), \(index)")
        XCTAssertEqual(subscriber.violations, [], "\(row.name), \(index)")
      }
    }
  }

  func testTwoThreadsSend() {
    for _ in 0..<50 {
      each { row, hub in
        let subscribers = (0..<3).map { _ in Watcher() }
        for subscriber in subscribers { hub.publisher.subscribe(subscriber) }
        onThreads(2) { thread in for number in 0..<50 { hub.send(Token(number * 2 + thread)) } }
        let first = subscribers[0].values.map(\.number)
        for subscriber in subscribers {
          XCTAssertEqual(subscriber.values.map(\.number), first, "\(row.name): all see the same order")
          XCTAssertEqual(subscriber.violations, [], row.name)
          subscriber.cancel()
        }
        if let value = hub.value {
          XCTAssertEqual(first.last, value().number, "\(row.name): the last is the present one")
        }
        XCTAssertEqual(first.filter { $0 >= 0 }.sorted(), Array(0..<100), row.name)
      }
    }
  }

  func testSubscribersComeAskAndGoWhileThreadsSend() {
    for _ in 0..<20 {
      each { row, hub in
        let subscribers = (0..<24).map { _ in Watcher(initial: .none) }
        onThreads(4) { thread in
          switch thread {
          case 0, 1: for number in 0..<100 { hub.send(Token(number * 2 + thread)) }
          default:
            for index in stride(from: thread - 2, to: subscribers.count, by: 2) {
              hub.publisher.subscribe(subscribers[index])
              subscribers[index].request(.max(1 + index))
              if index % 3 == 0 { subscribers[index].cancel() }
            }
          }
        }
        for (index, subscriber) in subscribers.enumerated() {
          let numbers = subscriber.values.map(\.number)
          XCTAssertLessThanOrEqual(numbers.count, 1 + index, row.name)
          XCTAssertEqual(numbers.count, Set(numbers).count, "\(row.name): none comes twice")
          XCTAssertEqual(subscriber.violations, [], row.name)
          subscriber.cancel()
        }
      }
    }
  }
}
