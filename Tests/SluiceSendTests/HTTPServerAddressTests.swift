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
      "http://h/write?auth_key=hush", "http://h/write?bearer=hush", "http://h/write?passphrase=hush",
      "http://h/write?session=hush", "http://h/write?PHPSESSID=hush", "http://h/write;jsessionid=hush?db=x",
      "http://h/write?code=hush", "http://h/write?client_secret=hush", "http://h/write?signature=hush",
      "http://h/write?sig=hush", "http://h/write?db=x&X-Amz-Signature=hush", "http://h/write?hmac=hush",
      "http://h/write?subscription-key=hush", "http://h/write?login=me:hush", "http://h/write?db=x?token=hush",
    ] {
      XCTAssertThrowsError(try HTTPServerAddress(text)) { error in
        XCTAssertFalse("\(error)".contains("hush"), "\(error)")
        XCTAssertTrue("\(error)".contains("token-file="), "\(error)")
      }
    }
  }

  /// The parameters of line protocol, and what only begins like a secret.
  func testOtherParametersAreTaken() {
    for query in [
      "db=plant&rp=week&consistency=one", "org=o&bucket=b&precision=ns", "db=x&accept_partial=true&no_sync=true",
      "extra_label=site=cellar&keyspace=a&postcode=1&encoder=b&design=c",
    ] {
      XCTAssertNoThrow(try HTTPServerAddress("http://h/write?" + query), query)
    }
    XCTAssertNoThrow(try HTTPServerAddress("http://h/token/write?db=x"))
  }

  /// Wherever a password ends, it is not shown.
  func testNothingOfAWrongAddressIsASecret() {
    for text in [
      "http://me:hu/sh@h/write?db=x", "http://me:hu?sh@h/write", "http://me:hu#sh@h/write", "http://me:/hush@h/write",
      "http://h:x/write?p=hush", "http://h:x/write?db=x&token=hush&u=me", "https://me:hush/@h/ä",
      "http://h:0/write?password=hu@sh", "http://h/write?db=x#token=hush", "http://h/write#hush",
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
    for name in ["http://db.example", "HTTP://db.example:8086"] { XCTAssertTrue(address.isCalled(name), name) }
    for name in ["https://db.example", "http://", "http://db.example:80"] {
      XCTAssertFalse(address.isCalled(name), name)
    }
  }

  /// For some programs 0127.0.0.1 is 127.0.0.1, and for libcurl it is 87.0.0.1.
  func testNumbersThatProgramsReadDifferently() throws {
    for host in [
      "0127.0.0.1", "127.0.0.01", "0x57.1", "0X7F.0.0.1", "127.1", "2130706433", "017700000001", "127.0.0.1.",
      "256.0.0.1", "1.2.3.4.5", "08.0.0.1", "0x.0.0.1", "[0127.0.0.1]",
    ] {
      XCTAssertThrowsError(try HTTPServerAddress("http://\(host):8086/write?db=x"), host) {
        XCTAssertTrue("\($0)".contains("four decimal numbers"), "\($0)")
      }
    }
    for host in ["127.0.0.1", "10.0.0.255", "0.0.0.0", "[::1]", "127.0.0.1.example", "0x57.example", "cafe", "x1"] {
      XCTAssertNoThrow(try HTTPServerAddress("http://\(host):8086/write?db=x"), host)
    }
    for host in ["127.0.0.1", "127.255.0.10", "localhost", "::1"] {
      XCTAssertTrue(HTTPServerAddress.isHere(host), host)
    }
    for host in ["0127.0.0.1", "127.0.0.01", "127.0.00.1", "+127.0.0.1", "127.0.0.+1", "127.1", "127.0.0.256"] {
      XCTAssertFalse(HTTPServerAddress.isHere(host), host)
    }
  }

  /// Its first seven characters would be left out unseen, and what is behind them would be another server.
  func testAnAddressWithoutItsBeginning() {
    for text in [
      "0x7f.2/127.0.0.1:8086/write?db=x", "db.example/write?db=x", "ftp://h/write?db=x", "http:/h/write", "",
    ] {
      XCTAssertThrowsError(try HTTPServerAddress(text), text) {
        XCTAssertTrue("\($0)".contains("does not begin with http:// or https://"), "\($0)")
      }
    }
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
