import SluiceReadings
import TestFiles
import XCTest

@testable import SluiceRecording

final class VCDFormatTests: XCTestCase {
  private typealias Channel = StreamDescription.Channel

  private let meter = StreamDescription(name: "METER", channels: [Channel(name: "level", format: Channel.level)])
  private let imu = StreamDescription(
    name: "imu", channels: [Channel(name: "x", scale: ExactDecimal(significand: 10, exponent: -2)), Channel(name: "y")])

  private func encoder(_ streams: [StreamDescription], raw: Bool = false) -> VCDEncoder {
    VCDEncoder(EncoderStreams(streams, raw: raw))
  }

  private func header(_ streams: [StreamDescription]) -> String {
    String(decoding: encoder(streams).header, as: UTF8.self)
  }

  /// The text, and how many readings of each stream are not in it.
  private func encode(_ encoder: VCDEncoder, _ readings: [Reading]) -> (text: String, leftOut: [Int: Int]) {
    let rows = EncodedRows()
    readings.withUnsafeBufferPointer { XCTAssertEqual(encoder.encode($0, into: rows, until: .max), readings.count) }
    encoder.endRow(into: rows)
    return (rows.text.withBytes { String(decoding: $0, as: UTF8.self) }, rows.leftOut)
  }

  func testAWholeFile() throws {
    let folder = TemporaryFolder()
    let done = expectation(description: "done")
    let output = RecordingOutput(path: folder.file("t.vcd"), format: VCDFormat())
    let sink = try RecordingSink([output], streams: [meter, imu]) { error in
      XCTAssertNil(error)
      done.fulfill()
    }
    let time: Int64 = 1_795_272_907_506_849_878
    let readings = [
      reading(time, 0, [1]), reading(time, 1, [150, 7]), reading(time + 5, 1, [150, 7]), reading(time + 5, 0, [0]),
      reading(time + 4, 0, [1]), reading(time + 2_000_000_000, 0, [0]),
    ]
    readings.publisher.subscribe(sink)
    wait(for: [done], timeout: 60)
    XCTAssertEqual(
      folder.text("t.vcd"),
      """
      $version sluice $end
      $timescale 1 ns $end
      $scope module METER $end
      $var wire 1 ! level $end
      $upscope $end
      $scope module imu $end
      $var real 64 " x $end
      $var real 64 # y $end
      $upscope $end
      $comment time_ns 1795272907506849878 is #0 $end
      $enddefinitions $end
      #0
      1!
      r15.00 "
      r7 #
      #5
      r15.00 "
      r7 #
      0!
      #2000000000
      0!

      """)
    XCTAssertEqual(
      sink.standing.shares[0].counts,
      [OutputCount(written: 3, unwritten: 1, synced: 3), OutputCount(written: 2, synced: 2)])
  }

  func testAFileWithoutReadingsHasAWholeHeader() throws {
    let folder = TemporaryFolder()
    let done = expectation(description: "done")
    let output = RecordingOutput(path: folder.file("t.vcd"), format: VCDFormat())
    let sink = try RecordingSink([output], streams: [meter]) { error in
      XCTAssertNil(error)
      done.fulfill()
    }
    [Reading]().publisher.subscribe(sink)
    wait(for: [done], timeout: 60)
    XCTAssertEqual(folder.text("t.vcd"), header([meter]) + "$enddefinitions $end\n")
  }

  func testWhatIsMissing() {
    var missing = reading(1, 0, [])
    missing.values.append(.missing)
    var half = reading(2, 1, [])
    half.values.append(.missing)
    half.values.append(ExactDecimal(significand: -250, exponent: -2))
    let (text, leftOut) = encode(encoder([meter, imu]), [missing, half, reading(3, 1, [1]), reading(4, 0, [])])
    XCTAssertEqual(
      text,
      """
      $comment time_ns 1 is #0 $end
      $enddefinitions $end
      #0
      x!
      #1
      rnan "
      r-2.50 #
      #2
      r0.10 "
      rnan #
      #3
      x!

      """)
    XCTAssertEqual(leftOut, [:])
  }

