import PublisherRules
import Sluice
import SluiceReadings
import TestFiles
import XCTest

@testable import SluiceRecording

/// The publisher of a trace.
final class SourceTableTests: XCTestCase {
  func testEverySource() {
    for rule in SourceRule.allCases { XCTAssertEqual(rule.faults(of: rows), []) }
  }

  private var rows: [SourceRow] {
    func row(_ output: String, window: TraceWindow? = nil, then rest: String = "") -> SourceRow {
      SourceRow("Replay", output, [.opens]) { count in
        let folder = TemporaryFolder()
        let text = "time_ns,x\n" + (0..<count).map { "\($0),\($0)\n" }.joined() + rest
        let reader = try! TraceReader(path: folder.file("t.csv", text))
        return .init(
          Publishers.Replay(reader, window: window).map { Token(Int($0.values[0].significand)) }, keeping: [folder])
      }
    }
    return [
      row("0 1 2 finished"), row("0 1 2 failed", then: "x,1\n"), row("0 finished", window: TraceWindow(to: .after(1))),
    ]
  }
}
