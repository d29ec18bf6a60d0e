import Foundation
import XCTest

@testable import SluiceRecording

/// Dates and times as text.
final class CivilTimeTests: XCTestCase {
  private func parse(_ text: String) -> Result<CivilTime, CivilTime.Fault> {
    Array(text.utf8).withUnsafeBufferPointer { bytes in
      Result { () throws(CivilTime.Fault) in try CivilTime(bytes) }
    }
  }

  private func time(_ text: String) -> Int64? { try? parse(text).get().nanoseconds }

  private func fault(_ text: String) -> CivilTime.Fault? {
    if case .failure(let fault) = parse(text) { return fault }
    return nil
  }

  func testISO8601() {
    let noon: Int64 = 1_709_294_400_000_000_000
    for text in [
      "2024-03-01T12:00:00Z", "2024-03-01 12:00:00Z", "2024-03-01t12:00:00z", "2024-03-01T13:00:00+01:00",
      "2024-03-01T13:00:00+0100", "2024-03-01T13:00:00+01", "2024-03-01T06:30:00-05:30", "2024-03-01T12:00Z",
      "2024-03-01 12:00:00 UTC", "2024-03-01 13:00:00 +01:00", "2024-03-01T12:00:00", "2024/03/01 12:00:00",
      "01.03.2024 12:00:00", "1.3.2024 12:00", "2024-03-01T12:00:00.000000000Z",
    ] {
      XCTAssertEqual(time(text), noon, text)
    }
    XCTAssertEqual(time("2024-03-01"), noon - 12 * 3_600_000_000_000)
    XCTAssertEqual(time("1970-01-01T00:00:00Z"), 0)
    XCTAssertEqual(time("1969-12-31T23:59:59.999999999Z"), -1)
    XCTAssertEqual(try parse("2024-03-01T12:00:00").get().hasZone, false)
    XCTAssertEqual(try parse("2024-03-01T12:00:00+00").get().hasZone, true)
  }

  func testFractionsOfAnyLength() {
    for (text, nanoseconds, isRounded) in [
      ("0.5", 500_000_000, false), ("0,25", 250_000_000, false), ("0.123456789", 123_456_789, false),
      ("0.1234567894", 123_456_789, true), ("0.1234567895", 123_456_790, true), ("0.9999999995", 1_000_000_000, true),
      ("0.1234567890000000", 123_456_789, false), ("0.12345678949999999999999999999", 123_456_789, true),
    ] as [(String, Int64, Bool)] {
      let read = try? parse("1970-01-01T00:00:0\(text)Z").get()
      XCTAssertEqual(read?.nanoseconds, nanoseconds, text)
      XCTAssertEqual(read?.isRounded, isRounded, text)
    }
  }

  /// Each day, by counting.
  func testEveryDayOf400Years() {
    var expected = (time("1800-01-01") ?? 0) / 86_400_000_000_000
    XCTAssertEqual(expected, -62_091)
    for year in Int64(1800)..<2200 {
      for month in Int64(1)...12 {
        for day in Int64(1)...31 {
          let isLeap = year % 4 == 0 && year % 100 != 0 || year % 400 == 0
          let length: Int64 = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][Int(month) - 1]
          guard day <= length else {
            XCTAssertNil(try? CivilTime.days(year, month, day))
            continue
          }
          XCTAssertEqual(try? CivilTime.days(year, month, day), expected)
          expected += 1
        }
      }
    }
  }

  func testWhatIsNoTime() {
    for text in [
      "", "x", "2024", "2024-03", "2024-3-1x", "2024-03-01T", "2024-03-01T12", "2024-03-01T24:00:01Z",
      "2024-03-01T25:00:00Z",
      "2024-03-01T12:60Z",
      "2024-03-01T12:00:61Z", "2024-13-01", "2024-00-01", "2024-02-30", "2023-02-29", "1900-02-29", "2024-03-00",
      "2024-03-01T12:00:00.Z", "2024-03-01T12:00:00+1", "2024-03-01T12:00:00+010", "2024-03-01T12:00:00+24:00",
      "2024-03-01T12:00:00+01:60", "2024-03-01T12:00:00Zx", "2024-03-01  ", "2024-03/01", "123-03-01",
      "2024-03-01T12:00:00 PM",
      "20240301T120000Z", "-2024-03-01", "2024-03-01T1200Z", "١٢:٠٠",
    ] {
      XCTAssertEqual(fault(text), .noTime, text)
    }
    for text in ["03/01/2024", "3/1/2024 12:00", "03-01-2024"] { XCTAssertEqual(fault(text), .ambiguousDate, text) }
    for text in ["12:00", "1:02:03.5", "12:00:00Z"] { XCTAssertEqual(fault(text), .noDate, text) }
    XCTAssertEqual(fault("2016-12-31T23:59:60Z"), .leapSecond)
    for text in ["1600-01-01", "2300-01-01T00:00:00Z", "9999-12-31", "0000-01-01"] {
      XCTAssertEqual(fault(text), .tooFar, text)
    }
  }

  func testMutatedTimesNeverTrap() {
    let alphabet = Array("0123456789-+:./ TZ,ez".utf8) + [0, 0xff]
    for _ in 0..<20_000 {
      var bytes = Array("2024-03-01T12:00:00.123456789+01:00".utf8)
      for _ in 0..<Int.random(in: 1...5) {
        let place = Int.random(in: 0..<bytes.count)
        if Bool.random() { bytes[place] = alphabet.randomElement() ?? 0 } else { bytes.remove(at: place) }
      }
      bytes.withUnsafeBufferPointer { bytes in
        _ = try? CivilTime(bytes)
        _ = try? CivilTime(date: bytes)
        _ = try? CivilTime(timeOfDay: bytes)
        _ = RoundedTime(bytes, power: 9)
      }
    }
  }
}
