import Foundation
import PublisherRules
import Sluice
import XCTest

/// The rules find what is wrong, and nothing where nothing is.
final class SourceRuleTests: XCTestCase {
  private enum Fault {
    case ignoresDemand, ignoresCancel, keepsItsSubscriber, endsTwice, sendsWithin, losesOne, keepsAnObject
  }

  /// Sends tokens as they are asked for, but for its fault.
  private final class Line: Subscription {
    let fault: Fault?
    let count: Int
    var subscriber: AnySubscriber<Token, Never>?
    var wanted = Subscribers.Demand.none
    var next = 0
    var isSending = false
    var isOver = false

    init(_ fault: Fault?, _ count: Int, _ subscriber: AnySubscriber<Token, Never>) {
      (self.fault, self.count, self.subscriber) = (fault, count, subscriber)
    }

    func request(_ demand: Subscribers.Demand) {
      wanted += demand
      guard !isSending || fault == .sendsWithin else { return }
      isSending = true
      defer { isSending = false }
      while !isOver, next < count, wanted != .none || fault == .ignoresDemand {
        if wanted != .none { wanted -= 1 }
        let number = next
        next += 1
        if fault == .losesOne, number == 1 { continue }
        wanted += subscriber?.receive(Token(number)) ?? .none
      }
      guard !isOver, next == count else { return }
      isOver = true
      subscriber?.receive(completion: .finished)
      if fault == .endsTwice { subscriber?.receive(completion: .finished) }
      if fault != .keepsItsSubscriber { subscriber = nil }
    }

    func cancel() {
      guard fault != .ignoresCancel else { return }
      isOver = true
      if fault != .keepsItsSubscriber { subscriber = nil }
    }
  }

  private struct Tokens: Publisher {
    typealias Output = Token
    typealias Failure = Never
    let fault: Fault?
    let count: Int
    func receive<S: Subscriber>(subscriber: S) where S.Input == Token, S.Failure == Never {
      let line = Line(fault, count, AnySubscriber(subscriber))
      subscriber.receive(subscription: line)
      if fault == .ignoresDemand { line.request(.none) }
    }
  }

  private func faults(_ fault: Fault?, _ rule: SourceRule) -> [String] {
    // It has one subscriber, and one thread.
    let kept = NSObject()
    return rule.faults(of: [
      SourceRow("Tokens", "0 1 2 finished") {
        .init(Tokens(fault: fault, count: $0), keeping: fault == .keepsAnObject ? [kept] : [])
      }
    ])
  }

  func testNothingIsFoundWhereNothingIsWrong() {
    for rule in SourceRule.allCases where rule != .subscribersComeAndGoWhileItSends {
      XCTAssertEqual(faults(nil, rule), [])
    }
  }

  func testWhatIsWrongIsFound() {
    XCTAssertNotEqual(faults(.ignoresDemand, .noMoreThanIsWanted), [])
    XCTAssertNotEqual(faults(.ignoresCancel, .nothingComesAfterACancelAtAnyTime), [])
    XCTAssertNotEqual(faults(.keepsItsSubscriber, .theSubscriberIsLetGoOf), [])
    XCTAssertNotEqual(faults(.endsTwice, .everythingComesInEachWayOfAsking), [])
    XCTAssertNotEqual(faults(.sendsWithin, .everythingComesInEachWayOfAsking), [])
    XCTAssertNotEqual(faults(.losesOne, .everythingComesInEachWayOfAsking), [])
    XCTAssertNotEqual(faults(.losesOne, .manyValuesOnASmallStack), [])
    XCTAssertNotEqual(faults(.keepsAnObject, .everythingComesInEachWayOfAsking), [])
  }
}
