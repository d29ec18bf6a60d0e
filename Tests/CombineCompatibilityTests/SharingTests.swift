import Sluice
import XCTest

final class SharingTests: XCTestCase {
  private typealias Numbers = Publishers.HandleEvents<PassthroughSubject<Int, Never>>
  private let subject = PassthroughSubject<Int, Never>()
  private var subscriptions = 0
  private var log: [String] = []
  private var cancellables: [AnyCancellable] = []

  private var numbers: Numbers {
    subject.handleEvents(receiveSubscription: { [unowned self] _ in subscriptions += 1 })
  }

  private func listen<P: Publisher>(_ name: String, _ publisher: P) where P.Failure == Never {
    publisher.sink { [unowned self] in log.append("\(name)\($0)") }.store(in: &cancellables)
  }

  func testShare() {
    let p: Publishers.Share<Numbers> = numbers.share()
    listen("a", p)
    listen("b", p)
    subject.send(1)
    XCTAssertEqual(Set(log), ["a1", "b1"])
    XCTAssertEqual(subscriptions, 1)
    XCTAssertEqual(p, p)
    XCTAssertNotEqual(p, Publishers.Share(upstream: numbers))
  }

  func testMulticast() {
    let p: Publishers.Multicast<Numbers, PassthroughSubject<Int, Never>> = numbers.multicast { PassthroughSubject() }
    listen("a", p)
    subject.send(1)
    let connection: Cancellable = p.connect()
    subject.send(2)
    connection.cancel()
    subject.send(3)
    XCTAssertEqual(log, ["a2"])
    let current = CurrentValueSubject<Int, Never>(0)
    let q = numbers.multicast(subject: current)
    listen("q", q)
    q.connect().store(in: &cancellables)
    subject.send(4)
    XCTAssertEqual(log, ["a2", "q0", "q4"])
    XCTAssertTrue(q.createSubject() === current)
    _ = Publishers.Multicast(upstream: numbers, createSubject: { PassthroughSubject<Int, Never>() })
  }

  func testAutoconnectAndMakeConnectable() {
    let made: Publishers.MakeConnectable<PassthroughSubject<Int, Never>> = subject.makeConnectable()
    let p: Publishers.Autoconnect<Publishers.MakeConnectable<PassthroughSubject<Int, Never>>> = made.autoconnect()
    listen("a", p)
    subject.send(1)
    XCTAssertEqual(log, ["a1"])
    let explicit = Publishers.Autoconnect(upstream: Publishers.MakeConnectable(upstream: subject))
    listen("b", explicit)
    subject.send(2)
    XCTAssertEqual(Set(log), ["a1", "a2", "b2"])
  }
}
