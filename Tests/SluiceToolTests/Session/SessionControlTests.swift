import SluiceControl
import SluiceReadings
import TestFiles
import XCTest

@testable import SluicePipeline
@testable import SluiceTool

final class SessionControlTests: XCTestCase {
  private lazy var folder = temporaryFolder()

  private var notes: [SluiceError] = []

  private func control(_ name: String?, isRequired: Bool = true) throws -> SessionControl? {
    let plan = RecordingPlan(sources: [try SourceSpec("timer:1s")], outputs: [OutputPlan("a.csv")])
    let folder = "\(folder)"
    return try SessionControl(
      plan, name: name, isRequired: isRequired,
      ControlPlace.Surroundings(userDirectory: folder, user: geteuid()), note: { self.notes.append($0) })
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

  /// Two recordings of files with one name in two folders: the second one runs, and says that it cannot be controlled.
  func testANameThatNobodyGaveEndsNoRecording() throws {
    let first = try XCTUnwrap(control(nil))
    XCTAssertNil(try control(nil, isRequired: false))
    XCTAssertEqual(notes.map(\.code), [.busy])
    XCTAssertTrue("\(notes[0])".hasPrefix("cannot take the name a: another recording has it"), "\(notes[0])")
    XCTAssertThrowsError(try control("a")) { XCTAssertEqual(($0 as? SluiceError)?.code, .busy) }
    first.end("it has ended")
  }

  /// The name of a plan or a service is no reason not to record; one that was asked for is.
  func testANameThatHasNoRoomInAPath() throws {
    let name = String(repeating: "n", count: 48)
    let deep = folder.file(String(repeating: "d", count: 60))
    XCTAssertEqual(mkdir(deep, 0o700), 0)
    let plan = RecordingPlan(sources: [try SourceSpec("timer:1s")], outputs: [OutputPlan("a.csv")])
    let surroundings = ControlPlace.Surroundings(userDirectory: deep, user: geteuid())
    var notes: [SluiceError] = []
    XCTAssertNil(try SessionControl(plan, name: name, isRequired: false, surroundings, note: { notes.append($0) }))
    XCTAssertEqual(notes.count, 1)
    XCTAssertThrowsError(try SessionControl(plan, name: name, isRequired: true, surroundings, note: { _ in }))
  }
}
