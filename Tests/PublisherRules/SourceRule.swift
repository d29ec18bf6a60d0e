import Foundation
import Sluice
import SluiceTesting

/// The rules for a source: a publisher on its own, or with the upstream that its row gives it.
package enum SourceRule: String, CaseIterable {
  case everythingComesInEachWayOfAsking
  case noMoreThanIsWanted
  case nothingComesAfterACancelAtAnyTime
  case theSubscriberIsLetGoOf
  case neverTwoCallsAtATimeWhereItIsDrivenFromWithin
  case manyValuesOnASmallStack
  case manySubscribersOnASmallStack
  case subscribersComeAndGoWhileItSends

  /// - Returns: The faults of the rows; empty if there are none.
  package func faults(of rows: [SourceRow]) -> [String] {
    rows.flatMap { row in
      let check = Check(row, rule: self)
      switch self {
      case .everythingComesInEachWayOfAsking: check.everythingInEachWayOfAsking()
      case .noMoreThanIsWanted: check.noMoreThanIsWanted()
      case .nothingComesAfterACancelAtAnyTime: check.cancelledAtAnyTime()
      case .theSubscriberIsLetGoOf: check.theSubscriberIsLetGoOf()
      case .neverTwoCallsAtATimeWhereItIsDrivenFromWithin: check.drivenFromWithin()
      case .manyValuesOnASmallStack: check.smallStack { check.manyValues() }
      case .manySubscribersOnASmallStack: check.smallStack { check.manySubscribers() }
      case .subscribersComeAndGoWhileItSends: check.subscribersComeAndGo()
      }
      return check.faults
    }
  }
}

/// One row under one rule.
private final class Check {
  private typealias Taker = TestSubscriber<Any, any Error>

  private let row: SourceRow
  private let rule: SourceRule
  private(set) var faults: [String] = []

  init(_ row: SourceRow, rule: SourceRule) {
    self.row = row
    self.rule = rule
  }

  private func expect(_ isSo: Bool, _ fault: @autoclosure () -> String) {
    if !isSo { faults.append("\(row.name), \(row.output), \(rule): \(fault())") }
  }

  private func expectNoViolations(_ subscriber: Taker, _ when: String) {
    expect(subscriber.violations.isEmpty, "\(when): \(subscriber.violations)")
  }

  /// Runs a body with a new source, and sees that nothing is left of it.
  private func each(_ count: Int = 3, _ body: (SourceRow.Source) -> Void) {
    let before = Token.alive
    let files = row.traits.contains(.opens) ? openFiles() : []
    var kept: [() -> AnyObject?] = []
    func run() {
      let source = row.make(count)
      kept = source.kept
      body(source)
    }
    run()
    // Fewer are left where a task of an earlier source, on another thread, has only now let go of its own.
    expect(row.wait { Token.alive <= before }, "\(Token.alive - before) tokens are left")
    expect(row.wait { kept.allSatisfy { $0() == nil } }, "\(kept.compactMap { $0() }) is kept")
    if row.traits.contains(.opens) {
      expect(row.wait { openFiles().count <= files.count }, "\(openFiles()) are open")
    }
  }

