import Sluice
import SluiceTesting
import XCTest

final class ObservableObjectTests: XCTestCase {
  private final class Station: ObservableObject {
    @Published var celsius = 0.0
    @Published var humidity = 0.0
  }

  /// Without published properties it sends by hand.
  private final class Counter: ObservableObject {
    var count = 0 { willSet { objectWillChange.send() } }
  }

  func testItSaysSoBeforeItChanges() {
    let station = Station()
    var seen: [Double] = []
    let cancellable = station.objectWillChange.sink { seen.append(station.celsius) }
    station.celsius = 21
    station.humidity = 50
    XCTAssertEqual(seen, [0, 21])
    withExtendedLifetime(cancellable) {}
  }

  func testSendingByHand() {
    let counter = Counter()
    var seen: [Int] = []
    let cancellable = counter.objectWillChange.sink { seen.append(counter.count) }
    counter.count = 1
    counter.count = 2
    XCTAssertEqual(seen, [0, 1])
    withExtendedLifetime(cancellable) {}
  }

  func testEachObjectHasItsOwn() {
    // Enough of them for addresses to be used again and dead ones to be cleared out.
    var count = 0
    for _ in 0..<1_000 {
      let (first, second) = (Counter(), Counter())
      let cancellable = first.objectWillChange.sink { count += 1 }
      second.count = 1
      first.count = 1
      withExtendedLifetime(cancellable) {}
    }
    XCTAssertEqual(count, 1_000)
  }

  func testTwoThreadsThatAskForTheFirstTimeGetTheSamePublisher() {
    for _ in 0..<300 {
      nonisolated(unsafe) let station = Station()  // its publishers protect themselves
      let publishers = Locked<[ObservableObjectPublisher]>([])
      onThreads(4) { _ in
        let publisher = station.objectWillChange
        publishers.withLock { $0.append(publisher) }
      }
      XCTAssertEqual(Set(publishers.withLock { $0 }.map { ObjectIdentifier($0) }).count, 1)
    }
  }

  /// The property changes after its subscribers have heard, so one that comes in between could miss the change.
  func testWhoSubscribesWhileAChangeIsSentGetsTheNewValue() {
    let station = Station()
    var inner: [Double] = []
    var seen: [Double] = []
    var late: AnyCancellable?
    let cancellable = station.$celsius.sink { value in
      seen.append(station.celsius)
      if value == 1 { late = station.$celsius.sink { inner.append($0) } }
    }
    station.celsius = 1
    station.celsius = 2
    XCTAssertEqual(inner, [1, 2])
    XCTAssertEqual(seen, [0, 0, 1])
    withExtendedLifetime((cancellable, late)) {}
  }

  func testAPropertyEndsWithWhatItsSubscribersEndWith() {
    for _ in 0..<100 {
      nonisolated(unsafe) let station = Station()  // its publishers protect themselves
      let last = Locked(0.0)
      let cancellable = station.$celsius.sink { value in last.withLock { $0 = value } }
      onThreads(3) { thread in for value in 0..<20 { station.celsius = Double(100 * thread + value) } }
      XCTAssertEqual(station.celsius, last.withLock { $0 })
      withExtendedLifetime(cancellable) {}
    }
  }
}