  func testNumbersAreThoseOfCSV() {
    let wide = StreamDescription(
      name: "w",
      channels: [
        Channel(name: "a", scale: ExactDecimal(significand: .max, exponent: -100)),
        Channel(name: "b", scale: ExactDecimal(significand: .max), offset: ExactDecimal(significand: .max)),
        Channel(name: "c"),
      ])
    var readings: [Reading] = []
    for (time, value) in [Int64.max, .min, 0, 1, -15].enumerated() {
      var reading = reading(Int64(time), 0, [value, value])
      reading.values.append(ExactDecimal(significand: value, exponent: time % 2 == 0 ? 100 : -100))
      readings.append(reading)
    }
    var beyond = reading(5, 0, [0])
    beyond.values.append(ExactDecimal(significand: .max, exponent: 100))
    beyond.values.append(1)
    readings.append(beyond)
    for raw in [false, true] {
      let streams = EncoderStreams([wide], raw: raw)
      let cells = CSVEncoder(layout: .wide, streams).text(readings).split(separator: "\n").flatMap {
        $0.split(separator: ",", omittingEmptySubsequences: false).dropFirst().map { $0.isEmpty ? "nan" : String($0) }
      }
      let values = VCDEncoder(streams).text(readings).split(separator: "\n").filter { $0.first == "r" }
      XCTAssertEqual(cells.count, 18)
      XCTAssertEqual(values.map { $0.dropFirst().split(separator: " ")[0] }.map(String.init), cells)
      XCTAssertEqual(cells.contains("nan"), !raw, "one has more than 38 digits")
    }
  }

  /// Times of a change dump do not go back.
  func testWhatComesTooLateIsCountedAsNotWritten() {
    let (text, leftOut) = encode(
      encoder([meter, imu]),
      [reading(10, 0, [1]), reading(9, 0, [0]), reading(12, 1, [1, 2]), reading(11, 1, [3, 4]), reading(12, 0, [0])])
    XCTAssertEqual(
      text, "$comment time_ns 10 is #0 $end\n$enddefinitions $end\n#0\n1!\n#2\nr0.10 \"\nr2 #\n0!\n")
    XCTAssertEqual(leftOut, [0: 1, 1: 1])
  }

  /// Readers count in 64 bits with a sign.
  func testATimeThatDoesNotFitIsCountedAsNotWritten() {
    let (text, leftOut) = encode(
      encoder([meter]), [reading(-5, 0, [1]), reading(.max, 0, [0]), reading(.max - 5, 0, [0])])
    XCTAssertEqual(
      text, "$comment time_ns -5 is #0 $end\n$enddefinitions $end\n#0\n1!\n#9223372036854775807\n0!\n")
    XCTAssertEqual(leftOut, [0: 1])
  }

  func testALevelThatIsNoneLeavesNothing() {
    let port = StreamDescription(
      name: "port", channels: ["a", "b"].map { Channel(name: $0, format: Channel.level) })
    var one = reading(4, 0, [0])
    one.values.append(ExactDecimal(significand: 10, exponent: -1))
    let (text, leftOut) = encode(
      encoder([port]), [reading(1, 0, [1, 2]), reading(2, 0, [1, 0]), reading(3, 0, [-1, 0]), one])
    XCTAssertEqual(
      text, "$comment time_ns 2 is #0 $end\n$enddefinitions $end\n#0\n1!\n0\"\n#2\n0!\n1\"\n",
      "the first one that was written is #0")
    XCTAssertEqual(leftOut, [0: 2])
  }

  /// What has a scale need not be 0 or 1.
  func testAScaledLevelIsANumber() {
    var scaled = meter
    scaled.channels[0].scale = ExactDecimal(significand: 33, exponent: -1)
    XCTAssertTrue(header([scaled]).contains("$var real 64 ! level $end\n"))
    XCTAssertTrue(encoder([scaled]).text([reading(1, 0, [1])]).hasSuffix("#0\nr3.3 !\n"))
    XCTAssertTrue(encoder([scaled], raw: true).text([reading(1, 0, [1])]).hasSuffix("#0\n1!\n"))
  }

