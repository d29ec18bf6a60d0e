import Foundation
import SluiceArguments
import SluicePipeline
import TestFiles
import XCTest

@testable import RoundTrip
@testable import SluiceTool

/// Some random pipelines, always the same; `make test-round-trip` runs many.
final class RandomPipelineTests: XCTestCase {
  func testWhatOneCommandWritesTheOthersRead() throws {
    let script = Checkout.file("Tests/RoundTrip/line_protocol.py").path
    let before = FileManager.default.currentDirectoryPath
    let folder = try WorkFolder(stays: false)
    defer {
      folder.remove()
      XCTAssertTrue(FileManager.default.changeCurrentDirectoryPath(before))
    }
    // Nothing else needs Python; without it, line protocol is only written.
    let hasPython = ["/usr/bin/python3", "/usr/local/bin/python3"].contains(where: FileManager.default.isExecutableFile)
    var test = try RoundTrips(folder: folder, script: hasPython ? script : nil)
    test.willRun = { command in
      // The line that is printed for a fault means what was run.
      XCTAssertEqual(try? Self.plan(command.name, command.words), command.plan, command.line)
    }
    for seed in UInt64(1)...20 {
      guard let failure = try test.run(seed: seed) else { continue }
      XCTFail("seed \(seed): \(failure.text)\n" + failure.lines.joined(separator: "\n"))
    }
    XCTAssertEqual(Set(test.total.outputs.keys), Set(RecordingFormats.names), "each format is written")
  }

  func testEachStageIsMadeAtRandom() { XCTAssertEqual(Set(RandomStages.makers.keys), Set(Stages.names)) }

  private static func plan(_ name: String, _ words: [String]) throws -> RecordingPlan {
    var notices: [String] = []
    switch try SluiceCommand.program.request([name] + words, notices: &notices) {
    case .command(let command as RecordCommand): return try command.recordingPlan()
    case .command(let command as ReplayCommand): return try command.recordingPlan()
    case .command(let command as ConvertCommand): return try command.recordingPlan()
    default: throw Fault("\(name) has no plan")
    }
  }
}
