import Foundation
import SluiceExtras
import SluiceTesting
import XCTest

@testable import Sluice

/// Everything that may be subscribed to without an upstream, through the rules of the contract.
final class SourceTableTests: XCTestCase {
  /// Runs a body for every row, and sees that nothing is left of it.
  private func each(_ count: Int = 3, line: UInt = #line, _ body: (SourceRow, SourceRow.Source) -> Void) {
    for row in SourceRow.all {
      let before = Token.alive
      func run() { body(row, row.make(count)) }
      run()
      XCTAssertEqual(Token.alive, before, "\(row.name), \(row.output): everything is let go of", line: line)
    }
  }

  private func text(_ subscriber: TestSubscriber<Any, any Error>) -> String {
    var words = subscriber.values.map { "\($0)" }
    switch subscriber.completion {
    case nil: break
    case .finished?: words.append("finished")
    case .failure?: words.append("failed")
    }
    return words.joined(separator: " ")
  }

  func testEverythingInEachWayOfAsking() {
    for wish in 0..<3 {
      each { row, source in
        let subscriber =
          switch wish {
          case 0: TestSubscriber<Any, any Error>()
          case 1: TestSubscriber<Any, any Error>(initial: .max(4)) { _ in .none }
          default: TestSubscriber<Any, any Error>(initial: .max(1)) { _ in .max(1) }
          }
        source.publisher.subscribe(subscriber)
        source.drive()
        XCTAssertEqual(text(subscriber), row.output, "\(row.name), \(wish)")
        XCTAssertEqual(subscriber.violations, [], "\(row.name), \(wish)")
        subscriber.request(.max(1))
        subscriber.cancel()
        XCTAssertEqual(text(subscriber), row.output, "\(row.name), \(wish): after the end")
      }
    }
  }

  func testNoMoreThanIsWanted() {
    for wish in 0..<3 {
      each { row, source in
        guard !row.traits.contains(.ignoresDemand) else { return }
        let subscriber = TestSubscriber<Any, any Error>(initial: wish == 0 ? .none : .max(wish))
        source.publisher.subscribe(subscriber)
        source.drive()
        XCTAssertLessThanOrEqual(subscriber.values.count, wish, row.name)
        XCTAssertEqual(subscriber.violations, [], row.name)
        subscriber.cancel()
        source.drive()
        XCTAssertEqual(subscriber.violations, [], row.name)
      }
    }
  }

  private enum Moment: CaseIterable { case subscription, askedSubscription, value, lastValue, end, late }

  func testCancelledAtAnyTime() {
    for moment in Moment.allCases {
      each { row, source in
        let guest = Guest()
        let comesAnyway = row.traits.contains(.onlyEnds) && (moment == .subscription || moment == .askedSubscription)
        switch moment {
        case .subscription: guest.onSubscription = { $0.cancel() }
        case .askedSubscription:
          guest.onSubscription = {
            $0.subscription?.request(.unlimited)
            $0.cancel()
            $0.subscription?.request(.unlimited)
          }
        case .value: guest.onValue = { $0.cancel() }
        case .lastValue: guest.onValue = { if $0.calls == 3 || row.output.hasPrefix("0 f") { $0.cancel() } }
        case .end:
          guest.onEnd = {
            $0.cancel()
            $0.subscription?.request(.unlimited)
          }
        case .late: break
        }
        source.publisher.subscribe(guest)
        if moment == .late { guest.cancel() }
        source.drive()
        source.drive()
        guest.cancel()
        source.drive()
        XCTAssertEqual(guest.callsTooLate, comesAnyway ? 1 : 0, "\(row.name), \(moment)")
        guest.subscription = nil
      }
    }
  }

