// Code as it is written against Combine, with one import instead of another.
import Foundation
import SluiceFoundation
import XCTest

final class CombineCodeTests: XCTestCase {
  private var cancellables = Set<AnyCancellable>()

  private struct Point: Codable, Equatable { var x: Int }

  func testATimerInOneLine() {
    let three = expectation(description: "three ticks")
    Timer.publish(every: 0.01, on: .main, in: .common)
      .autoconnect()
      .scan(0) { count, _ in count + 1 }
      .share()
      .eraseToAnyPublisher()
      .filter { $0 == 3 }
      .first()
      .sink { _ in three.fulfill() }
      .store(in: &cancellables)
    wait(for: [three], timeout: 60)
  }

  func testFromTheRunLoopToAnOperationQueue() {
    let done = expectation(description: "delivered")
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    Just(1)
      .receive(on: RunLoop.main)
      .delay(for: .milliseconds(5), scheduler: DispatchQueue.main)
      .receive(on: queue)
      .sink { value in if value == 1 { done.fulfill() } }
      .store(in: &cancellables)
    wait(for: [done], timeout: 60)
  }

  func testCodingThereAndBack() {
    var points: [Point] = []
    [Point(x: 1), Point(x: 2)].publisher
      .encode(encoder: JSONEncoder())
      .decode(type: Point.self, decoder: JSONDecoder())
      .sink(receiveCompletion: { _ in }, receiveValue: { points.append($0) })
      .store(in: &cancellables)
    XCTAssertEqual(points, [Point(x: 1), Point(x: 2)])
  }

  func testNotifications() {
    let name = Notification.Name("tick")
    var count = 0
    NotificationCenter.default.publisher(for: name)
      .map { _ in 1 }
      .scan(0, +)
      .sink { count = $0 }
      .store(in: &cancellables)
    NotificationCenter.default.post(name: name, object: nil)
    NotificationCenter.default.post(name: name, object: nil)
    XCTAssertEqual(count, 2)
  }
}
