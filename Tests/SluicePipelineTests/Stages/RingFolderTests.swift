import Foundation
import SluiceLog
import SluiceReadings
import SluiceRecording
import SluiceStages
import TestFiles
import XCTest

@testable import SluicePipeline

/// Windows that are longer than memory.
final class RingFolderTests: XCTestCase {
  private lazy var folder = temporaryFolder()
  private let count = 140_000

  private func writeTrace() throws {
    let rows = (0..<count).map { "\($0 * 1_000_000),\($0)\n" }.joined()
    try ("time_ns,x\n" + rows).write(toFile: folder.file("in.csv"), atomically: false, encoding: .utf8)
  }

  private func replay(_ condition: String, _ output: String) throws -> (account: Account, events: [String]) {
    let stages = [StagePlan.around(try Expression(condition), before: TimeSpan("1h"), after: nil)]
    let plan = RecordingPlan(
      replay: ReplayPlan(folder.file("in.csv")), stages: stages, outputs: [OutputPlan(folder.file(output))])
    let recording = try Recording(plan)
    var sentences: [String] = []
    let events = recording.events.sink { sentences.append($0.kind.sentence) }
    recording.start()
    let account = recording.wait()
    withExtendedLifetime(events) {}
    return (account, sentences)
  }

  func testReadingsThatWaitOnTheDisk() throws {
    try writeTrace()
    let (account, events) = try replay("x == \(count - 10)", "out.csv")
    XCTAssertEqual(account.unaccounted, 0)
    XCTAssertEqual(account.written, count - 9)
    XCTAssertEqual(events.filter { $0.contains("--around") }, [])
    let rows = try String(contentsOfFile: folder.file("out.csv"), encoding: .utf8).split(separator: "\n").dropFirst()
    XCTAssertEqual(rows.count, count - 9)
    XCTAssertTrue(rows.enumerated().allSatisfy { $1 == "\($0 * 1_000_000),\($0),1" })
    XCTAssertEqual(folder.files.filter { $0.hasSuffix(RingFolder.ending) }, [])
  }

  /// Without an event, what waits is left out unread.
  func testNoEvent() throws {
    try writeTrace()
    let (account, _) = try replay("x < 0", "out.csv")
    XCTAssertEqual([account.written, account.suppressed, account.unaccounted], [0, count, 0])
    XCTAssertEqual(folder.files.filter { $0.hasSuffix(RingFolder.ending) }, [])
  }

  /// Readings that a killed run has left are in no window of the next one.
  func testWhatAKilledRunHasLeft() throws {
    try writeTrace()
    let ring = folder.file("out.csv\(RingFolder.ending)")
    for name in ["1", "7"] {
      try FileManager.default.createDirectory(atPath: "\(ring)/\(name)", withIntermediateDirectories: true)
      let log = try SegmentLog("\(ring)/\(name)")
      try log.append([Reading(time: 5, stream: StreamID(0), values: [5])])
      log.close()
    }
    let (account, _) = try replay("x == \(count - 10)", "out.csv")
    XCTAssertEqual(account.written, count - 9)
    XCTAssertEqual(folder.files.filter { $0.hasSuffix(RingFolder.ending) }, [])
  }

  /// Where no folder can be made, memory is all there is, and a message says so.
  func testNoRoom() throws {
    try writeTrace()
    try "".write(toFile: folder.file("out.csv\(RingFolder.ending)"), atomically: false, encoding: .utf8)
    let (account, events) = try replay("x == \(count - 10)", "out.csv")
    XCTAssertEqual(account.unaccounted, 0)
    XCTAssertEqual(account.written, Around.mostHeld + 1)
    XCTAssertEqual(events.filter { $0.contains("begins later than BEFORE") }.count, 1)
  }

  /// The marks of a recording are events of the stages of an output, also behind stages that all share.
  func testMarksBehindSharedStages() throws {
    var output = OutputPlan(folder.file("b.csv"))
    output.stages = [.around(try Expression("number < 0"), before: TimeSpan("1h"), after: TimeSpan("1h"))]
    let plan = RecordingPlan(
      sources: [try SourceSpec("m=marks:number")], stages: [.every(1)],
      outputs: [OutputPlan(folder.file("a.csv")), output])
    let recording = try Recording(plan)
    recording.start()
    for number in 1...3 { try recording.mark("\(number)") }
    recording.stop()
    let account = recording.wait()
    XCTAssertEqual(account.outputs.map(\.written), [3, 3])
  }
}