  /// Names that are taken for keywords, indexes or escapes, that are not ASCII, or that are the same then.
  func testNames() {
    let names = ["a b", "a_b", "a\tb", "$end", "a[3]", "\\n", "", "größe", "CO2:x.y", "a_b_2"]
    let stream = StreamDescription(name: "", channels: names.map { Channel(name: $0) })
    var other = meter
    other.name = "_"
    let lines = header([stream, other, other]).split(separator: "\n").dropFirst(2)
    XCTAssertEqual(
      lines.filter { $0.hasPrefix("$var") }.map { $0.split(separator: " ")[4] },
      ["a_b", "a_b_2", "a_b_3", "_end", "a_3_", "_n", "_", "gr__e", "CO2:x.y", "a_b_2_2", "level", "level"])
    XCTAssertEqual(lines.filter { $0.hasPrefix("$scope") }.map { $0.split(separator: " ")[2] }, ["_", "__2", "__3"])
  }

  func testIdentifiersAreOfPrintableCharactersAndDifferent() {
    let streams = (0..<142).map { stream in
      StreamDescription(name: "s\(stream)", channels: (0..<64).map { Channel(name: "c\($0)") })
    }
    let ids = header(streams).split(separator: "\n").filter { $0.hasPrefix("$var") }.map { $0.split(separator: " ")[3] }
    XCTAssertEqual(ids.count, 9_088)
    XCTAssertEqual(Set(ids).count, 9_088)
    XCTAssertTrue(ids.joined().utf8.allSatisfy { (33...126).contains($0) })
    XCTAssertEqual([0, 93, 94, 95, 188, 8_929, 8_930].map { ids[$0] }, ["!", "~", "!!", "\"!", "!\"", "~~", "!!!"])
    var last = reading(0, 139, [])
    for value in 0..<64 { last.values.append(Int64(value)) }
    let values = encoder(streams).text([last]).split(separator: "\n")
    XCTAssertEqual(values.suffix(64).map { $0.split(separator: " ")[1] }, ids[139 * 64..<140 * 64].map { $0 })
  }

  /// Across batches, with the text that readings one by one have.
  func testManyReadings() {
    let readings = (0..<20_000).map { number -> Reading in
      let time = Int64(number / 3) * 1_000_003
      return number % 3 == 0 ? reading(time, 0, [Int64(number & 1)]) : reading(time, 1, [Int64(number), -7])
    }
    let (text, leftOut) = encode(encoder([meter, imu]), readings)
    XCTAssertEqual(leftOut, [:])
    let encoder = encoder([meter, imu])
    var (parts, done) = ("", 0)
    let rows = EncodedRows()
    readings.withUnsafeBufferPointer { readings in
      while done < readings.count {
        let count = encoder.encode(UnsafeBufferPointer(rebasing: readings[done...]), into: rows, until: 1_000)
        XCTAssertEqual(rows.readings(behind: 0).values.reduce(0, +), count)
        done += count
        parts += rows.text.withBytes { String(decoding: $0, as: UTF8.self) }
        rows.removeAll()
      }
    }
    XCTAssertEqual(parts, text)
    XCTAssertEqual(text.split(separator: "\n").filter { $0.first == "#" }.count, 6_667)
    XCTAssertTrue(text.hasSuffix("\n#6666019998\n0!\nr1999.90 \"\nr-7 #\n"))
  }

  func testStreamsMayNotBeAdded() {
    let refused = error { _ = try VCDFormat(FormatOptions(path: "-", streamCount: 0, isGrowing: true)) }
    XCTAssertEqual(refused?.cause, "the streams of a trace that comes from a pipe are not known before its end")
    XCTAssertNil(error { _ = try VCDFormat(FormatOptions(path: "-", streamCount: 1)) })
    XCTAssertFalse(VCDFormat.canAppend)
  }
}
