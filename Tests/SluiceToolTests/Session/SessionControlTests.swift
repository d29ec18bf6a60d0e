import SluiceControl
import SluiceReadings
import TestFiles
import XCTest

@testable import SluicePipeline
@testable import SluiceTool

final class SessionControlTests: XCTestCase {
  private lazy var folder = temporaryFolder()

  private func control(_ name: String?, isRequired: Bool = true) throws -> SessionControl? {
    let plan = RecordingPlan(sources: [try SourceSpec("timer:1s")], outputs: [OutputPlan("a.csv")])
    let folder = "\(folder)"
    return try SessionControl(
      plan, name: name, isRequired: isRequired,
      ControlPlace.Surroundings(userDirectory: folder, user: geteuid()), note: { _ in })
  }

  /// Behind the end of a recording comes its summary, and then its end again: the name may be another's by then.
  func testTheEndOfOneIsNotTheEndOfTheNext() throws {
    let first = try XCTUnwrap(control("walk"))
    first.end("it has ended")
    let second = try control("walk")
    XCTAssertNotNil(second)
    first.end("it has ended")
    XCTAssertThrowsError(try control("walk")) { XCTAssertEqual(($0 as? SluiceError)?.code, .busy) }
    second?.end("it has ended")
  }

  /// The name of a plan or a service is no reason not to record; one that was asked for is.
  func testANameThatHasNoRoomInAPath() throws {
    let name = String(repeating: "n", count: 48)
    let deep = folder.file(String(repeating: "d", count: 60))
    XCTAssertEqual(mkdir(deep, 0o700), 0)
    let plan = RecordingPlan(sources: [try SourceSpec("timer:1s")], outputs: [OutputPlan("a.csv")])
    let surroundings = ControlPlace.Surroundings(userDirectory: deep, user: geteuid())
    var notes: [String] = []
    XCTAssertNil(try SessionControl(plan, name: name, isRequired: false, surroundings, note: { notes.append($0) }))
    XCTAssertEqual(notes.count, 1)
    XCTAssertThrowsError(try SessionControl(plan, name: name, isRequired: true, surroundings, note: { _ in }))
  }
}
