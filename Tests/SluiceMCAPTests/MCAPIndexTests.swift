import Foundation
import SluiceReadings
import XCTest

@testable import SluiceMCAP
@testable import SluiceRecording

/// What the summary alone says of a file.
final class MCAPIndexTests: MCAPTestCase {
  func testARecording() throws {
    // The second reading needs JSON, in a second channel.
    try write(batches(0..<2) + [[reading(90, 0, [1_234_567_890_123_456_789])]], streams)
    let index = try MCAPIndex.index(of: path)
    XCTAssertEqual(
      index.series,
      [.init(name: "a", readings: 5, encoding: "cdr,json"), .init(name: "b", readings: 2, encoding: "cdr")])
    XCTAssertEqual(index.times, 0...90)
    XCTAssertEqual([index.chunks, index.attachments], [3, 0])
    XCTAssertEqual(index.library, "sluice")
    XCTAssertNil(index.metadata)
  }

  /// Data that is damaged or not there is not looked at.
  func testTheDataIsNotRead() throws {
    try write(batches(0..<2), streams)
    var hollow = try bytes
    let contents = try XCTUnwrap(Contents.finished(FileBytes(hollow)))
    for place in Int(contents.firstRecord)..<Int(contents.dataEnd) { hollow[place] = 0 }
    try put(hollow)
    XCTAssertEqual(try MCAPIndex.index(of: path).readings, 6)
    hollow[hollow.count - 40] ^= 1
    try put(hollow)
    XCTAssertThrowsError(try MCAPIndex.index(of: path)) { error in
      XCTAssertTrue("\(error)".contains("cannot read the summary of \(self.path): it has none"), "\(error)")
    }
  }

  func testAKilledRunHasNone() throws {
    try write(batches(0..<2), streams, closes: false)
    XCTAssertThrowsError(try MCAPIndex.index(of: path))
  }
}
