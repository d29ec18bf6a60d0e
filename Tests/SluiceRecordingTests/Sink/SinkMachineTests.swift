import Sluice
import TestDisk
import XCTest

@testable import SluiceRecording

final class SinkMachineTests: XCTestCase {
  private final class Upstream: Subscription {
    func request(_ demand: Subscribers.Demand) {}
    func cancel() {}
  }

  private func connected(ahead: Int = 1) -> SinkMachine {
    var machine = SinkMachine()
    XCTAssertTrue(machine.connect(Upstream(), ahead: ahead))
    XCTAssertEqual(machine.goOn()?.demand, .max(ahead))
    return machine
  }

  func testItAcceptsOneUpstream() {
    var machine = SinkMachine()
    XCTAssertNil(machine.goOn())
    XCTAssertTrue(machine.connect(Upstream(), ahead: 3))
    XCTAssertFalse(machine.connect(Upstream(), ahead: 3))
    XCTAssertEqual(machine.goOn()?.demand, .max(3))
    XCTAssertNil(machine.goOn(), "once")
    var ended = SinkMachine()
    XCTAssertTrue(ended.end())
    XCTAssertFalse(ended.connect(Upstream(), ahead: 1))
  }

  func testItRequestsAsMuchAsItTakes() {
    var machine = connected()
    XCTAssertEqual(machine.receive(5), .max(5))
    XCTAssertNil(machine.goOn())
  }

  func testAPauseThatHoldsWithholdsTheDemand() {
    var machine = connected()
    machine.pause(.hold)
    XCTAssertTrue(machine.isHeldByPause)
    for _ in 0..<2 { XCTAssertEqual(machine.receive(2), .none) }
    XCTAssertNil(machine.goOn())
    machine.resume()
    XCTAssertEqual(machine.goOn()?.demand, .max(4))
    machine.pause(.discard)
    XCTAssertFalse(machine.isHeldByPause)
    XCTAssertEqual(machine.pausing, .discard)
    XCTAssertEqual(machine.receive(2), .max(2))
  }

  func testAnOutputThatIsBehindWithholdsTheDemand() {
    var machine = connected()
    machine.fallBehind()
    XCTAssertEqual(machine.receive(2), .none)
    machine.pause(.hold)
    machine.catchUp()
    XCTAssertNil(machine.goOn(), "it is paused")
    machine.resume()
    XCTAssertEqual(machine.goOn()?.demand, .max(2))
  }

  func testNothingIsWithheldOnceEverythingIsTaken() {
    var machine = connected()
    machine.fallBehind()
    XCTAssertEqual(machine.receive(2), .none)
    machine.drain()
    XCTAssertEqual(machine.goOn()?.demand, .max(2))
    machine.fallBehind()
    XCTAssertEqual(machine.delay, .draining)
    XCTAssertEqual(machine.receive(1), .max(1))
    machine.pause(.hold)
    XCTAssertEqual(machine.receive(1), .none, "except by a pause")
  }

  func testTheEndComesOnce() {
    var machine = connected()
    XCTAssertNotNil(machine.cancel())
    XCTAssertNil(machine.cancel())
    XCTAssertFalse(machine.isOver, "what is on the way is taken")
    XCTAssertFalse(machine.connect(Upstream(), ahead: 1))
    XCTAssertEqual(machine.receive(1), .max(1))
    XCTAssertNil(machine.goOn())
    XCTAssertTrue(machine.end())
    XCTAssertTrue(machine.isOver)
    XCTAssertFalse(machine.end())
    XCTAssertNil(machine.cancel())
    XCTAssertTrue(machine.complete())
    XCTAssertFalse(machine.complete())
    XCTAssertFalse(machine.end())
    XCTAssertTrue(machine.isOver)
  }

  func testItCanBeCancelledBeforeItHasAnUpstream() {
    var machine = SinkMachine()
    XCTAssertNil(machine.cancel())
    XCTAssertTrue(machine.end())
  }

  /// Whatever happens, no demand is lost and none is made up.
  func testAnyOrderOfInputs() {
    for seed in 0..<1_000 as Range<UInt64> {
      var random = SeededGenerator(seed)
      var machine = SinkMachine()
      XCTAssertTrue(machine.connect(Upstream(), ahead: 10))
      var owed = 10
      var asked = 0
      for _ in 0..<50 {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: machine.pause(Bool.random(using: &random) ? .hold : .discard)
        case 1: machine.resume()
        case 2: machine.fallBehind()
        case 3: machine.catchUp()
        case 4 where Int.random(in: 0..<10, using: &random) == 0: machine.drain()
        case 5, 6:
          let count = Int.random(in: 1...10, using: &random)
          owed += count
          asked += machine.receive(count).max ?? 0
        default: asked += machine.goOn()?.demand.max ?? 0
        }
        XCTAssertEqual(asked + (machine.withheld.max ?? 0), owed)
        if machine.isHeldByPause || machine.delay == .behind { XCTAssertNil(machine.goOn()) }
      }
      machine.resume()
      machine.drain()
      asked += machine.goOn()?.demand.max ?? 0
      XCTAssertEqual(asked, owed)
    }
  }
}
