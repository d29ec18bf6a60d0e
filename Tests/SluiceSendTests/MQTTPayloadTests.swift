#if SLUICE_MQTT
  import SluiceLog
  import SluiceReadings
  import SluiceRecording
  import XCTest

  @testable import SluiceSend

  final class MQTTPayloadTests: XCTestCase {
    private let streams = [
      StreamDescription(name: "hall 7", channels: [.init(name: "x", unit: "m/s^2"), .init(name: "y")]),
      StreamDescription(name: "b", channels: [.init(name: "level")]),
    ]
    private let numbers = BoardNumbers(board: "b1", epoch: "ab12")

    private func reading(_ time: Int64, _ stream: UInt16, _ values: [Int64]) -> Reading {
      var made = Values()
      for value in values { made.append(ExactDecimal(significand: value)) }
      return Reading(time: time, stream: StreamID(stream), values: made)
    }

    private func payload(_ stream: Int, raw: Bool = false) -> MQTTPayload {
      MQTTPayload(stream, of: EncoderStreams(streams, raw: raw), MQTTTopics("plant", board: "b1"), numbers)
    }

    func testRowsAreThoseOfTheCSVOutput() {
      let payload = payload(1)
      let rows = EncodedRows()
      // A buffer that was used before.
      for _ in 0..<2 { payload.encode([reading(5, 1, [1]), reading(6, 1, [0])][...], into: rows) }
      XCTAssertEqual(rows.text.withBytes { String(decoding: $0, as: UTF8.self) }, "time_ns,b\n5,1\n6,0\n")
    }

    func testProperties() {
      let properties = payload(0).properties(7..<9, run: 0xab, clockError: 1_500)
      XCTAssertEqual(
        properties.map { "\($0.0)=\($0.1)" },
        [
          "board=b1", "stream=hall 7", "epoch=ab12", "unit=m/s^2,", "run=ab", "sequence=7", "rows=2",
          "clock_error_ns=1500",
        ])
      XCTAssertEqual(
        payload(1).properties(0..<1, run: 0, clockError: nil).map(\.0),
        ["board", "stream", "epoch", "sequence", "rows"])
      XCTAssertFalse(payload(0, raw: true).properties(0..<1, run: 0, clockError: nil).contains { $0.0 == "unit" })
    }

    func testReadingsOfAStreamStandTogether() {
      let mixed = (0..<9 as Range<Int64>).map { reading($0, $0 % 3 == 1 ? 0 : 1, [$0, 0]) }
      let sorted = ServerStore.byStream(mixed)
      XCTAssertEqual(sorted.map(\.stream.index), [1, 1, 1, 1, 1, 1, 0, 0, 0])
      XCTAssertEqual(sorted.map(\.time), [0, 2, 3, 5, 6, 8, 1, 4, 7], "the order of a stream is kept")
      XCTAssertEqual(MQTTTransport.runs(SendBatch(first: 100, readings: sorted)), [100..<106, 106..<109])
      XCTAssertEqual(MQTTTransport.runs(SendBatch(first: 3, readings: mixed)).count, 7)
      XCTAssertEqual(MQTTTransport.runs(SendBatch(first: 3, readings: [])), [])
      XCTAssertEqual(ServerStore.byStream([]), [])
    }
  }
#endif
