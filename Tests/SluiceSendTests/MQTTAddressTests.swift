#if SLUICE_MQTT
  import SluiceReadings
  import XCTest

  @testable import SluiceSend

  final class MQTTAddressTests: XCTestCase {
    private func fault(_ text: String, filters: Bool = false) -> SluiceError? {
      do {
        _ = try MQTTAddress(text, filters: filters)
        return nil
      } catch { return error as SluiceError }
    }

    func testPartsOfAnAddress() throws {
      let plain = try MQTTAddress("mqtt://broker.example/plant/hall7/")
      XCTAssertEqual([plain.host, plain.topic, "\(plain.port)"], ["broker.example", "plant/hall7", "1883"])
      XCTAssertFalse(plain.isEncrypted)
      let encrypted = try MQTTAddress("MQTTS://[fe80::1]:8884/a")
      XCTAssertEqual([encrypted.host, encrypted.topic, "\(encrypted.port)"], ["fe80::1", "a", "8884"])
      XCTAssertTrue(encrypted.isEncrypted)
      XCTAssertEqual(try MQTTAddress("mqtts://h/a").port, 8_883)
      XCTAssertTrue(MQTTAddress.isAddress("mqtt://h/t"))
      for other in ["http://h/t", "mqtt:h", "mqttx://h/t", "a/mqtt://"] { XCTAssertFalse(MQTTAddress.isAddress(other)) }
    }

    func testWhatCannotBeRight() {
      let faults = [
        ("mqtt://h", "does not say the topic"), ("mqtt://h/", "does not say the topic"), ("mqtt:///t", "no host"),
        ("mqtt://h:99999/t", "no right port"), ("mqtt://h/a//b", "empty level"), ("mqtt://h//a", "empty level"),
        ("mqtt://h/a/#", "+ or #"), ("mqtt://h/+/a", "+ or #"), ("mqtt://h/$SYS", "those of the broker"),
        ("mqtt://h/a b", "not ASCII"), ("mqtt://h/ä", "not ASCII"), ("mqtt://h/a?x=1", "--server"),
        ("mqtt://0127.0.0.1/t", "four decimal numbers"), ("mqtts://0x57.1:8883/t", "four decimal numbers"),
        ("mqtt://127.1/t", "four decimal numbers"), ("0x57.1/127.0.0.1/t", "does not begin with mqtt://"),
        ("mqtt://h/" + String(repeating: "a", count: 20_000), "bytes"),
      ]
      for (text, part) in faults {
        let said = fault(text).map { "\($0)" } ?? "no fault"
        XCTAssertTrue(said.contains(part), "\(text.prefix(40)): \(said.prefix(300))")
      }
    }

    func testAPasswordIsNotShown() {
      let said = fault("mqtt://me:secret@h:1883/t").map { "\($0)" } ?? ""
      XCTAssertTrue(said.contains("login-file=FILE") && said.contains("mqtt://…@h:1883"), said)
      XCTAssertFalse(said.contains("secret"), said)
    }

    func testWildcards() {
      for text in ["mqtt://h/#", "mqtt://h/plant/#", "mqtt://h/+/b/#"] {
        XCTAssertNil(fault(text, filters: true), text)
      }
      for text in ["mqtt://h/a#", "mqtt://h/#/a", "mqtt://h/a+"] { XCTAssertNotNil(fault(text, filters: true), text) }
    }

    func testTopics() {
      let topics = MQTTTopics("plant", board: "hall 7/a")
      XCTAssertEqual(topics.root, "plant/hall%207%2Fa")
      XCTAssertEqual(topics.readings("bmi160"), "plant/hall%207%2Fa/readings/bmi160")
      XCTAssertEqual([topics.metadata, topics.state], ["plant/hall%207%2Fa/meta", "plant/hall%207%2Fa/state"])
      XCTAssertEqual(MQTTTopics("plant", board: "").readings("a+#"), "plant/readings/a%2B%23")
      XCTAssertEqual(MQTTTopics.level("ä%"), "%C3%A4%25")
      XCTAssertNotEqual(MQTTTopics.level(""), MQTTTopics.level("%"))
      XCTAssertLessThan(MQTTTopics.level(String(repeating: "é", count: 5_000)).utf8.count, 1_010)
    }
  }
#endif
