import XCTest

@testable import SluiceSystem

final class HeapTests: XCTestCase {
  private let maps = """
    10000-20000 r--p 00000000 fe:00 12 /usr/bin/sluice
    Anonymous:             0 kB
    20000-50000 r-xp 00010000 fe:00 12 /usr/bin/sluice
    Rss:                  64 kB
    Anonymous:             0 kB
    50000-60000 rw-p 00040000 fe:00 12 /usr/bin/sluice
    Anonymous:             8 kB

    """

  func testOnlyAFileAsItIsIsUnmapped() {
    XCTAssertTrue(isFile(0x20000..<0x50000, maps))
    XCTAssertTrue(isFile(0x30000..<0x40000, maps))
    XCTAssertTrue(isFile(0x10000..<0x50000, maps), "lld begins with what is only read")
    let stripped = maps.replacing("10000-20000", with: "10000-15000")
    XCTAssertTrue(isFile(0x10000..<0x50000, stripped), "Packaging/strip leaves a hole")
    XCTAssertFalse(isFile(0x30000..<0x60000, maps), "a part of it can be written")
    XCTAssertFalse(isFile(0x60000..<0x70000, maps), "it is not mapped")
    XCTAssertFalse(
      isFile(0x20000..<0x50000, maps.replacing("Anonymous:             0", with: "Anonymous:             4")))
    XCTAssertFalse(isFile(0x20000..<0x50000, maps.replacing("fe:00 12", with: "00:00 0")), "it is no file")
    XCTAssertFalse(isFile(0..<1, ""))
  }

  /// The tests run on after it.
  func testTheProgramIsUnmappedAndRunsOn() throws {
    trimHeap()
    XCTAssertTrue(releaseProgram(), "the tests are a file as it is")
    XCTAssertTrue(isFile(0x20000..<0x50000, maps))
  }
}
