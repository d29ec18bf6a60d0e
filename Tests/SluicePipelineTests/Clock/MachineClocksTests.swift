import Dispatch
import XCTest

@testable import SluicePipeline

/// What can be said of a machine whose clock is not to be touched.
final class MachineClocksTests: XCTestCase {
  func testTheSystemHasThem() {
    let clocks = SystemClocks()
    let before = clocks.monotonic
    let boottime = clocks.boottime
    XCTAssertLessThanOrEqual(before, clocks.monotonic)
    XCTAssertLessThanOrEqual(before, boottime)
    XCTAssertGreaterThan(clocks.realtime, 1_700_000_000_000_000_000)
    // A system may refuse to say it.
    _ = clocks.isSynchronised
  }

  func testATimerThatIsCancelledSaysNothing() throws {
    let queue = DispatchQueue(label: "test.machine-clocks")
    let watch = try XCTUnwrap(SystemClocks().whenSet(on: queue) { XCTFail("the clock of the test machine was set") })
    watch.cancel()
    queue.sync {}
  }
}
