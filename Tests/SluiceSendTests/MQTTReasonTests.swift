#if SLUICE_MQTT
  import SluiceReadings
  import XCTest

  @testable import SluiceSend

  final class MQTTReasonTests: XCTestCase {
    private var address: MQTTAddress { get throws { try MQTTAddress("mqtts://broker.example/plant") } }

    func testWhatAnAnswerMeans() throws {
      let address = try address
      func meaning(_ code: Int) -> SendAnswer { MQTTReason(code).meaning(for: "plant/a", of: address) }
      XCTAssertEqual(meaning(0), .acknowledged())
      XCTAssertEqual(meaning(0x10), .acknowledged())
      XCTAssertTrue(MQTTReason(0x10).isUnheard)
      // A broker answers 0x97 where it is only busy: mosquitto does so when its own count of the window is wrong.
      for (code, part) in [
        (0x80, "does not take the message (0x80)"), (0x83, "cannot process"), (0x87, "publish to plant/a (0x87)"),
        (0x90, "does not take the topic plant/a"), (0x97, "quota is used up"), (0xa0, "(0xa0)"),
      ] {
        guard case .wait(let error, nil) = meaning(code) else { return XCTFail("\(code): \(meaning(code))") }
        XCTAssertTrue("\(error)".contains(part), "\(error)")
      }
      guard case .tooLarge = meaning(0x95), case .refused = meaning(0x99) else { return XCTFail("not refused") }
    }

    func testWhatTheBrokerSaysIsShown() throws {
      let error = MQTTReason(0x87, "not\u{1b}[1m yours").connectionError(for: try address)
      XCTAssertTrue("\(error)".contains(": not[1m yours"), "\(error)")
    }

    func testAConnectionThatIsRefused() throws {
      let address = try address
      func said(_ code: Int) -> String { "\(MQTTReason(code).connectionError(for: address))" }
      for code in [0x84, 1] { XCTAssertTrue(said(code).contains("mqtt=3.1.1"), said(code)) }
      for code in [0x86, 4] { XCTAssertTrue(said(code).contains("the password is wrong"), said(code)) }
      for code in [0x87, 5] { XCTAssertTrue(said(code).contains("does not let this board in"), said(code)) }
      XCTAssertTrue(said(0x8e).contains("copy of the spool"), said(0x8e))
      XCTAssertTrue(said(0x9b).contains("does not acknowledge"), said(0x9b))
      // Each of the codes has a sentence.
      for code in 0...255 { XCTAssertTrue(said(code).contains("mqtts://broker.example/plant"), said(code)) }
    }

    func testThreeCertificates() throws {
      let address = try address
      func said(_ logged: String, _ verification: Int) -> String {
        "\(MQTTFailure(code: MQTTFailure.tlsError, logged: logged, verification: verification).error(address))"
      }
      XCTAssertTrue(said("", 20).contains("no authority that this board knows"), said("", 20))
      XCTAssertTrue(said("", 10).contains("has expired"), said("", 10))
      let name = said("Error: host name verification failed.", 1)
      XCTAssertTrue(name.contains("is for another name than broker.example"), name)
      XCTAssertTrue(said("unsupported protocol", 0).contains("TLS 1.2 or newer"), said("unsupported protocol", 0))
      let own = said("Error: Unable to load client certificate", 0)
      XCTAssertTrue(own.contains("the certificate of this board"), own)
    }
  }
#endif
