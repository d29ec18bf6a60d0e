import SluiceReadings
import TestFiles
import XCTest

@testable import SluicePipeline

final class RecordingPlanFileTests: XCTestCase {
  private lazy var path = temporaryFolder().file("plan.json")

  private func plan() throws -> RecordingPlan {
    RecordingPlan(sources: [try SourceSpec("timer:1ms")], outputs: [OutputPlan("x.csv")])
  }

  private func refusal(_ path: String) -> SluiceError? {
    do throws(SluiceError) {
      _ = try RecordingPlan(path: path)
      return nil
    } catch {
      return error
    }
  }

  func testAFile() throws {
    try plan().text.write(toFile: path, atomically: false, encoding: .utf8)
    XCTAssertEqual(try RecordingPlan(path: path), try plan())
    try "{".write(toFile: path, atomically: false, encoding: .utf8)
    XCTAssertEqual(
      refusal(path)?.description,
      "cannot read the plan \(path): it is not JSON: line 1, column 2 should have a key in double quotes")
  }

  func testStandardInputThatComesInPieces() throws {
    let pipe = Pipe()
    let standardInput = dup(STDIN_FILENO)
    dup2(pipe.fileHandleForReading.fileDescriptor, STDIN_FILENO)
    defer {
      dup2(standardInput, STDIN_FILENO)
      close(standardInput)
    }
    // More than a pipe holds, so that it is read while it is written.
    let bytes = Array((try plan().text + String(repeating: "\n", count: 200_000)).utf8)
    let writer = Thread {
      pipe.fileHandleForWriting.write(Data(bytes))
      try? pipe.fileHandleForWriting.close()
    }
    writer.start()
    XCTAssertEqual(try RecordingPlan(path: "-"), try plan())
  }

  func testWhatIsNoPlan() throws {
    XCTAssertEqual(refusal(path)?.description, "cannot read the plan \(path): no such file or directory")
    XCTAssertEqual(
      refusal("/dev/null")?.description,
      "cannot read the plan /dev/null: it is not a regular file; - is standard input")
    XCTAssertEqual(refusal("/")?.description, "cannot read the plan /: it is not a regular file; - is standard input")
    XCTAssertEqual(mkfifo(path, 0o600), 0)
    XCTAssertEqual(refusal(path)?.code, .malformed, "a FIFO is not waited for")
  }

  func testAFileThatIsTooLarge() throws {
    XCTAssertTrue(FileManager.default.createFile(atPath: path, contents: nil))
    XCTAssertEqual(truncate(path, off_t(RecordingPlan.longest) + 1), 0)
    XCTAssertEqual(refusal(path)?.description, "cannot read the plan \(path): it is larger than 16 MiB")
    XCTAssertEqual(truncate(path, off_t(RecordingPlan.longest)), 0)
    XCTAssertEqual(
      refusal(path)?.description, "cannot read the plan \(path): it is not JSON: line 1, column 1 should have a value")
  }
}
