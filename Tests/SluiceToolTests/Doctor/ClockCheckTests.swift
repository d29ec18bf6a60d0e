import SluiceAnalysis
import SluicePipeline
import XCTest

@testable import SluiceTool

final class ClockCheckTests: DoctorTestCase {
  func testClock() throws {
    func findings(_ resolution: Int, late: Double? = nil) -> [Finding] {
      ClockCheck.findings(
        surroundings, ClockCheck.Measures(resolution: resolution, latenessMicroseconds: late))
    }
    try put("sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n")
    XCTAssertEqual(findings(1), [.ok("clock", "times come from tsc, in steps of 1 ns")])
    XCTAssertEqual(findings(4_000_000).map(\.verdict), [.warning])
    XCTAssertEqual(findings(1, late: 90).map(\.verdict), [.ok, .ok])
    XCTAssertEqual(findings(1, late: 20_000).map(\.verdict), [.ok, .warning])
    try put("run/systemd/timesync/other")
    XCTAssertEqual(findings(1).map(\.verdict), [.ok, .warning])
    try put("run/systemd/timesync/synchronized")
    XCTAssertEqual(findings(1).map(\.verdict), [.ok, .ok])
    try put("sys/devices/system/clocksource/clocksource0/current_clocksource", "jiffies\n")
    XCTAssertEqual(findings(1).map(\.verdict), [.warning, .ok])
  }
}
