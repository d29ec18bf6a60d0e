import TestFiles
import XCTest

@testable import SluiceReadings
@testable import SluiceRecording

/// The short way must give what the long way gives: quoted cells take the long one.
final class PlainRowTests: XCTestCase {
  private enum Outcome: Equatable {
    case readings([Reading])
    case error(String)
  }

  private func outcome(_ text: some Sequence<UInt8>, _ format: TraceFormat = TraceFormat(), block: Int = 512) -> Outcome
  {
    var all: [Reading] = []
    do {
      let trace = try TraceReader(Array(text), name: "t", format: format)
      var readings = Array(repeating: Reading.empty, count: block)
      while case let count = try trace.next(into: &readings), count > 0 { all += readings[..<count] }
      return .readings(all)
    } catch {
      return .error("\(error) after \(all.count)")
    }
  }

  private func text(_ outcome: Outcome, columns: Int) -> String {
    guard case .readings(let readings) = outcome else { return "" }
    let channels = (1..<columns).map { StreamDescription.Channel(name: "c\($0)") }
    var stream = StreamDescription(name: "t", channels: channels)
    stream.hasForeignColumns = true
    let encoder = CSVEncoder(layout: .wide, EncoderStreams([stream]))
    return String(decoding: encoder.header, as: UTF8.self) + encoder.text(readings)
  }

  /// A cell as files have them.
  private func cell() -> String {
    let sign = Bool.random() ? "-" : ""
    let digits = (0..<Int.random(in: 1...19)).map { _ in "\(Int.random(in: 0...9))" }.joined()
    switch Int.random(in: 0..<8) {
    case 0: return ""
    case 1: return ["nan", "+1", " 7 ", ".5", "3.", "1e-5", "1e-30", "-", "--1", "1.2.3", "x"].randomElement() ?? ""
    case 2, 3: return sign + "\(Int.random(in: 0...100_000))"
    case 4: return sign + digits
    default:
      let point = digits.index(digits.startIndex, offsetBy: Int.random(in: 0...digits.count))
      return sign + digits[..<point] + "." + digits[point...]
    }
  }

  func testGivesWhatTheLongWayGives() {
    for _ in 0..<1_500 {
      let columns = Int.random(in: 1...12)
      let time = Int.random(in: 0..<columns)
      let header = (0..<columns).map { $0 == time ? "time_ns" : "c\($0)" }
      let rows = (0..<Int.random(in: 1...4)).map { _ in
        (0..<columns).map { $0 == time ? "\(Int64.random(in: .min ... .max))" : cell() }
      }
      let end = Bool.random() ? "\n" : "\r\n"
      let plain = ([header] + rows).map { $0.joined(separator: ",") + end }.joined()
      let quoted = ([header] + rows).map { $0.map { "\"\($0)\"" }.joined(separator: ",") + end }.joined()
      XCTAssertEqual(outcome(plain.utf8), outcome(quoted.utf8), plain)
    }
  }

  func testGivesWhatTheLongWayGivesInTheLongLayout() {
    for _ in 0..<500 {
      let rows = (0..<Int.random(in: 1...12)).map { _ in
        let name = ["a,x", "a,y", "b,x", "b c,\u{b0}C", ",", "a,", "x", "a,b,c"].randomElement() ?? ""
        return "\(Int.random(in: 0...3)),\(name),\(cell())".split(separator: ",", omittingEmptySubsequences: false)
      }
      let header = "time_ns,stream,channel,value\n"
      let plain = header + rows.map { $0.joined(separator: ",") + "\n" }.joined()
      let quoted = header + rows.map { $0.map { "\"\($0)\"" }.joined(separator: ",") + "\n" }.joined()
      XCTAssertEqual(outcome(plain.utf8), outcome(quoted.utf8), plain)
    }
  }

  func testTimesInOtherUnits() {
    for unit in TraceFormat.Unit.allCases {
      for time in ["0", "1.5", "0.010078907", "-3", "1e-3", "9223372036", "9223372037", "0.0000000001", "", "1."] {
        let format = TraceFormat(timeColumn: "t", timeUnit: unit)
        XCTAssertEqual(
          outcome("t,x\n\(time),1\n".utf8, format), outcome("t,x\n\"\(time)\",1\n".utf8, format), "\(time) \(unit)")
      }
    }
  }

