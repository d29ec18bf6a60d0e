import SluiceReadings
import SluiceStages
import XCTest

@testable import SluicePipeline

/// Sources with stages of their own.
final class SourcePlanTests: XCTestCase {
  private func plan(_ text: String, _ kind: (any SourceKind.Type)? = nil) throws -> SourcePlan {
    try kind.map { try SourcePlan(text, of: $0) } ?? SourcePlan(argument: text)
  }

  private func fault(_ text: String) -> String {
    do throws(SluiceError) {
      _ = try SourcePlan(text)
      return "none"
    } catch {
      return error.cause
    }
  }

  func testStagesStandBehindASource() throws {
    XCTAssertEqual(try plan("timer:1ms"), SourcePlan(try SourceSpec("timer:1ms")))
    XCTAssertEqual(
      try plan("walk=iio:bmi160:accel_x,throttle=1s,sample-rate=400,accel_y,first"),
      SourcePlan(
        try SourceSpec("walk=iio:bmi160:accel_x,sample-rate=400,accel_y"),
        stages: [.throttle(for: .seconds(1), latest: false)]))
    XCTAssertEqual(
      try plan("door=gpiochip0:17,every=10", GPIOSource.self),
      SourcePlan(try SourceSpec("door=gpio:gpiochip0:17"), stages: [.every(10)]))
  }

  /// The order is that of the options, however they are written.
  func testTheOrderIsThatOfTheOptions() throws {
    XCTAssertEqual(
      try plan("sim:imu,collect=5,dedupe,every=2,where=accel_x > 1,seed=7").stages,
      [.where(try Expression("accel_x > 1")), .dedupe, .every(2), .collect(5)])
  }

  func testAValueMayHaveCommas() throws {
    XCTAssertEqual(
      try plan("gpio:c:1,2,collect=50,1s,edges=rising,pulses=a=0.5:l,start=1234.5,quadrature=knob=a,b,start=4"),
      SourcePlan(
        try SourceSpec("gpio:c:1,2,edges=rising"),
        stages: [
          .pulses(
            try XCTUnwrap(ExactDecimal("0.5")), unit: "l", line: "a", start: try XCTUnwrap(ExactDecimal("1234.5"))),
          .quadrature("a", "b", stream: "knob", start: 4), .collect(50, orFor: .seconds(1)),
        ]))
    XCTAssertEqual(
      try plan("iio:x,select=a,b,scale=a=1.8,32,F,reduce=1m:min,max,si").stages,
      [
        .select(["a", "b"]),
        .scale(
          Scale(
            channel: "a", gain: ExactDecimal(significand: 18, exponent: -1), offset: ExactDecimal(significand: 32),
            unit: "F")),
        .reduce(.seconds(60), [.min, .max]),
      ])
    XCTAssertEqual(
      try plan("iio:x,on-change=a=1,on-change=b=2").stages,
      [.onChange([("a", .one), ("b", ExactDecimal(significand: 2))])])
  }

