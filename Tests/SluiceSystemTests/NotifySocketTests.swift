import XCTest

@testable import SluiceSystem

final class NotifySocketTests: XCTestCase {
  func testWhatIsNoAddress() {
    for value in ["", "@", "/", "relative/path", "vsock:2:1234", "/" + String(repeating: "x", count: 107)] {
      XCTAssertNil(NotifySocket(value), value)
    }
    XCTAssertNotNil(NotifySocket("/" + String(repeating: "x", count: 106)))
  }

  /// Receives at an address what `sent` sends there.
  private func receive(at address: [UInt8], _ sent: () throws -> Void) throws -> String {
    let socket = SluiceSystem.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(socket) }
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: address) }
    let length = socklen_t(2 + address.count + (address[0] == 0 ? 0 : 1))
    let bound = withUnsafePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, length) }
    }
    XCTAssertEqual(bound, 0)
    try sent()
    var bytes = [UInt8](repeating: 0, count: 100)
    let count = recv(socket, &bytes, 100, Int32(MSG_DONTWAIT))
    return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
  }

  func testAPath() throws {
    let path = NSTemporaryDirectory() + "notify-\(getpid())"
    defer { unlink(path) }
    XCTAssertEqual(
      try receive(at: Array(path.utf8)) { try XCTUnwrap(NotifySocket(path)).send("READY=1\nSTATUS=a") },
      "READY=1\nSTATUS=a")
  }

  func testAnAbstractSocket() throws {
    let name = "sluice-notify-\(getpid())"
    XCTAssertEqual(
      try receive(at: [0] + Array(name.utf8)) { try XCTUnwrap(NotifySocket("@" + name)).send("WATCHDOG=1") },
      "WATCHDOG=1")
  }

  func testNobodyListens() throws {
    XCTAssertThrowsError(try XCTUnwrap(NotifySocket("/nonexistent/notify")).send("READY=1")) {
      XCTAssertEqual($0 as? SystemErrno, SystemErrno(ENOENT))
    }
  }
}
