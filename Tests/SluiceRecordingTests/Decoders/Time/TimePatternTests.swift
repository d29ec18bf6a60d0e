import Foundation
import XCTest

@testable import SluiceRecording

final class TimePatternTests: XCTestCase {
  private func parse(_ pattern: String, _ text: String) throws -> CivilTime {
    let pattern = try TimePattern(pattern)
    return try Array(text.utf8).withUnsafeBufferPointer { try pattern.time($0) }
  }

  func testForms() throws {
    let noon: Int64 = 1_710_417_600_000_000_000
    for (pattern, text) in [
      ("%d.%m.%Y %H:%M:%S", "14.03.2024 12:00:00"), ("%d.%m.%Y %H:%M", "14.3.2024   12:00"),
      ("%m/%d/%Y %I:%M:%S %p", "03/14/2024 12:00:00 PM"), ("%m/%d/%y %I:%M %p", "3/14/24 12:00 p.m."),
      ("%Y%m%d%H%M%S", "20240314120000"), ("%F %T", "2024-03-14 12:00:00"), ("%b %d %Y %R", "Mar 14 2024 12:00"),
      ("%d %B %Y, %H h", "14 March 2024, 12 h"), ("%Y-%j %H", "2024-074 12"), ("%s", "1710417600"),
      ("%FT%T%z", "2024-03-14T13:00:00+0100"), ("%FT%T %z", "2024-03-14T12:00:00 Z"),
    ] { XCTAssertEqual(try parse(pattern, text).nanoseconds, noon, "\(pattern) \(text)") }
    XCTAssertEqual(try parse("%T.%f", "00:00:01.25").nanoseconds, 1_250_000_000)
    XCTAssertTrue(try parse("%S.%f", "1.0000000004").isRounded)
    XCTAssertEqual(try parse("%I %p", "12 AM").nanoseconds, 0)
    XCTAssertEqual(try parse("%F", "1969-12-31").nanoseconds, -86_400_000_000_000)
    XCTAssertEqual(try parse("%F", "2024-02-29").nanoseconds, 1_709_164_800_000_000_000)
  }

  func testWhatDoesNotFit() {
    for (pattern, text) in [
      ("%d.%m.%Y", "14.13.2024"), ("%F", "2023-02-29"), ("%F", "2024-03-14x"), ("%T", "24:00:01"), ("%T", "25:00:00"),
      ("%I %p", "13 PM"),
      ("%T", "12:00:60"), ("%Y", "20245"), ("%b", "Foo"), ("%j %Y", "366 2023"), ("%F", "9999-01-01"), ("%p", "xm"),
      ("%T.%f", "12:00:00."),
    ] { XCTAssertThrowsError(try parse(pattern, text), "\(pattern) \(text)") }
    for pattern in ["", "%", "%Q", "time"] { XCTAssertThrowsError(try TimePattern(pattern), pattern) }
  }

  func testDateAndTimeInTwoColumns() throws {
    let both = try XCTUnwrap(TimePattern("%d/%m/%Y %I:%M:%S %p").split)
    func parse(_ pattern: TimePattern, _ text: String) throws -> Int64 {
      try Array(text.utf8).withUnsafeBufferPointer { try pattern.time($0).nanoseconds }
    }
    XCTAssertEqual(try parse(both.date, "14/03/2024"), 1_710_374_400_000_000_000)
    XCTAssertEqual(try parse(both.time, "01:00:00 PM"), 46_800_000_000_000)
    XCTAssertNil(try TimePattern("%H:%M %d.%m.%Y").split)
    XCTAssertNil(try TimePattern("%d.%m.%Y").split)
  }

  /// What `strftime` writes is read.
  func testWhatStrftimeWrites() throws {
    for _ in 0..<2_000 {
      let seconds = Int64.random(in: -9_000_000_000..<9_000_000_000)
      for pattern in [
        "%d.%m.%Y %H:%M:%S", "%m/%d/%Y %I:%M:%S %p", "%Y%m%d%H%M%S", "%d-%b-%Y %T", "%Y-%j %T", "%e %B %Y %R:%S",
      ] {
        var (time, parts) = (time_t(seconds), tm())
        gmtime_r(&time, &parts)
        var text = [CChar](repeating: 0, count: 64)
        guard strftime(&text, text.count, pattern, &parts) > 0 else { return XCTFail(pattern) }
        let written = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        XCTAssertEqual(try parse(pattern, written).nanoseconds, seconds * 1_000_000_000, "\(pattern) \(written)")
      }
    }
  }
}
