import Foundation
import SluiceRecording
import XCTest

@testable import SluiceTool

final class MetadataFileTests: XCTestCase {
  private let folder = NSTemporaryDirectory() + "sluice-\(UUID().uuidString)"
  private var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder))?.sorted() ?? [] }

  override func setUpWithError() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  override func tearDown() { try? FileManager.default.removeItem(atPath: folder) }

  func testItIsReplacedWhole() throws {
    let file = MetadataFile(beside: "\(folder)/t.csv")
    XCTAssertFalse(file.exists)
    // A process of this number that was killed.
    try "torn".write(toFile: "\(file.path).\(getpid())", atomically: false, encoding: .utf8)
    for number in 1...2 {
      try file.write(.object([("a", JSON(number))]))
      XCTAssertEqual(names, ["t.csv-metadata.json"])
      XCTAssertEqual(try String(contentsOfFile: file.path, encoding: .utf8), "{\"a\": \(number)}\n")
    }
  }

  func testWhatIsKeptHasANumber() throws {
    let file = MetadataFile(beside: "\(folder)/t.csv")
    XCTAssertEqual(try file.keep(), [])
    for number in 1...2 {
      try file.write(JSON(number))
      XCTAssertEqual(try file.keep(), (1...number).map { "t.csv-metadata.\($0).json" })
      XCTAssertEqual(
        try String(contentsOfFile: "\(folder)/t.csv-metadata.\(number).json", encoding: .utf8), "\(number)\n")
    }
    XCTAssertEqual(try file.keep().count, 2)
    XCTAssertEqual(names, ["t.csv-metadata.1.json", "t.csv-metadata.2.json"])
  }

  func testAFailureLeavesNothingBehind() throws {
    let file = MetadataFile(beside: "\(folder)/t.csv")
    try FileManager.default.createDirectory(atPath: file.path, withIntermediateDirectories: false)
    XCTAssertThrowsError(try file.write(.null)) { error in
      XCTAssertTrue("\(error)".hasPrefix("cannot write \(file.path): is a directory"), "\(error)")
    }
    XCTAssertEqual(names, ["t.csv-metadata.json"])
    XCTAssertThrowsError(try MetadataFile(beside: "\(folder)/no/t.csv").write(.null)) { error in
      XCTAssertEqual((error as? SluiceError)?.code, .notFound)
    }
  }
}
