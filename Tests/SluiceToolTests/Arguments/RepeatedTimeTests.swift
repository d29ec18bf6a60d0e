import SluiceArguments
import SluiceRecording
import XCTest

@testable import SluicePipeline
@testable import SluiceTool

/// Where a period is accepted, a rate is accepted too: as an option, behind a source or an output, and in a plan.
final class RepeatedTimeTests: XCTestCase {
  private static let stages: [(name: String, value: String, stage: StagePlan)] = [
    ("throttle", "10Hz", .throttle(for: .milliseconds(100))), ("collect", "10Hz", .collect(for: .milliseconds(100))),
    ("collect", "5,10Hz", .collect(5, orFor: .milliseconds(100))),
    ("resample", "10Hz:last", .resample(.milliseconds(100), .last)),
    ("reduce", "2kHz:max", .reduce(.nanoseconds(500_000), [.max])), ("settle", "1kHz", .settle(for: .milliseconds(1))),
    ("settle", "door=1kHz", .settle(for: .milliseconds(1), line: "door")),
    ("frequency-of", "100mHz", .frequency(per: .seconds(10))),
  ]

  func testOptions() throws {
    for (name, value, stage) in Self.stages {
      let arguments = ["record", "sim:meter", "-o", "x.csv", "--buffer", "0", "--\(name)", value]
      let command = try XCTUnwrap(try parsed(arguments) as? RecordCommand, name)
      XCTAssertEqual(try command.recordingPlan().stages, [stage], "\(name) \(value)")
    }
  }

  func testBehindAnOutput() throws {
    for (name, value, stage) in Self.stages {
      let text = try OutputText("x.csv,\(name)=\(value)")
      XCTAssertEqual(text.adding(to: OutputPlan(text.path)).stages, [stage], "\(name) \(value)")
    }
  }

  func testInAPlan() throws {
    for (json, stage) in [
      (#"{"stage": "throttle", "interval": "10Hz"}"#, StagePlan.throttle(for: .milliseconds(100))),
      (#"{"stage": "collect", "interval": "10Hz"}"#, .collect(for: .milliseconds(100))),
      (#"{"stage": "frequency", "interval": "100mHz"}"#, .frequency(per: .seconds(10))),
      (#"{"stage": "settle", "time": "1kHz"}"#, .settle(for: .milliseconds(1))),
    ] {
      let text = #"{"version": 1, "replay": {"file": "a.csv"}, "stages": [\#(json)], "outputs": [{"path": "x.csv"}]}"#
      XCTAssertEqual(try RecordingPlan(json: Array(text.utf8), name: "p.json").stages, [stage], json)
    }
  }

  func testSettingsAndTheSync() throws {
    XCTAssertEqual(try SettingOptions.parse(["--debounce", "1kHz"]).settings.debounce, .milliseconds(1))
    XCTAssertEqual(try SettingOptions.parse(["--latency", "20Hz"]).settings.latency, .milliseconds(50))
    XCTAssertEqual(SyncPolicy("2Hz"), .every(.milliseconds(500)))
    // Other times do not repeat.
    XCTAssertThrowsError(try OutputOptions.parse(["--grace", "10Hz"]))
  }
}
