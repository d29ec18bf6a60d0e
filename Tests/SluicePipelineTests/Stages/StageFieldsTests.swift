import SluiceStages
import XCTest

@testable import SluicePipeline
@testable import SluiceReadings

/// The JSON of every stage, and what is said about each setting that is wrong.
final class StageFieldsTests: XCTestCase {
  /// Each stage with all its settings, none of which has its default.
  private static let whole: [(stage: StagePlan, json: String)] = [
    (.buffer(1_000, whenFull: .fail), #"{"stage": "buffer", "size": 1000, "when-full": "fail"}"#),
    (.select(["imu.x", "METER"]), #"{"stage": "select", "names": ["imu.x", "METER"]}"#),
    (.settle(for: .milliseconds(50), line: "door"), #"{"stage": "settle", "time": "50ms", "line": "door"}"#),
    (.pulseWidth(of: "PWM"), #"{"stage": "pulse-width", "line": "PWM"}"#),
    (.frequency(per: .seconds(1), line: "fan"), #"{"stage": "frequency", "interval": "1s", "line": "fan"}"#),
    (
      .pulses(number(50, -2), unit: "l", line: "METER", start: number(12_345, -1)),
      #"{"stage": "pulses", "amount": "0.50", "unit": "l", "line": "METER", "start": "1234.5"}"#
    ),
    (
      .quadrature("A", "B", stream: "knob", start: -400),
      #"{"stage": "quadrature", "a": "A", "b": "B", "stream": "knob", "start": -400}"#
    ),
    (.dht(.dht22, line: "SDA"), #"{"stage": "dht", "sensor": "dht22", "line": "SDA"}"#),
    (.oneWire(of: "DQ"), #"{"stage": "one-wire", "line": "DQ"}"#),
    (
      .scale(Scale(channel: "voltage0", gain: number(25, -3), offset: number(-25), unit: "bar")),
      #"{"stage": "scale", "channel": "voltage0", "gain": "0.025", "offset": "-25", "unit": "bar"}"#
    ),
    (.while(try! Expression("a > 1")), #"{"stage": "while", "condition": "a > 1"}"#),
    (
      .around(try! Expression("a > 1"), before: .seconds(10), after: .milliseconds(500)),
      #"{"stage": "around", "condition": "a > 1", "before": "10s", "after": "500ms"}"#
    ),
    (.where(try! Expression("a > 1")), #"{"stage": "where", "condition": "a > 1"}"#),
    (.dedupe, #"{"stage": "dedupe"}"#),
    (.onChange([("x", number(5, -1)), ("y", number(2))]), #"{"stage": "on-change", "tolerance": ["x=0.5", "y=2"]}"#),
    (.resample(.milliseconds(100), .linear), #"{"stage": "resample", "interval": "100ms", "method": "linear"}"#),
    (.reduce(.seconds(60), [.max, .count]), #"{"stage": "reduce", "interval": "60s", "functions": ["max", "count"]}"#),
    (.join(.exact), #"{"stage": "join", "rule": "exact"}"#),
    (.rename(["x=ax", "2=temp"])!, #"{"stage": "rename", "names": ["x=ax", "2=temp"]}"#),
    (.every(3), #"{"stage": "every", "count": 3}"#),
    (
      .throttle(for: .milliseconds(1_500), latest: false),
      #"{"stage": "throttle", "interval": "1500ms", "keep": "first"}"#
    ),
    (.collect(50, orFor: .seconds(1)), #"{"stage": "collect", "count": 50, "interval": "1s"}"#),
  ]

  /// Each stage with the settings alone that it must have.
  private static let plain: [(stage: StagePlan, json: String)] = [
    (.buffer(), #"{"stage": "buffer"}"#),
    (.buffer(0), #"{"stage": "buffer", "size": 0}"#),
    (.settle(for: .milliseconds(50)), #"{"stage": "settle", "time": "50ms"}"#),
    (.pulseWidth(), #"{"stage": "pulse-width"}"#),
    (.frequency(per: .seconds(1)), #"{"stage": "frequency", "interval": "1s"}"#),
    (.pulses(number(50, -2)), #"{"stage": "pulses", "amount": "0.50"}"#),
    (.quadrature("A", "B"), #"{"stage": "quadrature", "a": "A", "b": "B"}"#),
    (.dht(.dht11), #"{"stage": "dht", "sensor": "dht11"}"#),
    (.oneWire(), #"{"stage": "one-wire"}"#),
    (.scale(Scale(channel: "voltage0", gain: number(2))), #"{"stage": "scale", "channel": "voltage0", "gain": "2"}"#),
    (.around(try! Expression("a > 1"), before: nil, after: nil), #"{"stage": "around", "condition": "a > 1"}"#),
    (.onChange(number(50, -2)), #"{"stage": "on-change", "tolerance": ["0.50"]}"#),
    (.resample(.milliseconds(100)), #"{"stage": "resample", "interval": "100ms"}"#),
    (.reduce(.seconds(60)), #"{"stage": "reduce", "interval": "60s"}"#),
    (.join(), #"{"stage": "join"}"#),
    (.throttle(for: .milliseconds(1_500)), #"{"stage": "throttle", "interval": "1500ms"}"#),
    (.collect(50), #"{"stage": "collect", "count": 50}"#),
    (.collect(for: .seconds(1)), #"{"stage": "collect", "interval": "1s"}"#),
  ]

  private static func number(_ significand: Int64, _ exponent: Int8 = 0) -> ExactDecimal {
    ExactDecimal(significand: significand, exponent: exponent)
  }

  /// A stage, and what is said about it: its settings with another one, without one, and with an object for each.
  private static let sentences = #"""
    {"stage": "buffer", "size": 1000, "when-full": "fail", "speed": 1} => stages[0].speed: buffer has no such setting; the keys are size, when-full, stage
    {"stage": "buffer", "size": 1000, "when-full": "fail", "sizes": 1} => stages[0].sizes: buffer has no such setting; did you mean size?
    {"stage": "buffer", "size": {}, "when-full": "fail"} => stages[0].size takes a whole number of 0 or more, not an object
    {"stage": "buffer", "size": 1000, "when-full": {}} => stages[0].when-full takes drop-oldest, drop-newest, fail, spill, not an object
    {"stage": "buffer", "size": 1000000001} => stages[0].size takes at most 1,000,000,000 readings of each stream, not 1000000001
    {"stage": "select", "names": ["imu.x", "METER"], "speed": 1} => stages[0].speed: select has no such setting; the keys are names, stage
    {"stage": "select"} => stages[0] has no "names"
    {"stage": "select", "names": []} => stages[0].names takes a list of names such as ["imu.x", "METER"]
    {"stage": "select", "names": {}} => stages[0].names takes a list, not an object
    {"stage": "select", "names": ["imu.x", 1]} => stages[0].names[1] takes a text, not 1
    {"stage": "settle", "time": "50ms", "line": "door", "speed": 1} => stages[0].speed: settle has no such setting; the keys are time, line, stage
    {"stage": "settle", "line": "door"} => stages[0] has no "time"
    {"stage": "settle", "time": {}, "line": "door"} => stages[0].time takes a time with its unit, such as 10ms, or a rate, such as 100Hz, not an object
    {"stage": "settle", "time": "50ms", "line": {}} => stages[0].line takes a text, not an object
    {"stage": "pulse-width", "line": "PWM", "speed": 1} => stages[0].speed: pulse-width has no such setting; the keys are line, stage
    {"stage": "pulse-width", "line": {}} => stages[0].line takes a text, not an object
    {"stage": "frequency", "interval": "1s", "line": "fan", "speed": 1} => stages[0].speed: frequency has no such setting; the keys are interval, line, stage
    {"stage": "frequency", "line": "fan"} => stages[0] has no "interval"
    {"stage": "frequency", "interval": {}, "line": "fan"} => stages[0].interval takes a time with its unit, such as 10ms, or a rate, such as 100Hz, not an object
    {"stage": "frequency", "interval": "1s", "line": {}} => stages[0].line takes a text, not an object
    {"stage": "pulses", "amount": "0.50", "unit": "l", "line": "METER", "start": "1234.5", "speed": 1} => stages[0].speed: pulses has no such setting; the keys are amount, unit, line, start, stage
    {"stage": "pulses", "amount": "0.50", "unit": "l", "line": "METER", "start": "1234.5", "amounts": 1} => stages[0].amounts: pulses has no such setting; did you mean amount?
    {"stage": "pulses", "unit": "l", "line": "METER", "start": "1234.5"} => stages[0] has no "amount"
    {"stage": "pulses", "amount": {}, "unit": "l", "line": "METER", "start": "1234.5"} => stages[0].amount takes a number greater than 0, not an object
    {"stage": "pulses", "amount": 0, "unit": "l", "line": "METER", "start": "1234.5"} => stages[0].amount takes a number greater than 0, not 0
    {"stage": "pulses", "amount": "0.50", "unit": {}, "line": "METER", "start": "1234.5"} => stages[0].unit takes a text, not an object
    {"stage": "pulses", "amount": "0.50", "unit": "a\u0000b", "line": "METER", "start": "1234.5"} => stages[0].unit has a NUL character
    {"stage": "pulses", "amount": "0.50", "unit": "l", "line": {}, "start": "1234.5"} => stages[0].line takes a text, not an object
    {"stage": "pulses", "amount": "0.50", "unit": "l", "line": "METER", "start": {}} => stages[0].start takes a number, not an object
    {"stage": "pulses", "amount": "nan", "start": "0.0"} => stages[0].amount takes a number greater than 0, not "nan"
    {"stage": "pulses", "amount": "1", "start": "nan"} => stages[0].start takes a number, not "nan"
    {"stage": "quadrature", "a": "A", "b": "B", "stream": "knob", "start": -400, "speed": 1} => stages[0].speed: quadrature has no such setting; the keys are a, b, stream, start, stage
    {"stage": "quadrature", "b": "B", "stream": "knob", "start": -400} => stages[0] has no "a"
    {"stage": "quadrature", "a": {}, "b": "B", "stream": "knob", "start": -400} => stages[0].a takes a text, not an object
    {"stage": "quadrature", "a": "A", "stream": "knob", "start": -400} => stages[0] has no "b"
    {"stage": "quadrature", "a": "A", "b": {}, "stream": "knob", "start": -400} => stages[0].b takes a text, not an object
    {"stage": "quadrature", "a": "A", "b": "B", "stream": {}, "start": -400} => stages[0].stream takes a text, not an object
    {"stage": "quadrature", "a": "A", "b": "B", "stream": "knob", "start": {}} => stages[0].start takes a whole number, not an object
    {"stage": "quadrature", "a": "A", "b": "B", "start": "1.5"} => stages[0].start takes a whole number, not "1.5"
    {"stage": "dht", "sensor": "dht22", "line": "SDA", "speed": 1} => stages[0].speed: dht has no such setting; the keys are sensor, line, stage
    {"stage": "dht", "line": "SDA"} => stages[0] has no "sensor"
    {"stage": "dht", "sensor": {}, "line": "SDA"} => stages[0].sensor takes dht11, dht22, not an object
    {"stage": "dht", "sensor": "dht22", "line": {}} => stages[0].line takes a text, not an object
    {"stage": "one-wire", "line": "DQ", "speed": 1} => stages[0].speed: one-wire has no such setting; the keys are line, stage
    {"stage": "one-wire", "line": {}} => stages[0].line takes a text, not an object
    {"stage": "scale", "channel": "voltage0", "gain": "0.025", "offset": "-25", "unit": "bar", "speed": 1} => stages[0].speed: scale has no such setting; the keys are channel, gain, offset, unit, stage
    {"stage": "scale", "gain": "0.025", "offset": "-25", "unit": "bar"} => stages[0] has no "channel"
    {"stage": "scale", "channel": {}, "gain": "0.025", "offset": "-25", "unit": "bar"} => stages[0].channel takes a text, not an object
    {"stage": "scale", "channel": "voltage0", "offset": "-25", "unit": "bar"} => stages[0] has no "gain"
    {"stage": "scale", "channel": "voltage0", "gain": {}, "offset": "-25", "unit": "bar"} => stages[0].gain takes a number, not an object
    {"stage": "scale", "channel": "voltage0", "gain": "0.025", "offset": {}, "unit": "bar"} => stages[0].offset takes a number, not an object
    {"stage": "scale", "channel": "voltage0", "gain": "0.025", "offset": "-25", "unit": {}} => stages[0].unit takes a text, not an object
    {"stage": "while", "condition": "a > 1", "speed": 1} => stages[0].speed: while has no such setting; the keys are condition, stage
    {"stage": "while", "condition": {}} => stages[0].condition takes a text, not an object
    {"stage": "around", "condition": "a > 1", "before": "10s", "after": "1s", "speed": 1} => stages[0].speed: around has no such setting; the keys are condition, before, after, stage
    {"stage": "around", "before": "10s", "after": "1s"} => stages[0] has no "condition"
    {"stage": "around", "condition": {}, "before": "10s"} => stages[0].condition takes a text, not an object
    {"stage": "around", "condition": "a > 1", "before": {}} => stages[0].before takes a time with its unit, such as 250us, 10ms or 2s, not an object
    {"stage": "around", "condition": "a > 1", "after": {}} => stages[0].after takes a time with its unit, such as 250us, 10ms or 2s, not an object
    {"stage": "where", "condition": "a > 1", "speed": 1} => stages[0].speed: where has no such setting; the keys are condition, stage
    {"stage": "where"} => stages[0] has no "condition"
    {"stage": "where", "condition": {}} => stages[0].condition takes a text, not an object
    {"stage": "where", "condition": "a\u0000b"} => stages[0].condition has a NUL character
    {"stage": "where", "condition": "a >"} => stages[0].condition: cannot read the condition 'a >': at column 4, a number or a channel was expected, but it ends; write for example 'voltage0 > 1.5 and accel_x < 0'
    {"stage": "dedupe", "speed": 1} => stages[0].speed: dedupe has no such setting; the keys are stage
    {"stage": "on-change", "tolerance": ["x=0.5", "y=2"], "speed": 1} => stages[0].speed: on-change has no such setting; the keys are tolerance, stage
    {"stage": "on-change"} => stages[0] has no "tolerance"
    {"stage": "on-change", "tolerance": []} => stages[0].tolerance takes a list of tolerances such as ["0.5"] or ["accel_x=0.5"]
    {"stage": "on-change", "tolerance": {}} => stages[0].tolerance takes a list, not an object
    {"stage": "on-change", "tolerance": [null]} => stages[0].tolerance[0] takes a text, not null
    {"stage": "on-change", "tolerance": ["a", "a"]} => stages[0].tolerance takes a list of tolerances such as ["0.5"] or ["accel_x=0.5"]
    {"stage": "on-change", "tolerance": ["1", "2"]} => stages[0].tolerance takes one tolerance for all channels, or one tolerance per channel
    {"stage": "on-change", "tolerance": ["a=1", "a=2"]} => stages[0].tolerance names a channel twice
    {"stage": "resample", "interval": "100ms", "method": "linear", "speed": 1} => stages[0].speed: resample has no such setting; the keys are interval, method, stage
    {"stage": "resample", "method": "linear"} => stages[0] has no "interval"
    {"stage": "resample", "interval": {}, "method": "linear"} => stages[0].interval takes a time with its unit, such as 10ms, or a rate, such as 100Hz, not an object
    {"stage": "resample", "interval": "100ms", "method": {}} => stages[0].method takes mean, last, linear, not an object
    {"stage": "reduce", "interval": "1m", "functions": ["max", "count"], "speed": 1} => stages[0].speed: reduce has no such setting; the keys are interval, functions, stage
    {"stage": "reduce", "functions": ["max", "count"]} => stages[0] has no "interval"
    {"stage": "reduce", "interval": {}, "functions": ["max", "count"]} => stages[0].interval takes a time with its unit, such as 10ms, or a rate, such as 100Hz, not an object
    {"stage": "reduce", "interval": "1m", "functions": {}} => stages[0].functions takes a list, not an object
    {"stage": "reduce", "interval": "1m", "functions": [null]} => stages[0].functions[0] takes a text, not null
    {"stage": "reduce", "interval": "1m", "functions": ["a", "a"]} => stages[0].functions takes a list of min, mean, max, count, each once
    {"stage": "reduce", "interval": "1s", "functions": ["x"]} => stages[0].functions takes a list of min, mean, max, count, each once
    {"stage": "join", "speed": 1} => stages[0].speed: join has no such setting; the keys are rule, stage
    {"stage": "join", "rule": {}} => stages[0].rule takes hold, exact, wait, not an object
    {"stage": "rename", "names": ["x=y"], "speed": 1} => stages[0].speed: rename has no such setting; the keys are names, stage
    {"stage": "rename"} => stages[0] has no "names"
    {"stage": "rename", "names": []} => stages[0].names takes a list of names such as ["old=new"]
    {"stage": "rename", "names": {}} => stages[0].names takes a list, not an object
    {"stage": "rename", "names": [null]} => stages[0].names[0] takes a text, not null
    {"stage": "rename", "names": ["x"]} => stages[0].names takes a list of names such as ["old=new"]
    {"stage": "every", "count": 3, "speed": 1} => stages[0].speed: every has no such setting; the keys are count, stage
    {"stage": "every"} => stages[0] has no "count"
    {"stage": "every", "count": {}} => stages[0].count takes a whole number of 1 or more, not an object
    {"stage": "every", "count": 0} => stages[0].count takes a whole number of 1 or more, not 0
    {"stage": "throttle", "interval": "1500ms", "keep": "first", "speed": 1} => stages[0].speed: throttle has no such setting; the keys are interval, keep, stage
    {"stage": "throttle", "keep": "first"} => stages[0] has no "interval"
    {"stage": "throttle", "interval": {}, "keep": "first"} => stages[0].interval takes a time with its unit, such as 10ms, or a rate, such as 100Hz, not an object
    {"stage": "throttle", "interval": "1500ms", "keep": {}} => stages[0].keep takes latest, first, not an object
    {"stage": "collect", "count": 50, "interval": "1s", "speed": 1} => stages[0].speed: collect has no such setting; the keys are count, interval, stage
    {"stage": "collect", "count": 50, "interval": "1s", "counts": 1} => stages[0].counts: collect has no such setting; did you mean count?
    {"stage": "collect", "count": {}, "interval": "1s"} => stages[0].count takes a whole number of 1 or more, not an object
    {"stage": "collect", "count": 0, "interval": "1s"} => stages[0].count takes a whole number of 1 or more, not 0
    {"stage": "collect", "count": 50, "interval": {}} => stages[0].interval takes a time with its unit, such as 10ms, or a rate, such as 100Hz, not an object
    """#

  private func plan(_ stage: String) throws(SluiceError) -> RecordingPlan {
    let members = #""version": 1, "sources": [{"kind": "timer", "what": "1ms"}], "outputs": [{"path": "x.csv"}]"#
    return try RecordingPlan(json: Array(#"{\#(members), "stages": [\#(stage)]}"#.utf8), name: "walk.json")
  }

  func testEveryStageIsDecodedAndEncoded() throws {
    XCTAssertEqual(Self.whole.map { type(of: $0.stage.stage).name }, Stages.names)
    for (stage, json) in Self.whole + Self.plain {
      XCTAssertEqual(stage.json.text, json)
      let decoded = try plan(json).stages
      XCTAssertEqual(decoded, [stage], json)
      XCTAssertEqual(decoded.first?.hashValue, stage.hashValue, json)
    }
  }

  func testNullIsTheDefault() throws {
    XCTAssertEqual(
      try plan(#"{"stage": "quadrature", "a": "A", "b": "B", "stream": null, "start": null}"#).stages,
      [.quadrature("A", "B")])
    XCTAssertEqual(try plan(#"{"stage": "buffer", "size": null, "when-full": null}"#).stages, [.buffer()])
    XCTAssertEqual(
      try plan(#"{"stage": "reduce", "interval": "60s", "functions": []}"#).stages, [.reduce(.seconds(60))])
  }

  func testANumberMayBeAText() throws {
    XCTAssertEqual(
      try plan(#"{"stage": "quadrature", "a": "A", "b": "B", "start": "-400"}"#).stages,
      [.quadrature("A", "B", start: -400)])
    XCTAssertEqual(try plan(#"{"stage": "every", "count": "3"}"#).stages, [.every(3)])
  }

  func testEachErrorIsASentenceWithItsPlace() {
    for line in Self.sentences.split(separator: "\n") {
      let parts = line.components(separatedBy: " => ")
      do throws(SluiceError) {
        XCTFail("taken: \(try plan(parts[0]))")
      } catch {
        XCTAssertEqual(error.description, "cannot use the plan walk.json: \(parts[1])", parts[0])
      }
    }
  }

  func testEachSettingHasItsSentences() {
    let lines = Self.sentences.split(separator: "\n")
    for (stage, json) in Self.whole {
      let name = type(of: stage.stage).name
      let own = lines.filter { $0.hasPrefix("{\"stage\": \"\(name)\"") }
      XCTAssertTrue(own.contains { $0.contains("\(name) has no such setting; the keys are ") }, name)
      for key in stage.stage.keys {
        XCTAssertTrue(json.contains("\"\(key)\": "), "\(name) has a value of \(key)")
        XCTAssertTrue(own.contains { $0.contains("\"\(key)\": {}") }, "\(name) with an object for \(key)")
      }
    }
  }
}

extension RecordingStage {
  fileprivate var keys: [String] { Self.settings.keys.map(\.text) }
}