  func testAConditionMayHaveCommas() throws {
    XCTAssertEqual(
      try plan(#"sim:imu,where="a,b" >= 1 and c == 2,seed=7"#),
      SourcePlan(
        try SourceSpec("sim:imu,seed=7"), stages: [.where(try Expression(#""a,b" >= 1 and c == 2"#))]))
  }

  func testEveryStageHasAName() {
    let names = StageText.words.map(\.name).filter { $0 != "first" }.map { $0 == "frequency-of" ? "frequency" : $0 }
    XCTAssertEqual(names, Stages.names.filter { $0 != "buffer" })
  }

  func testFaults() {
    for (text, sentence) in [
      (
        "sim:imu,throttle=1x",
        #"sim:imu,throttle=1x: throttle takes T[:first], not "1x": the units of time are ns, us, ms, s, m, h and d"#
      ),
      ("sim:imu,every=0", #"sim:imu,every=0: every takes N, not "0": N is a whole number, 1 or more"#),
      ("sim:imu,every=2,every=3", "sim:imu,every=2,every=3: every is given twice"),
      ("sim:imu,first", "sim:imu,first: first says what throttle keeps; give throttle T:first instead"),
      ("sim:imu,dedupe=maybe", #"sim:imu,dedupe=maybe: dedupe takes true or false, not "maybe""#),
      ("sim:imu,buffer=5", "sim:imu,buffer=5: buffer is for all sources, or for one output; give --buffer instead"),
      (
        "sim:imu,resample=1s,reduce=1s",
        "sim:imu,resample=1s,reduce=1s: resample and reduce both combine readings; give only one of them"
      ),
      (
        "iio:x,collect=5,sampel-rate=4",
        "iio:x,sampel-rate=4: iio has no setting sampel-rate; did you mean sample-rate?"
      ),
      ("sim:imu,trottle=1s", "sim:imu,trottle=1s: sim has no setting trottle; did you mean throttle?"),
      ("timer:1s,trottle=1s", "timer:1s,trottle=1s: timer has no settings, and so no trottle; did you mean throttle?"),
      ("can:can0,dcb=x", "can:can0,dcb=x: can has no setting dcb; it has dbc, id, clock, fd, reconnect"),
      (
        "gpio:c:1,settle=1ms,settle=a=2ms",
        "gpio:c:1,settle=1ms,settle=a=2ms: a line takes one decoder and one settle: name each line once, as LINE=, or use one of them for all lines"
      ),
    ] { XCTAssertEqual(fault(text), sentence) }
    XCTAssertTrue(
      fault("sim:imu,where=accel_x >").hasPrefix(#"sim:imu,where=accel_x >: where takes CONDITION, not "accel_x >": "#))
  }

  // MARK: JSON

  private static let document =
    #"{"version": 2, "sources": [{"kind": "sim", "what": "imu", "stages": [{"stage": "every", "count": 2}]}, "#
    + #"{"kind": "timer", "what": "1s"}], "outputs": [{"path": "x"}]}"#

  /// The settings that only a kind has may stand beside "what" too, where people look for them in a station file.
  func testOwnSettingsBesideWhat() throws {
    for (what, settings) in [
      ("sim:imu@200", ["seed": "7", "gaps": "2"]),
      ("can:can0,fd", ["dbc": "car.dbc", "id": "123+18FF0000/1FFF0000", "clock": "hardware"]),
      ("lines:-", ["as": "csv", "time": "t", "names": "a+b"]),
      ("serial:/dev/ttyUSB0@9600", ["dtr": "off", "as": "nmea"]), ("udp:5000", ["as": "pairs"]),
      ("exec:read 'a,b'", ["as": "csv"]), ("lines:/run/a", [#"match"#: #"(?<a>\d+),(?<b>\d+)"#]),
    ] {
      let kind = try XCTUnwrap(try SourceSpec(what).kind as (any SourceKind.Type)?)
      let order = kind.ownSettings.filter { settings[$0] != nil }
      XCTAssertEqual(order.count, settings.count, what)
      let text = what + order.map { ",\($0)=\(settings[$0] ?? "")" }.joined()
      let members = [("kind", kind.name), ("what", String(what.drop { $0 != ":" }.dropFirst()))] + settings
      let json = "{\(members.map { "\(quoted($0.0)): \(quoted($0.1))" }.joined(separator: ", "))}"
      XCTAssertEqual(try SourceSpec(plan: PlanNode(json: JSON(parsing: json.utf8))), try SourceSpec(text), text)
    }
  }

  /// What is beside "what" is one setting, and no part of a program.
  func testOwnSettingsThatAreMore() throws {
    func fault(_ members: String) -> String {
      let json = #"{"version": 1, "sources": [{\#(members)}], "outputs": [{"path": "x"}]}"#
      do {
        return "\(try RecordingPlan(json: Array(json.utf8), name: "p").sources[0].spec.what)"
      } catch {
        return "\(error)".replacingOccurrences(of: "cannot use the plan p: sources[0].", with: "")
      }
    }
    for (members, sentence) in [
      (#""kind": "exec", "what": "/bin/x", "as": "a,b""#, #"as takes a text without commas and quotes, not "a,b""#),
      (#""kind": "exec", "what": "a 'b", "as": "csv""#, #"as must be written in "what" there"#),
      (#""kind": "exec", "what": "a,match=(b)", "as": "csv""#, #"as must be written in "what" there"#),
      (#""kind": "can", "what": "can0", "dbc": "a,fd""#, #"dbc takes a text without commas and quotes, not "a,fd""#),
      (#""kind": "can", "what": "can0", "id": true"#, "id takes a text, not true"),
      (#""kind": "can", "what": "can0", "id": 123, "fd": true"#, "can0,id=123,fd"),
      (#""kind": "can", "what": "can0", "fd": false"#, "can0"),
      (#""kind": "can", "what": "can0", "fd": "yes""#, #"fd takes true or false, not "yes""#),
    ] { XCTAssertEqual(fault(members), sentence) }
  }

  func testAPlanWithStagesOfASourceIsVersion2() throws {
    let plan = RecordingPlan(
      input: .sources([try SourcePlan("sim:imu,every=2"), try SourcePlan("timer:1s")]), outputs: [OutputPlan("x")])
    XCTAssertEqual(plan.json.text, Self.document)
    XCTAssertEqual(try RecordingPlan(json: Array(Self.document.utf8), name: "x"), plan)
    try plan.validate()
  }

  /// Version 1 is read, and what needs no more is written as version 1.
  func testAPlanWithoutThemIsVersion1() throws {
    let text =
      #"{"version": 1, "sources": [{"kind": "sim", "what": "imu"}], "stages": [{"stage": "buffer"}], "#
      + #""outputs": [{"path": "x"}]}"#
    XCTAssertEqual(try RecordingPlan(json: Array(text.utf8), name: "x").json.text, text)
    XCTAssertEqual(
      try RecordingPlan(json: Array(text.replacing(#""version": 1"#, with: #""version": 2"#).utf8), name: "x").json
        .text,
      text)
  }

  func testAPlanWithStagesOfAnOutputIsVersion2() throws {
    var slow = OutputPlan("slow.csv")
    slow.stages = [.every(10)]
    slow.buffer = OutputPlan.Buffer(1_000, whenFull: .dropNewest)
    let plan = RecordingPlan(sources: [try SourceSpec("timer:1s")], outputs: [OutputPlan("x"), slow])
    let text =
      #"{"version": 2, "sources": [{"kind": "timer", "what": "1s"}], "outputs": [{"path": "x"}, {"path": "slow.csv", "#
      + #""stages": [{"stage": "every", "count": 10}], "buffer": {"size": 1000, "when-full": "drop-newest"}}]}"#
    XCTAssertEqual(plan.json.text, text)
    XCTAssertEqual(try RecordingPlan(json: Array(text.utf8), name: "x"), plan)
    XCTAssertEqual(
      fault(of: text.replacing(#""version": 2"#, with: #""version": 1"#)),
      "version is 1, and outputs[1].stages needs version 2")
    XCTAssertEqual(
      fault(of: text.replacing(#""size": 1000"#, with: #""size": 0"#)),
      "outputs[1].buffer.size takes a whole number of 1 or more, not 0")
    XCTAssertEqual(
      fault(of: text.replacing(#""stage": "every", "count": 10"#, with: #""stage": "buffer""#)),
      "outputs[1].stages[0]: the buffer of an output is not one of its stages; write it as \"buffer\" of the output")
    XCTAssertEqual(
      fault(of: text.replacing(#""stage": "every", "count": 10"#, with: #""stage": "pulses", "amount": 1"#)),
      "outputs[1].stages[0]: pulses has a total, which goes on in the next run; write it into the \"stages\" of the plan, or of its source"
    )
  }

  private func fault(of text: String) -> String {
    do throws(SluiceError) {
      _ = try RecordingPlan(json: Array(text.utf8), name: "x")
      return "none"
    } catch {
      return error.cause
    }
  }

  func testFaultsOfADocument() {
    XCTAssertEqual(
      fault(of: Self.document.replacing(#""version": 2"#, with: #""version": 1"#)),
      "version is 1, and sources[0].stages needs version 2")
    XCTAssertEqual(
      fault(of: Self.document.replacing(#""every", "count": 2"#, with: #""buffer""#)),
      "sources[0].stages[0]: a buffer is for all sources, or for one output; write it into the \"stages\" of the plan")
    XCTAssertEqual(
      fault(of: Self.document.replacing(#""count": 2"#, with: #""count": 0"#)),
      "sources[0].stages[0].count takes a whole number of 1 or more, not 0")
  }
}