  /// The open files. Sockets, pipes and devices are left out, because system libraries open some and keep them.
  private func openFiles() -> [String] {
    let folder = "/proc/self/fd/"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: folder + $0) }
      .filter { $0.hasPrefix("/") && !$0.hasPrefix("/dev/") && !$0.hasPrefix("/proc/") }
  }

  private func text(_ subscriber: Taker) -> String {
    let values = subscriber.values
    var words = values.prefix(row.traits.contains(.endless) ? row.values : .max).map { "\($0)" }
    switch subscriber.completion {
    case nil: break
    case .finished?: words.append("finished")
    case .failure?: words.append("failed")
    }
    return words.joined(separator: " ")
  }

  func everythingInEachWayOfAsking() {
    for wish in 0..<4 {
      each { source in
        // Asks from within, by a call of its own.
        let asked = Locked<Taker?>(nil)
        let subscriber =
          switch wish {
          case 0: Taker()
          case 1: Taker(initial: .max(4))
          case 2: Taker(initial: .max(1)) { _ in .max(1) }
          default:
            Taker(initial: .max(1)) { _ in
              asked.withLock { $0 }?.request(.max(1))
              return .none
            }
          }
        asked.withLock { $0 = subscriber }
        source.publisher.subscribe(subscriber)
        source.drive()
        row.wait { text(subscriber) == row.output }
        source.settle()
        expect(text(subscriber) == row.output, "asked in way \(wish), \(text(subscriber)) came")
        expectNoViolations(subscriber, "asked in way \(wish)")
        subscriber.request(.max(1))
        subscriber.cancel()
        source.settle()
        expect(text(subscriber) == row.output, "after the end \(text(subscriber))")
        expectNoViolations(subscriber, "asked in way \(wish), then cancelled")
        asked.withLock { $0 = nil }
      }
    }
  }

  func noMoreThanIsWanted() {
    guard !row.traits.contains(.ignoresDemand) else { return }
    for wish in 0..<3 {
      each { source in
        let subscriber = Taker(initial: wish == 0 ? .none : .max(wish))
        source.publisher.subscribe(subscriber)
        source.drive()
        // The end needs no demand of its own, but some sources wait for the first request.
        let alsoEnds = wish > 0 && wish >= row.values && row.ends
        row.wait {
          subscriber.values.count >= min(wish, row.values) && (!alsoEnds || subscriber.completion != nil)
        }
        source.settle()
        expect(subscriber.values.count <= wish, "\(subscriber.values.count) came where \(wish) were asked for")
        expectNoViolations(subscriber, "\(wish) wanted")
        subscriber.cancel()
        source.drive()
        source.settle()
        expectNoViolations(subscriber, "\(wish) wanted, then cancelled")
      }
    }
  }

  private enum Moment: CaseIterable { case subscription, askedSubscription, value, lastValue, end, late }
  private var mayBeCancelledWhileItSends: Bool { !row.traits.contains(.mustNotBeCancelledWhileItSends) }

  func cancelledAtAnyTime() {
    for moment in Moment.allCases {
      if !mayBeCancelledWhileItSends, moment == .askedSubscription || moment == .late { continue }
      each { source in
        let guest = Guest()
        // What another thread sends before the cancel has returned is not too late.
        let cancel = { (guest: Guest) in
          if self.row.place == .elsewhere { guest.subscription?.cancel() }
          guest.cancel()
        }
        // What is on its way on another thread may still come, once.
        var allowed = 0
        var awaited = 0
        switch moment {
        case .subscription:
          guest.onSubscription = { $0.cancel() }
          if row.traits.contains(.onlyEnds) { allowed = 1 }
        case .askedSubscription:
          guest.onSubscription = {
            $0.subscription?.request(.unlimited)
            cancel($0)
            $0.subscription?.request(.unlimited)
          }
          if row.traits.contains(.onlyEnds) || row.place == .elsewhere { allowed = 1 }
        case .value:
          guest.onValue = { $0.cancel() }
          awaited = row.values == 0 && row.ends ? 1 : min(1, row.values)
        case .lastValue:
          guest.onValue = { [count = row.values] in if $0.calls == count { $0.cancel() } }
          awaited = row.values == 0 && row.ends ? 1 : row.values
        case .end:
          guest.onEnd = {
            $0.cancel()
            $0.subscription?.request(.unlimited)
          }
          awaited = row.values + (row.ends ? 1 : 0)
        case .late:
          if row.place == .elsewhere { allowed = 1 }
        }
        source.publisher.subscribe(guest)
        if moment == .late { cancel(guest) }
        source.drive()
        expect(row.wait { guest.calls >= awaited }, "\(guest.calls) calls came and \(awaited) were to come: \(moment)")
        source.settle()
        source.drive()
        guest.cancel()
        source.drive()
        source.settle()
        if row.traits.contains(.endless), moment == .end, row.place == .elsewhere { allowed = 1 }
        expect(guest.callsTooLate <= allowed, "\(guest.callsTooLate) calls came after the cancel: \(moment)")
        guest.subscription = nil
      }
    }
  }

  /// A subscriber is released after its end or cancel, even if its subscription is kept.
  func theSubscriberIsLetGoOf() {
    for cancels in mayBeCancelledWhileItSends ? [false, true] : [false] {
      each { source in
        weak var released: Guest?
        var kept: (any Subscription)?
        func run() {
          let guest = Guest()
          released = guest
          source.publisher.subscribe(guest)
          if cancels { guest.cancel() }
          source.drive()
          if !cancels { row.wait { guest.calls >= row.values + (row.ends ? 1 : 0) } }
          kept = guest.subscription
          guest.subscription = nil
        }
        run()
        if cancels || row.ends {
          expect(row.wait { released == nil }, "kept, \(cancels ? "cancelled" : "after the end")")
        }
        kept?.cancel()
        expect(row.wait { released == nil }, "kept after the cancel, cancelled before: \(cancels)")
        kept = nil
      }
    }
  }

  /// Drives the source from within a delivery or an end.
  func drivenFromWithin() {
    each { source in
      // Not for ever: each value might bring the next.
      let drives = Locked(0)
      func drive() {
        let isOne = drives.withLock { drives in
          drives += 1
          return drives <= 5
        }
        if isOne { source.drive() }
      }
      let subscribers = (0..<3).map { number in
        Taker(
          initial: number == 1 && !row.traits.contains(.ignoresDemand) ? .max(1) : .unlimited,
          answer: { _ in
            drive()
            return number == 1 ? .max(1) : .none
          }, ended: { _ in drive() })
      }
      for subscriber in subscribers { source.publisher.subscribe(subscriber) }
      source.drive()
      row.wait { subscribers.allSatisfy { row.ends ? $0.completion != nil : $0.values.count >= row.values } }
      source.settle()
      for subscriber in subscribers {
        expectNoViolations(subscriber, "driven from within")
        subscriber.cancel()
      }
    }
  }

  /// The source is made and driven on a thread with a small stack.
  func smallStack(_ body: @escaping () -> Void) {
    // The main run loop does not run while the main thread waits for this one.
    guard row.place != .runLoop else { return body() }
    expect(onSmallStack(body), "it does not come to an end")
  }

  func manyValues() {
    let count = row.values > 1 ? row.many : row.values
    each(row.many) { source in
      let subscriber = TestSubscriber<Void, any Error>(initial: .max(1)) { _ in .max(1) }
      source.publisher.map { _ in }.subscribe(subscriber)
      source.drive()
      row.wait { subscriber.values.count >= count && (!row.ends || subscriber.completion != nil) }
      let came = subscriber.values.count
      expect(row.traits.contains(.endless) ? came >= count : came == count, "\(came) of \(count) values came")
      expect(subscriber.violations.isEmpty, "\(subscriber.violations)")
      subscriber.cancel()
    }
  }

  func manySubscribers() {
    each { source in
      let initial: Subscribers.Demand = row.traits.contains(.endless) ? .max(row.values) : .unlimited
      let subscribers = (0..<min(row.many, 1_000)).map { _ in Taker(initial: initial) }
      for subscriber in subscribers { source.publisher.subscribe(subscriber) }
      source.drive()
      // If a source allows one reader only, the others get a failure.
      let isThere = row.wait { subscribers.allSatisfy { text($0) == row.output || $0.failure != nil } }
      expect(isThere, "one of many gets \(subscribers.map(text).first { $0 != row.output } ?? "")")
      for subscriber in subscribers {
        expectNoViolations(subscriber, "one of many")
        subscriber.cancel()
      }
    }
  }

  func subscribersComeAndGo() {
    for _ in 0..<(mayBeCancelledWhileItSends ? 20 : 0) {
      each(20) { source in
        let initial: Subscribers.Demand = row.traits.contains(.ignoresDemand) ? .unlimited : .none
        let subscribers = (0..<12).map { _ in Taker(initial: initial) }
        onThreads(4) { thread in
          if thread == 0 { return source.drive() }
          for index in stride(from: thread - 1, to: subscribers.count, by: 3) {
            source.publisher.subscribe(subscribers[index])
            subscribers[index].request(.max(1 + index))
            if index % 4 == 0 { subscribers[index].cancel() }
          }
        }
        for subscriber in subscribers { subscriber.cancel() }
        source.settle()
        for subscriber in subscribers { expectNoViolations(subscriber, "while others come and go") }
      }
    }
  }
}