  /// What was written is read and written again without a change.
  func testDecodingAndEncodingIsAFixedPoint() {
    for _ in 0..<500 {
      let columns = Int.random(in: 2...12)
      var rows = "time_ns," + (1..<columns).map { "c\($0)" }.joined(separator: ",") + "\n"
      // Times share their first digits, or do not, or have few.
      let starts: [Int64] = [
        0, 99_999_990, 999_999_990, 1_700_000_000_000_000_000, -300_000_000, .min, 9_223_372_026_854_775_807,
      ]
      var time = starts.randomElement() ?? 0
      let step: Int64 = [1, 90_000_000, 250_000_000].randomElement() ?? 0
      for _ in 0..<Int.random(in: 1...40) {
        time += .random(in: 0...step)
        let cells = (1..<columns).map { _ in
          Bool.random()
            ? "" : ExactDecimal(significand: .random(in: .min ... .max), exponent: .random(in: -30...0)).description
        }
        rows += "\(time),\(cells.joined(separator: ","))\n"
      }
      XCTAssertEqual(text(outcome(rows.utf8), columns: columns), rows)
    }
    // The last times share their first bits with the first ones below zero.
    let ends =
      "time_ns,c1\n9223372036854775807,1\n-9223372036854775808,1\n9223372036800000000,1\n-9223372036800000000,1\n"
    XCTAssertEqual(text(outcome(ends.utf8), columns: 2), ends)
    let real =
      "time_ns,c1,c2\n0,0.10,-0.01644619\n1,9223372036854775807,-9223372036854775807\n2,,0.000000000000000000000000000001\n"
    XCTAssertEqual(text(outcome(real.utf8), columns: 3), real)
  }

  /// The same at every size of block: rows are cut anywhere between the two ways.
  func testBlocksDoNotMatter() {
    var rows = "time_ns,a,b\n"
    for row in 0..<30_000 {
      rows +=
        row % 7 == 3 ? "\(row),\"\(row * 3)\",1e2\n" : row % 11 == 5 ? "\n\(row),,\n" : "\(row),\(row * 3),0.\(row)\n"
    }
    let whole = outcome(rows.utf8)
    for block in [1, 2, 100, 511, 40_000] { XCTAssertEqual(outcome(rows.utf8, block: block), whole) }
    XCTAssertEqual(outcome((rows + "x,1,2\n").utf8, block: 512), outcome((rows + "x,1,2\n").utf8, block: 7))
  }

  func testMutatedFilesNeverTrap() {
    let original = Array("time_ns,a,b\n0,1,-2.50\n10,,0.001\r\n20,\"3\",nan\n30,123456789012345678,1e5\n".utf8)
    let alphabet = Array("0123456789,,\"\n\r.-+e \u{0}".utf8) + [0x80, 0xff]
    for _ in 0..<LongTests.rounds(8_000) {
      var bytes = original
      for _ in 0..<Int.random(in: 1...6) {
        let place = Int.random(in: 0..<bytes.count)
        switch Int.random(in: 0..<4) {
        case 0: bytes[place] = alphabet.randomElement() ?? 0
        case 1: bytes.insert(alphabet.randomElement() ?? 0, at: place)
        case 2: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...9)))
        default: bytes.insert(contentsOf: bytes[..<place].suffix(20), at: place)
        }
        if bytes.isEmpty { bytes = original }
      }
      // A dot in the header may make several streams of it: WideTraceTests.
      guard (try? TraceReader(bytes, name: "t"))?.streams.count ?? 1 == 1 else {
        _ = outcome(bytes)
        continue
      }
      // Whatever is read can be written, and reads the same.
      guard case .readings(let readings) = outcome(bytes), let columns = readings.first.map({ $0.values.count + 1 })
      else { continue }
      XCTAssertEqual(outcome(text(.readings(readings), columns: columns).utf8), .readings(readings))
    }
  }
}
