import SluiceReadings
import XCTest

@testable import SluiceHTTP

final class HTTPAdmissionTests: XCTestCase {
  private let secret = "0123456789abcdefgh"

  private func admission(
    _ address: String = "8080", token: Bool = false, origins: [String] = [], control: Bool = false
  ) throws -> HTTPAdmission {
    HTTPAdmission(
      address: try XCTUnwrap(HTTPAddress(address)), token: token ? HTTPToken(Array(secret.utf8)) : nil,
      origins: origins, isControlled: control)
  }

  func testAddresses() {
    XCTAssertEqual(HTTPAddress("8080"), .internet("127.0.0.1", port: 8_080))
    XCTAssertEqual(HTTPAddress("0"), .internet("127.0.0.1", port: 0))
    XCTAssertEqual(HTTPAddress("localhost:80"), .internet("127.0.0.1", port: 80))
    XCTAssertEqual(HTTPAddress("[::1]:80"), .internet("::1", port: 80))
    XCTAssertEqual(HTTPAddress("[::]:80")?.description, "[::]:80")
    XCTAssertEqual(HTTPAddress("unix:/run/s"), .unix("/run/s"))
    for text in ["", "65536", "-1", "80 ", "::1:80", "board:80", "unix:", "1.2.3:80", ":80", "[]:80", "8o"] {
      XCTAssertNil(HTTPAddress(text), text)
    }
    XCTAssertEqual(HTTPAddress("127.0.0.2:1")?.isOfThisMachine, true)
    XCTAssertEqual(HTTPAddress("0.0.0.0:1")?.isOfThisMachine, false)
  }

  func testAnotherNameOfThisMachineIsRefused() throws {
    let admission = try admission()
    for host in ["localhost:8080", "127.0.0.1:8080", "[::1]:8080", "192.168.1.2:8080", "LOCALHOST:8080"] {
      XCTAssertNil(admission.foreign(HTTPRequest(host: host)), host)
    }
    for host in [
      "evil.example", "evil.example:8080", "localhost.evil.example:8080", "127.0.0.1.evil.example:8080", "",
      "[evil]:8080",
      // Another port, or none.
      "localhost", "localhost:", "localhost:8081", "localhost:80800", "localhost:8080x", "localhost:8080:8080", "[::1]",
      "[::1]8080", "[::1", "127.0.0.1", "localhost:+8080", "localhost:8080@evil.example",
    ] {
      XCTAssertNotNil(admission.foreign(HTTPRequest(host: host)), host)
    }
    XCTAssertNil(try self.admission("80").foreign(HTTPRequest(host: "localhost")))
    // What ssh leads here from another port.
    let other = try self.admission(origins: ["http://localhost:9090"])
    XCTAssertNil(other.foreign(HTTPRequest(host: "localhost:9090", origin: "http://localhost:9090")))
    XCTAssertEqual(admission.foreign(HTTPRequest())?.status, 400)
  }

  func testAPageOfAnotherSiteIsRefused() throws {
    let admission = try admission(origins: ["https://app.example"])
    func refusal(_ origin: String) -> Int? {
      admission.foreign(HTTPRequest(host: "127.0.0.1:8080", origin: origin))?.status
    }
    XCTAssertNil(refusal("http://127.0.0.1:8080"))
    XCTAssertNil(refusal("https://127.0.0.1:8080"))
    XCTAssertNil(refusal("https://app.example"))
    for origin in [
      "http://127.0.0.1:8081", "http://localhost:8080", "https://app.example.evil", "null", "http://app.example",
    ] {
      XCTAssertEqual(refusal(origin), 403, origin)
    }
    // The proxy that is admitted gives its own name as the host.
    XCTAssertNil(admission.foreign(HTTPRequest(host: "app.example", origin: "https://app.example")))
  }

  func testTheSecret() throws {
    let admission = try admission(token: true)
    let cookie = try XCTUnwrap(admission.token).cookie
    func isKnown(_ change: (inout HTTPRequest) -> Void) -> Bool {
      var request = HTTPRequest()
      change(&request)
      return admission.unknown(request) == nil
    }
    XCTAssertTrue(isKnown { $0.authorization = "Bearer \(secret)" })
    XCTAssertTrue(isKnown { $0.authorization = "bearer \(secret)" })
    XCTAssertTrue(isKnown { $0.cookie = "a=b; sluice-8080=\(cookie)" })
    XCTAssertFalse(isKnown { _ in })
    for text in [
      "Bearer ", "Bearer", "Basic \(secret)", "Bearer \(secret)x", "Bearer \(secret.dropLast())", secret, "",
    ] {
      XCTAssertFalse(isKnown { $0.authorization = text }, text)
    }
    for text in [
      "sluice-8080=", "sluice-8080=\(secret)", "xsluice-8080=\(cookie)", "sluice-8081=\(cookie)",
      "sluice-8080=\(cookie)0", "\(cookie)",
    ] {
      XCTAssertFalse(isKnown { $0.cookie = text }, text)
    }
    XCTAssertFalse(HTTPToken.areEqual([], []))
  }

  func testControlWantsTheTokenOnThisMachineToo() throws {
    var request = HTTPRequest(authorization: "Bearer \(secret)")
    XCTAssertNil(try admission(token: true, control: true).powerless(request))
    XCTAssertEqual(try admission(token: true).powerless(request)?.status, 403)
    request.authorization = nil
    XCTAssertEqual(try admission(token: true, control: true).powerless(request)?.status, 401)
    XCTAssertEqual(try admission(control: true).powerless(request)?.status, 401)
  }

  func testSettingsThatWantAToken() throws {
    let address = try XCTUnwrap(HTTPAddress("0.0.0.0:1"))
    XCTAssertThrowsError(try RecordingServer.Settings(address: address)) {
      XCTAssertEqual(
        "\($0)",
        "cannot listen at 0.0.0.0:1: without a token, everybody who reaches this address could see the recording; give a token with --http-token, or leave the address out"
      )
    }
    let here = try XCTUnwrap(HTTPAddress("1"))
    XCTAssertThrowsError(try RecordingServer.Settings(address: here, isControlled: true))
    for origin in ["app.example", "https://app.example/", "https://", "ftp://a", "*", "https://a b"] {
      XCTAssertThrowsError(try RecordingServer.Settings(address: here, origins: [origin]), origin)
    }
    XCTAssertNoThrow(try RecordingServer.Settings(address: here, origins: ["https://app.example:8443"]))
  }
}
