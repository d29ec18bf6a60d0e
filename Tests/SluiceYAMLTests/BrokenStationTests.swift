import SluiceReadings
import TestFiles
import XCTest

@testable import SluicePipeline
@testable import SluiceYAML

final class BrokenStationTests: XCTestCase {
  override func setUpWithError() throws {
    try super.setUpWithError()
    try InstalledLibrary.yaml.needed()
  }

  private struct Broken {
    var name: String
    var text: String
    var faults: [String]
  }

  private var all: [Broken] {
    BrokenStations.all.components(separatedBy: "=== ").dropFirst().map { block in
      let lines = block.components(separatedBy: "\n")
      let end = lines.firstIndex(of: "=>") ?? 0
      return Broken(
        name: lines[0],
        text: lines[1..<end].joined(separator: "\n").replacingOccurrences(of: "<TAB>", with: "\t") + "\n",
        faults: lines[(end + 1)...].filter { !$0.isEmpty })
    }
  }

  /// Each fault of each file is said at once, with its line and its column.
  func testAllFaultsAreSaid() {
    XCTAssertGreaterThanOrEqual(all.count, 30)
    for broken in all {
      do throws(SluiceError) {
        _ = try RecordingPlan(yaml: Array(broken.text.utf8), name: "walk.yaml", followsChannels: true)
        XCTFail("taken: \(broken.name)")
      } catch {
        let count = broken.faults.count
        let head = "cannot use the station file walk.yaml: it has \(count == 1 ? "a fault" : "\(count) faults")"
        XCTAssertEqual([error.sentence] + error.lines, [head] + broken.faults.map { "walk.yaml:\($0)" }, broken.name)
        XCTAssertEqual(error.code, .usage)
      }
    }
  }

  /// A file that is cut off anywhere, or has another byte anywhere, is read or refused.
  func testDamagedFiles() throws {
    let text = """
      name: a
      sources:
        imu: {kind: iio, what: "a:b,c", sample-rate: 4, stages: [dedupe, throttle: 1s]}
      stages:
        - reduce: {interval: 1m, functions: [mean]}
      outputs:
        a.csv: {rotate: 1h, buffer: 5}
      limits: {count: 5}
      meta: {b: c}

      """
    let bytes = Array(text.utf8)
    XCTAssertNoThrow(try RecordingPlan(yaml: bytes, name: "a.yaml"))
    for end in bytes.indices { _ = try? RecordingPlan(yaml: Array(bytes[..<end]), name: "a.yaml") }
    for index in bytes.indices {
      for byte in [0, 10, 32, 34, 36, 38, 44, 58, 91, 125, 200] as [UInt8] {
        var damaged = bytes
        damaged[index] = byte
        _ = try? RecordingPlan(yaml: damaged, name: "a.yaml")
      }
    }
  }

  /// As many faults as a file can have are found in some tries, and then it ends.
  func testThousandsOfFaults() {
    let lines = (0..<1_600).map { "  s\($0): {kind: timer, what: 1}\n" }.joined()
    do throws(SluiceError) {
      _ = try RecordingPlan(yaml: Array("sources:\n\(lines)outputs: [x]\n".utf8), name: "walk.yaml")
      XCTFail("taken")
    } catch {
      XCTAssertEqual(error.cause, "it has 100 faults")
      XCTAssertEqual(error.lines.count, 100)
    }
  }
}
