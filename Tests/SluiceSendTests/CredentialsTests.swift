import SluiceReadings
import SluiceRecording
import XCTest

@testable import SluiceSend

final class CredentialsTests: XCTestCase {
  private let address = "http://db.example:8086/write?db=x"

  private func file(_ text: String, mode: mode_t = 0o600) throws -> String {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
    try Data(text.utf8).write(to: file)
    chmod(file.path, mode)
    addTeardownBlock { try? FileManager.default.removeItem(at: file) }
    return file.path
  }

  private func credentials(_ change: (inout ServerSettings) -> Void) throws -> Credentials {
    var settings = ServerSettings()
    change(&settings)
    return try Credentials(settings, for: HTTPServerAddress(address))
  }

  func testASecretHasOneLine() throws {
    XCTAssertEqual(try Credentials.checked("hush\n", "use", "it"), "hush")
    for text in ["hush\nX-Other: 1", "hush\r\nX-Other: 1", "hu\u{0}sh", "\n", "hush\u{7f}"] {
      XCTAssertThrowsError(try Credentials.checked(text, "use", "it")) {
        XCTAssertFalse("\($0)".contains("hu"), "\($0)")
      }
    }
  }

  func testAFileThatOthersReadIsRefused() throws {
    for (mode, words) in [(0o604, "every user"), (0o602, "every user"), (0o620, "may change the secret")]
      as [(mode_t, String)]
    {
      let login = try file("me:hush\n", mode: mode)
      XCTAssertThrowsError(try credentials { $0.loginFile = login }) {
        XCTAssertTrue("\($0)".contains(words) && "\($0)".contains("chmod "), "\($0)")
      }
    }
    let shared = try file("me:hush\n", mode: 0o640)
    XCTAssertEqual(try credentials { $0.loginFile = shared }.login, "me:hush")
  }

  /// The libraries would wait for a FIFO for ever.
  func testFilesOfTLS() throws {
    func cause(_ change: (inout ServerSettings) -> Void) -> String? {
      var settings = ServerSettings()
      change(&settings)
      do throws(SluiceError) { try TLSFiles.check(settings) } catch { return error.cause }
      return nil
    }
    let fifo = try file("") + ".fifo"
    XCTAssertEqual(mkfifo(fifo, 0o600), 0)
    addTeardownBlock { unlink(fifo) }
    for path in [fifo, "/dev/zero", "/"] {
      for option in [\ServerSettings.authorities, \.certificate, \.key] {
        XCTAssertEqual(cause { $0[keyPath: option] = path }, "it is no regular file", path)
      }
    }
    let (own, open) = (try file("key"), try file("key", mode: 0o644))
    XCTAssertNil(cause { ($0.certificate, $0.key) = (open, own) })
    XCTAssertNil(cause { ($0.authorities, $0.certificate) = (open, own) })
    for option in [\ServerSettings.certificate, \.key] {
      let said = cause { $0[keyPath: option] = open }
      XCTAssertTrue(said?.contains("every user of this machine") ?? false, said ?? "-")
    }
  }

  /// With several servers, only the one that is named gets the token.
  func testASecretIsForOneServer() throws {
    let token = try file("hush\n")
    XCTAssertEqual(try credentials { $0.tokenFile = token }.token, "Bearer hush")
    XCTAssertThrowsError(
      try credentials {
        $0.tokenFile = token
        $0.isOnlyServer = false
      }
    ) { XCTAssertTrue("\($0)".contains("secrets-for=HOST"), "\($0)") }
    for (name, expected) in [("db.example", "Bearer hush"), ("db.example:8086", "Bearer hush"), ("other", nil)] {
      let found = try credentials {
        $0.tokenFile = token
        ($0.isOnlyServer, $0.secretsFor) = (false, name)
      }
      XCTAssertEqual(found.token, expected, name)
    }
    XCTAssertEqual(try credentials { ($0.tokenFile, $0.secretsFor) = (token, "db.example") }.token, "Bearer hush")
    XCTAssertNil(try credentials { $0.secretsFor = "other" }.token)
    XCTAssertThrowsError(try credentials { ($0.tokenFile, $0.secretsFor) = (token, "other") }) {
      XCTAssertTrue("\($0)".contains("secrets-for=other names another server"), "\($0)")
    }
  }
}
