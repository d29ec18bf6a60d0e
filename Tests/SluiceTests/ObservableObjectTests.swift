import Sluice
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
}
