import SluiceReadings
import SluiceStages
import XCTest

final class QuadratureTests: XCTestCase {
  private static let lines = ["A", "B"].map { name in
    StreamDescription(name: name, channels: [.init(name: "level", format: StreamDescription.Channel.level)])
  }
  /// The levels of A and B, upwards.
  private static let cycle: [(a: Int64, b: Int64)] = [(0, 0), (1, 0), (1, 1), (0, 1)]

  private func quadrature() throws -> Quadrature { try Quadrature(a: "A", b: "B", inputs: InputStreams(Self.lines)) }

  private func edge(_ time: Int64, _ line: UInt16, _ level: Int64, _ flags: Reading.Flags = []) -> Reading {
    Reading(time: time, stream: StreamID(line), values: [level], flags: flags)
  }

  /// Levels, and then one edge a step.
  private func walk(_ steps: [Int], every interval: Int64 = 1_000) -> [Reading] {
    var readings = [edge(0, 0, 0, .initialLevel), edge(0, 1, 0, .initialLevel)]
    var place = 0
    for (number, step) in steps.enumerated() {
      let old = Self.cycle[place]
      place = (place + step + 4) % 4
      let new = Self.cycle[place]
      let time = Int64(number + 1) * interval
      readings.append(old.a != new.a ? edge(time, 0, new.a) : edge(time, 1, new.b))
    }
    return readings
  }

  func testStreams() throws {
    let other = StreamDescription(name: "imu", channels: [.init(name: "x"), .init(name: "y")])
    let processor = try Quadrature(a: "B", b: "A", name: "wheel", inputs: InputStreams([other] + Self.lines))
    XCTAssertEqual(processor.streams.map(\.name), ["imu", "A", "wheel"])
    XCTAssertEqual(processor.streams.map(\.channels.count), [2, 0, 3])
    XCTAssertEqual(processor.streams[2].channels.map(\.name), ["position", "speed", "errors"])
    XCTAssertEqual((0...3).map { processor.makes(StreamID($0)) }, [false, true, true, false])
    let passing = [
      Reading(time: 5, stream: StreamID(0), values: [1, 2], flags: .gapBefore),
      Reading(time: 6, stream: .none, values: []),
    ]
    XCTAssertEqual(outputs(of: processor, passing), passing)
  }

  func testStepsUpAndDown() throws {
    XCTAssertEqual(
      outputs(of: try quadrature(), walk([1, 1, 1, 1, 1, -1, -1])).map(\.text),
      [
        "1000: 1 - 0", "2000: 2 1000000 0", "3000: 3 1000000 0", "4000: 4 1000000 0", "5000: 5 1000000 0",
        "6000: 4 -1000000 0", "7000: 3 -1000000 0",
      ])
    XCTAssertEqual(outputs(of: try quadrature(), walk([-1, -1, -1, -1, -1])).last?.values[0].significand, -5)
  }

  func testRandomWalks() throws {
    for seed: UInt64 in 0..<200 {
      var random = SeededGenerator(seed: seed)
      let steps = (0..<200).map { _ in Bool.random(using: &random) ? 1 : -1 }
      var position = 0
      let expected = steps.map { step -> Int64 in
        position += step
        return Int64(position)
      }
      let made = outputs(of: try quadrature(), walk(steps))
      XCTAssertEqual(made.map { $0.values[0].significand }, expected, "seed \(seed)")
      XCTAssertTrue(made.allSatisfy { $0.values[2].significand == 0 && $0.stream == StreamID(0) })
    }
  }

  /// The first edge of each line tells what was before it.
  func testLevelsThatAreNotKnown() throws {
    XCTAssertEqual(
      outputs(of: try quadrature(), [edge(1, 0, 1), edge(2, 1, 1), edge(3, 0, 0)]).map(\.text),
      ["2: 1 - 0", "3: 2 1000000000 0"])
  }

  func testALostEdgeIsAnError() throws {
    for lost in 2..<40 {
      var readings = walk(Array(repeating: 1, count: 41))
      readings.remove(at: lost)
      let made = outputs(of: try quadrature(), readings)
      XCTAssertEqual(made.last?.values[2].significand, 1, "\(lost)")
      XCTAssertEqual(made.filter { $0.values[1].isMissing }.count, 3, "\(lost)")
    }
    XCTAssertEqual(
      outputs(of: try quadrature(), [edge(1, 1, 1), edge(2, 0, 1), edge(3, 0, 1), edge(4, 0, 0)]).map(\.text),
      ["2: -1 - 0", "3: -1 - 1", "4: 0 - 1"])
  }

  /// Of either line, and of a reading without a level.
  func testAGapIsKept() throws {
    var readings = walk([1, 1, 1])
    readings[3].flags = .gapBefore
    XCTAssertEqual(
      outputs(of: try quadrature(), readings).map(\.text), ["1000: 1 - 0", "2000: 2 - 0 gap", "3000: 3 1000000 0"])
    var missing = Values()
    missing.append(.missing)
    readings.insert(Reading(time: 1_500, stream: StreamID(1), values: missing, flags: .gapBefore), at: 3)
    readings[4].flags = []
    XCTAssertEqual(outputs(of: try quadrature(), readings).map(\.text)[1], "2000: 2 - 0 gap")
  }

  /// A recording that goes on: the encoder may have turned in between.
  func testLevelsLaterOn() throws {
    let readings =
      walk([1, 1]) + [edge(5_000, 0, 0, .initialLevel), edge(5_000, 1, 0, .initialLevel), edge(6_000, 0, 1)]
    XCTAssertEqual(
      outputs(of: try quadrature(), readings).map(\.text), ["1000: 1 - 0", "2000: 2 1000000 0", "6000: 3 - 0"])
  }

  func testTimesThatDoNotFit() throws {
    let readings = [edge(.min, 0, 1), edge(.max, 1, 1), edge(.min, 0, 0), edge(.min, 1, 0), edge(.max, 0, 1)]
    XCTAssertEqual(outputs(of: try quadrature(), readings).map { $0.values[1].isMissing }, [true, true, true, true])
  }

  func testWrongNames() {
    func text(_ a: String, _ b: String, name: String = "quadrature", _ inputs: InputStreams) -> String {
      do { return "\(try Quadrature(a: a, b: b, name: name, inputs: inputs).streams)" } catch { return "\(error)" }
    }
    let names = ["LEFT", "RIGHT"].map { StreamDescription(name: $0, channels: [.init(name: "level")]) }
    XCTAssertEqual(
      text("LEFT", "RIGT", InputStreams(names)),
      "cannot decode the edges of RIGT: there is no line of this name; did you mean RIGHT? The lines are LEFT, RIGHT")
    XCTAssertEqual(
      text("LEFT", "LEFT", InputStreams(names)),
      "cannot decode the edges of LEFT and LEFT: an encoder has two lines; name two different lines")
    let three = names + [StreamDescription(name: "quadrature", channels: [])]
    XCTAssertEqual(
      text("LEFT", "RIGHT", InputStreams(three)),
      "cannot name the position of LEFT and RIGHT 'quadrature': another stream has this name; choose another name for the encoder"
    )
    XCTAssertEqual(
      text("LEFT", "RIGHT", InputStreams([], more: { names })),
      "cannot decode the edges of a trace from a pipe: its rows name their streams, and a pipe can be read only once; "
        + "write it to a file first")
  }
}
