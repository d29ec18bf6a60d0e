import Foundation
import SluiceReadings
import SluiceSystem
import TestFiles
import XCTest

@testable import SluiceRecording
@testable import SluiceSend

/// The address of a spool may have been written by somebody else.
final class ResendTests: SpoolTestCase {
  private lazy var temporary = temporaryFolder()

  /// A spool of a recording to an address.
  private func spool(_ address: String) throws -> String {
    let folder = try SpoolFolder(
      of: address, in: temporary.path, settings(), [Self.stream], raw: false, decimals: nil, Self.identity,
      Disk(files: SystemFiles(), sync: .never))
    let spool = DiskSpool(folder.log, limit: 1 << 30)
    try spool.append(readings(0..<10, from: 0), .init())
    spool.close()
    return folder.path
  }

  private func resend(_ folder: String, _ secretsFor: String? = nil, login: String? = "me:hush") throws -> Resend {
    var settings = ServerSettings()
    settings.secretsFor = secretsFor
    if let login {
      settings.loginFile = temporary.file("login", login)
      chmod("\(temporary.path)/login", 0o600)
    }
    return try Resend(folder, from: 0, to: nil, settings, compressor: nil)
  }

  /// The run had https, and so the login was never to be read on the way.
  func testNoSecretGoesOutWithoutEncryption() throws {
    let folder = try spool("https://db.example/write?db=x")
    let file = "\(folder)/\(SpoolFolder.descriptionName)"
    let text = try String(contentsOfFile: file, encoding: .utf8)
    XCTAssertTrue(text.contains("https://"), text)
    var addresses = ["http://db.example/write?db=x", "http://127.0.0.1.example/write", "HTTP://db.example:443/write"]
    #if SLUICE_MQTT
      addresses.append("mqtt://db.example/plant")
    #endif
    for address in addresses {
      try text.replacing("https://db.example/write?db=x", with: address).replacing(
        "https:\\/\\/db.example\\/write?db=x", with: address
      ).write(toFile: file, atomically: true, encoding: .utf8)
      for name in [nil, "db.example", "127.0.0.1.example"] {
        XCTAssertThrowsError(try resend(folder, name).run { _ in }, address) {
          XCTAssertTrue("\($0)".contains("without encryption"), "\($0)")
          XCTAssertTrue("\($0)".contains("secrets-for=\(address.prefix(4).lowercased())://HOST"), "\($0)")
        }
      }
      XCTAssertThrowsError(try resend(folder, "https://db.example").run { _ in }) {
        XCTAssertTrue("\($0)".contains("names another server"), "\($0)")
      }
    }
  }

  func testWhatIsAllowed() throws {
    let folder = try spool("http://db.example/write?db=x")
    func check(_ host: String, isEncrypted: Bool = false, _ name: String? = nil, login: String? = "me:hush") throws {
      try resend(folder, name, login: login).checkSecrets(for: host, isEncrypted: isEncrypted, hasToken: true)
    }
    XCTAssertThrowsError(try check("db.example"))
    XCTAssertNoThrow(try check("db.example", isEncrypted: true))
    XCTAssertNoThrow(try check("db.example", login: nil), "there is no secret")
    XCTAssertNoThrow(try check("db.example", "http://db.example"))
    for host in ["localhost", "127.0.0.1", "127.1.2.3", "::1"] { XCTAssertNoThrow(try check(host), host) }
    for host in ["127.0.0.1.example", "127.0.0", "127.0.0.1.", "10.0.0.1", "::2", "0127.0.0.1", "127.0.0.01"] {
      XCTAssertThrowsError(try check(host), host)
    }
  }

  /// libcurl would not send to the server for which the secrets are. All these numbers are addresses of this machine.
  func testAnAddressThatIsNotThatOfAServer() throws {
    let folder = try spool("http://db.example/write?db=x")
    let file = "\(folder)/\(SpoolFolder.descriptionName)"
    let text = try String(contentsOfFile: file, encoding: .utf8)
    var addresses = [
      ("0x7f.2/127.0.0.1:1/write?db=x", "does not begin with http://"),
      ("http://0177.0.0.2:1/write?db=x", "four decimal numbers"), ("http://127.2:1/write?db=x", "four decimal numbers"),
    ]
    #if SLUICE_MQTT
      addresses.append(("mqtt://0x7f.2:1/plant", "four decimal numbers"))
    #endif
    for (address, said) in addresses {
      try text.replacing("http://db.example/write?db=x", with: address).replacing(
        "http:\\/\\/db.example\\/write?db=x", with: address
      ).write(toFile: file, atomically: true, encoding: .utf8)
      for name in [nil, "127.0.0.1:1", "http://127.0.0.1:1"] {
        XCTAssertThrowsError(try resend(folder, name).run { _ in }, address) {
          XCTAssertTrue("\($0)".contains(said), "\($0)")
        }
      }
    }
  }
}
