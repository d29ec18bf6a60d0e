import SluiceReadings
import SluiceRecording
import XCTest

@testable import SluicePipeline

final class SendingPlanTests: XCTestCase {
  private func plan(_ output: String, _ sending: SendingPlan?) -> RecordingPlan {
    var plan = RecordingPlan(input: .trace(ReplayPlan("a.csv")), outputs: [OutputPlan(output)])
    plan.sending = sending
    return plan
  }

  private var full: SendingPlan {
    var sending = SendingPlan(spool: "/var/spool")
    (sending.spoolSize, sending.whenFull) = (ByteSize(bytes: 2 << 20), .dropOldest)
    (sending.board, sending.tokenFile, sending.loginFile) = ("", "t", "l")
    (sending.authorities, sending.certificate, sending.key) = ("a", "c", "k")
    (sending.timeout, sending.secretsFor) = (TimeSpan("5s"), "h")
    return sending
  }

  func testTheJSONIsReadBack() throws {
    let plan = plan("https://h/write?db=x", full)
    func again(_ plan: RecordingPlan) throws -> RecordingPlan {
      try RecordingPlan(json: Array(plan.text.utf8), name: "copy")
    }
    XCTAssertEqual(try again(plan), plan)
    XCTAssertEqual(plan.version, 2)
    XCTAssertNil(try again(self.plan("http://h/write", nil)).sending)
  }

  func testTheSettings() {
    let settings = full.serverSettings
    XCTAssertEqual(settings.spoolSize, 2 << 20)
    XCTAssertEqual(settings.whenFull, .dropOldest)
    XCTAssertEqual([settings.board, settings.tokenFile, settings.loginFile], ["", "t", "l"])
    XCTAssertEqual([settings.authorities, settings.certificate, settings.key], ["a", "c", "k"])
    XCTAssertEqual(settings.timeout, 5_000_000_000)
    XCTAssertEqual(settings.secretsFor, "h")
    XCTAssertEqual(SendingPlan().serverSettings, ServerSettings())
  }

  func testEachServerSettingIsSet() throws {
    for setting in SendingPlan.serverKeys {
      var sending = SendingPlan()
      try sending.set(setting.key, to: setting.key == "mqtt" ? "3.1.1" : "5s")
      XCTAssertNotEqual(sending, SendingPlan(), setting.key)
    }
    var sending = SendingPlan()
    XCTAssertThrowsError(try sending.set("token", to: "x")) { XCTAssertTrue("\($0)".contains("token-file"), "\($0)") }
    XCTAssertThrowsError(try sending.set("send-timeout", to: "5")) {
      XCTAssertTrue("\($0)".contains("such as"), "\($0)")
    }
  }

  func testRules() {
    func fault(_ output: String, _ change: (inout SendingPlan) -> Void) -> String? {
      var sending = SendingPlan()
      change(&sending)
      do { try plan(output, sending).checkRules() } catch { return error.argument }
      return nil
    }
    let (plain, encrypted) = ("http://h/write?db=x", "https://h/write?db=x")
    XCTAssertNil(fault(plain) { $0.spool = "s" })
    XCTAssertNil(fault(encrypted) { ($0.certificate, $0.key, $0.authorities) = ("c", "k", "a") })
    XCTAssertNil(fault("mqtts://h/t") { ($0.authorities, $0.mqttVersion) = ("a", .v5) })
    let faults: [(String?, String)] = [
      (fault("a.csv") { $0.spool = "s" }, "for an output that is a server"),
      (fault(plain) { $0.whenFull = .block }, "--wait-on-disk DIR"),
      (fault(plain) { ($0.spool, $0.spoolSize) = ("s", ByteSize(bytes: 1 << 19)) }, "1M or more"),
      (fault(plain) { $0.secretsFor = "other" }, "names the HOST"),
      (fault(plain) { $0.secretsFor = "h:8086" }, "names the HOST"),
      (fault(encrypted) { $0.key = "k" }, "--server key= needs --server cert= too"),
      (fault(plain) { $0.authorities = "a" }, "https://"),
      (fault(plain) { $0.mqttVersion = .v311 }, "mqtt://HOST/TOPIC"),
      (fault("mqtt://h/t") { $0.tokenFile = "t" }, "login-file="),
    ]
    XCTAssertThrowsError(try self.plan(plain, SendingPlan(spool: "")).validate()) {
      XCTAssertTrue("\($0)".contains("sending.spool is empty: give a folder"), "\($0)")
    }
    for (fault, part) in faults { XCTAssertTrue(fault?.contains(part) ?? false, "\(fault ?? "nil"): \(part)") }
  }

  /// Two addresses of one server share its secrets.
  func testWhetherThereAreSeveralServers() {
    for (outputs, isOnly) in [
      (["http://h/write?db=x"], true), (["http://h/write?db=x", "http://H/write?db=y"], true),
      (["http://h:8086/write?db=x", "http://h/write?db=x"], false),
      (["http://h/write", "http://i/write", "a.csv"], false),
    ] {
      var plan = plan("a.csv", nil)
      plan.outputs = outputs.map { OutputPlan($0) }
      XCTAssertEqual(plan.servers(isLive: true).settings.isOnlyServer, isOnly, "\(outputs)")
    }
    XCTAssertNil(fault(of: "http://[::1]:8086/write?db=x", secretsFor: "[::1]"))
    XCTAssertNil(fault(of: "http://DB:8086/write?db=x", secretsFor: "db:8086"))
    XCTAssertNil(fault(of: "https://db/write?db=x", secretsFor: "db:443"))
    XCTAssertNil(fault(of: "https://db/write?db=x", secretsFor: "https://db"))
    XCTAssertNotNil(fault(of: "http://db/write?db=x", secretsFor: "https://db"))
  }

  private func fault(of output: String, secretsFor name: String) -> String? {
    var sending = SendingPlan()
    sending.secretsFor = name
    do { try plan(output, sending).checkRules() } catch { return error.argument }
    return nil
  }

  #if SLUICE_CURL
    func testAnAddressIsCheckedWithThePlan() {
      XCTAssertNoThrow(try plan("http://h/write?db=x", nil).checked())
      XCTAssertThrowsError(try plan("http://h", nil).checked())
      XCTAssertEqual("\(RecordingFormats.type(of: "http://h/a.csv", nil).name)", "influx")
    }
  #endif

  #if SLUICE_MQTT
    func testABroker() {
      XCTAssertNoThrow(try plan("mqtt://h/t", nil).checked())
      XCTAssertThrowsError(try plan("mqtt://h", nil).checked())
      XCTAssertEqual("\(RecordingFormats.type(of: "mqtts://h/a.db", nil).name)", "csv")
    }
  #endif
}
