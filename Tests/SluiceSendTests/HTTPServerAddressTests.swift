import SluiceReadings
import XCTest

@testable import SluiceSend

final class HTTPServerAddressTests: XCTestCase {
  func testParts() throws {
    let address = try HTTPServerAddress("https://db.example/write?db=plant")
    XCTAssertEqual([address.host, address.path, address.query], ["db.example", "/write", "db=plant"])
    XCTAssertEqual(address.port, 443)
    XCTAssertTrue(address.isEncrypted)
    XCTAssertEqual(address.dialect, .influx1)
    XCTAssertEqual(address.url, "https://db.example/write?db=plant")
    let other = try HTTPServerAddress("http://[::1]:8086/api/v2/write?org=o&bucket=b&precision=ns")
    XCTAssertEqual(other.host, "::1")
    XCTAssertEqual(other.port, 8086)
    XCTAssertEqual(other.origin, "http://[::1]:8086")
    XCTAssertEqual(other.dialect, .influx2)
    XCTAssertEqual(
      try HTTPServerAddress("http://h/api/v3/write_lp?db=x").url,
      "http://h/api/v3/write_lp?db=x&precision=nanosecond")
  }

  func testSecretsAreRefusedAndNotShown() {
    for text in [
      "http://me:hush@h/write?db=x", "https://hush@h/write", "http://h/write?db=x&u=me&p=hush",
      "http://h/write?token=hush", "http://h/write?db=x&api_key=hush", "http://h/write?Access-Token=hush",
      "http://h/write?db=x;p=hush", "http://h/write?db=x&%70=hush", "http://h/write?db=x&auth_token=hush",
      "http://h/write?auth_key=hush", "http://h/write?bearer=hush",
    ] {
      XCTAssertThrowsError(try HTTPServerAddress(text)) { error in
        XCTAssertFalse("\(error)".contains("hush"), "\(error)")
        XCTAssertTrue("\(error)".contains("token-file="), "\(error)")
      }
    }
  }

  /// Wherever a password ends, it is not shown.
  func testNothingOfAWrongAddressIsASecret() {
    for text in [
      "http://me:hu/sh@h/write?db=x", "http://me:hu?sh@h/write", "http://me:hu#sh@h/write", "http://me:/hush@h/write",
      "http://h:x/write?p=hush", "http://h:x/write?db=x&token=hush&u=me", "https://me:hush/@h/ä",
      "http://h:0/write?password=hu@sh",
    ] {
      XCTAssertThrowsError(try HTTPServerAddress(text)) { error in
        for part in ["hush", "hu/", "hu?", "hu#", "hu@", "sh@"] {
          XCTAssertFalse("\(error)".contains(part), "\(error)")
        }
      }
    }
  }

  func testNames() throws {
    let address = try HTTPServerAddress("http://DB.example:8086/write")
    for name in ["db.example", "DB.EXAMPLE", "db.example:8086"] { XCTAssertTrue(address.isCalled(name), name) }
    for name in ["example", "db.example:80", "b.example", ""] { XCTAssertFalse(address.isCalled(name), name) }
    XCTAssertTrue(try HTTPServerAddress("http://[::1]/write").isCalled("[::1]:80"))
  }

  func testWhatCannotBeRight() {
    for (text, part) in [
      ("http://h", "does not say where"), ("http:///write", "no host"), ("http://h:0/write", "no right port"),
      ("http://h:x/write", "no right port"), ("http://h/write?db=x&precision=ms", "nanoseconds"),
      ("http://h/write#part", "#"), ("http://h/write?db=ä", "ASCII"),
    ] {
      XCTAssertThrowsError(try HTTPServerAddress(text)) { XCTAssertTrue("\($0)".contains(part), "\(text): \($0)") }
    }
  }
}
