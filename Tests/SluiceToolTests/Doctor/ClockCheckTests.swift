import SluiceAnalysis
import SluicePipeline
import SluiceRecording
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

  func testWhatTheKernelSaysAboutTheTimeOfDay() throws {
    try put("sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n")
    try put("run/systemd/timesync/other")
    var measures = ClockCheck.Measures(
      resolution: 1, quality: .init(isSynchronised: true, maxError: 4_500_000, estimatedError: 20_000))
    XCTAssertEqual(
      ClockCheck.findings(surroundings, measures).last,
      .ok("clock", "the time of day is synchronised, and wrong by at most 4.500 ms"))
    measures.quality?.isSynchronised = false
    XCTAssertEqual(ClockCheck.findings(surroundings, measures).map(\.verdict), [.ok, .warning])
  }
}
