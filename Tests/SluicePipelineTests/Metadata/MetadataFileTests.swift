import Foundation
import SluiceReadings
import SluiceRecording
import XCTest

@testable import SluicePipeline

final class MetadataFileTests: XCTestCase {
  private let folder = NSTemporaryDirectory() + "sluice-\(UUID().uuidString)"
  private var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder))?.sorted() ?? [] }

  override func setUpWithError() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  override func tearDown() { try? FileManager.default.removeItem(atPath: folder) }

  func testItIsReplacedWhole() throws {
    let file = MetadataFile(beside: "\(folder)/t.csv")
    let path = try XCTUnwrap(file.path)
    XCTAssertFalse(file.exists)
    // A process of this number that was killed.
    try "torn".write(toFile: "\(path).\(getpid())", atomically: false, encoding: .utf8)
    for number in 1...2 {
      try file.write("{\"a\": \(number)}\n")
      XCTAssertEqual(names, ["t.csv-metadata.json"])
      XCTAssertEqual(try String(contentsOfFile: path, encoding: .utf8), "{\"a\": \(number)}\n")
    }
  }

  /// Each recording names those before it, also where others of that name are left from a file that is gone.
  func testWhatIsKeptHasANumber() throws {
    let file = MetadataFile(beside: "\(folder)/t.csv")
    XCTAssertEqual(file.earlier(kept: nil), EarlierMetadata(hasUndescribedRows: true))
    try "other".write(toFile: "\(folder)/t.csv-metadata.1.json", atomically: false, encoding: .utf8)
    let metadata = RecordingMetadata(
      command: "record", arguments: [],
      streams: [StreamDescription(name: "a", channels: [StreamDescription.Channel(name: "x")])], isWhole: [true],
      host: .current, version: "1", began: .now())
    let output = OutputFiles.Described.csv("\(folder)/t.csv", streams: 0..<1)
    try file.write(metadata.document(of: output, nil).lines())
    for names in [["t.csv-metadata.2.json"], ["t.csv-metadata.2.json", "t.csv-metadata.3.json"]] {
      let earlier = file.earlier(kept: file.nextName)
      XCTAssertEqual(earlier, EarlierMetadata(files: names))
      try file.write(metadata.document(of: output, nil, earlier: earlier).lines(), keeping: earlier.files.last)
      XCTAssertTrue(file.exists)
      for name in names { XCTAssertTrue(self.names.contains(name), name) }
    }
    XCTAssertEqual(try TraceMetadata(beside: "\(folder)/t.csv")?.earlier?.count, 2)
  }

  func testAFailureLeavesNothingBehind() throws {
    let file = MetadataFile(beside: "\(folder)/t.csv")
    let path = try XCTUnwrap(file.path)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    XCTAssertThrowsError(try file.write("null")) { error in
      XCTAssertTrue("\(error)".hasPrefix("cannot write \(path): is a directory"), "\(error)")
    }
    XCTAssertEqual(names, ["t.csv-metadata.json"])
    XCTAssertThrowsError(try MetadataFile(beside: "\(folder)/no/t.csv").write("null")) { error in
      XCTAssertEqual((error as? SluiceError)?.code, .notFound)
    }
  }
}