  /// Who has ended or been cancelled is let go of, even where the subscription is kept.
  func testTheSubscriberIsLetGoOf() {
    for cancels in [false, true] {
      each { row, source in
        weak var released: Guest?
        var kept: (any Subscription)?
        func run() {
          let guest = Guest()
          released = guest
          source.publisher.subscribe(guest)
          if cancels { guest.cancel() }
          source.drive()
          kept = guest.subscription
          guest.subscription = nil
        }
        run()
        if cancels || row.output.contains("f") { XCTAssertNil(released, "\(row.name), cancelled: \(cancels)") }
        kept?.cancel()
        XCTAssertNil(released, "\(row.name), cancelled: \(cancels)")
        kept = nil
      }
    }
  }

  /// A source that is made to send out of a delivery, an end or a request never calls anybody twice at a time.
  func testDrivenFromWithin() {
    each { row, source in
      // Not for ever: each value might bring the next.
      var drives = 0
      func drive() {
        guard drives < 5 else { return }
        drives += 1
        source.drive()
      }
      let subscribers = (0..<3).map { number in
        TestSubscriber<Any, any Error>(
          initial: number == 1 && !row.traits.contains(.ignoresDemand) ? .max(1) : .unlimited,
          answer: { _ in
            drive()
            return number == 1 ? .max(1) : .none
          }, ended: { _ in drive() })
      }
      for subscriber in subscribers { source.publisher.subscribe(subscriber) }
      source.drive()
      for subscriber in subscribers {
        XCTAssertEqual(subscriber.violations, [], row.name)
        subscriber.cancel()
      }
    }
  }

  func testTwentyThousandValuesOnASmallStack() {
    onSmallStack {
      for row in SourceRow.all {
        let subscriber = TestSubscriber<Void, any Error>(initial: .max(1)) { _ in .max(1) }
        let source = row.make(20_000)
        source.publisher.map { _ in }.subscribe(subscriber)
        source.drive()
        let isMany = row.output.hasPrefix("0 1") || row.output.hasPrefix("0 0")
        XCTAssertEqual(subscriber.values.count, isMany ? 20_000 : row.output.hasPrefix("0") ? 1 : 0, row.name)
        XCTAssertEqual(subscriber.violations, [], row.name)
        subscriber.cancel()
      }
    }
  }

  func testSubscribersComeAndGoWhileItSends() {
    for _ in 0..<20 {
      each(20) { row, source in
        let initial: Subscribers.Demand = row.traits.contains(.ignoresDemand) ? .unlimited : .none
        let subscribers = (0..<12).map { _ in TestSubscriber<Any, any Error>(initial: initial) }
        onThreads(4) { thread in
          if thread == 0 { return source.drive() }
          for index in stride(from: thread - 1, to: subscribers.count, by: 3) {
            source.publisher.subscribe(subscribers[index])
            subscribers[index].request(.max(1 + index))
            if index % 4 == 0 { subscribers[index].cancel() }
          }
        }
        for subscriber in subscribers {
          XCTAssertEqual(subscriber.violations, [], row.name)
          subscriber.cancel()
        }
      }
    }
  }

  /// A publisher without a row is one that nobody holds to the contract.
  func testEverySourceHasARow() throws {
    // Their values come from other threads: TimerTests, ConcurrencyTests.
    let others: Set<String> = ["DispatchTimer", "AsyncElements"]
    let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Sources")
    var declared = Set<String>()
    for folder in ["Sluice/Publishers", "Sluice/Subjects", "Sluice/Observation", "SluiceExtras/Publishers"]
      + ["SluiceExtras/Subjects"]
    {
      let folder = sources.appendingPathComponent(folder)
      for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
        guard
          try String(contentsOf: file, encoding: .utf8).contains(": _DirectPublisher")
            || String(contentsOf: file, encoding: .utf8).contains(": Subject, _DirectPublisher")
        else { continue }
        declared.insert(file.deletingPathExtension().lastPathComponent)
      }
    }
    XCTAssertGreaterThan(declared.count, 10, "the sources were not read as they are written")
    XCTAssertEqual(
      declared.subtracting(others).subtracting(SourceRow.all.map(\.name)), [], "no row in SourceTable.swift")
  }
}
