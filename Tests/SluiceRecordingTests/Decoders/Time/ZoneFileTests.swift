import Foundation
import TestFiles
import XCTest

@testable import SluiceRecording

final class ZoneFileTests: XCTestCase {
  private func zone(_ name: String) throws -> ZoneFile {
    do { return try ZoneFile(name) } catch { throw XCTSkip("\(error)") }
  }

  /// Offsets are those of Foundation, which may have an older database: so no zone whose rules are still changed.
  func testOffsetsAreThoseOfFoundation() throws {
    var random = TestGenerator()
    for name in [
      "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia", "UTC",
    ] {
      let zone = try zone(name)
      let known = try XCTUnwrap(TimeZone(identifier: name))
      for _ in 0..<2_000 {
        // 1920 to 2037: Foundation has no rule after the last change on every system.
        let time = Int64.random(in: -1_577_923_200..<2_145_916_800, using: &random)
        let offset = Int64(known.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(time))))
        XCTAssertEqual(zone.offset(at: time), offset, "\(name) at \(time), \(random.note)")
      }
    }
  }

  /// Each time is among the meanings of its local time.
  func testALocalTimeMeansTheTime() throws {
    var random = TestGenerator()
    for name in ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Europe/Dublin"] {
      let zone = try zone(name)
      for _ in 0..<3_000 {
        let time = Int64.random(in: 0..<4_102_444_800, using: &random)
        switch zone.meaning(of: time + zone.offset(at: time)) {
        case .once(let found): XCTAssertEqual(found, time, "\(name), \(random.note)")
        case .twice(let first, let second):
          XCTAssertTrue(first == time || second == time, "\(name) \(time), \(random.note)")
        case .never: XCTFail("\(name) shows \(time), \(random.note)")
        }
      }
    }
  }

  func testHoursOfTheChanges() throws {
    let berlin = try zone("Europe/Berlin")
    // 2024-03-31 02:30 does not exist, 2024-10-27 02:30 is there twice.
    XCTAssertEqual(berlin.meaning(of: 1_711_852_200), .never(1_711_848_600))
    XCTAssertEqual(berlin.meaning(of: 1_729_996_200), .twice(1_729_989_000, 1_729_992_600))
    // By the rule, after the last change of the file: July and January 2050.
    XCTAssertEqual(berlin.offset(at: 2_540_916_000), 7_200)
    XCTAssertEqual(berlin.offset(at: 2_525_000_000), 3_600)
    // Before clocks were set at all.
    XCTAssertGreaterThan(berlin.offset(at: -3_000_000_000), 3_000)
  }

  func testRules() throws {
    let south = try XCTUnwrap(ZoneRule("AEST-10AEDT,M10.1.0,M4.1.0/3"))
    XCTAssertEqual(south.offset(at: 2_524_608_000), 39_600, "January")
    XCTAssertEqual(south.offset(at: 2_540_246_400), 36_000, "July")
    XCTAssertEqual(ZoneRule("<+0545>-5:45")?.offset(at: 0), 20_700)
    for text in [
      "", "X", "CET", "CET-1CEST", "CET-1CEST,M13.1.0,M4.1.0", "CET-1CEST,M3.5.0", "CET-1CEST,M3.5.0,M10.5.0x",
    ] {
      XCTAssertNil(ZoneRule(text), text)
    }
  }

  /// Damage is refused, and nothing traps.
  func testDamage() throws {
    let path = "/usr/share/zoneinfo/Europe/Berlin"
    guard let data = FileManager.default.contents(atPath: path) else { throw XCTSkip("no \(path)") }
    let bytes = [UInt8](data)
    for _ in 0..<2_000 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...8) { damaged[Int.random(in: 0..<damaged.count)] = UInt8.random(in: 0...255) }
      damaged = Array(damaged.prefix(Int.random(in: 0...damaged.count)))
      guard let zone = ZoneFile("x", damaged) else { continue }
      _ = zone.meaning(of: Int64.random(in: -10_000_000_000...10_000_000_000))
    }
  }
}
