import SluiceReadings
import SluiceRecording
import SluiceStages
import XCTest

@testable import SluicePipeline

final class RecordingPlanErrorTests: XCTestCase {
  /// What is said about a plan that is otherwise right.
  /// - Parameter members: Such as `"limits": {"count": 0}`. A plan has a timer and an output unless they say another.
  private func sentence(_ members: String, file: StaticString = #filePath, line: UInt = #line) -> String {
    var all = [members]
    if !members.contains("\"version\"") { all.insert("\"version\": 1", at: 0) }
    if !members.contains("\"sources\""), !members.contains("\"replay\"") {
      all.append(#""sources": [{"kind": "timer", "what": "1ms"}]"#)
    }
    if !members.contains("\"outputs\"") { all.append(#""outputs": [{"path": "x.csv"}]"#) }
    return error("{\(all.filter { !$0.isEmpty }.joined(separator: ", "))}", file: file, line: line)?.description ?? ""
  }

  private func error(_ text: String, file: StaticString = #filePath, line: UInt = #line) -> SluiceError? {
    do throws(SluiceError) {
      _ = try RecordingPlan(json: Array(text.utf8), name: "walk.json")
      XCTFail("taken: \(text)", file: file, line: line)
      return nil
    } catch {
      return error
    }
  }

  /// Members of a plan, and the end of the sentence.
  static let sentences: [(String, String)] = [
    // Objects and keys.
    (#""sorces": []"#, #"sorces: there is no such key; did you mean sources?"#),
    (
      #""x": 1"#,
      "x: there is no such key; the keys are version, name, sources, replay, stages, outputs, limits, sync, pause-mode, spill, sending, start-paused, meta"
    ),
    (#""limits": {"cuont": 1}"#, "limits.cuont: there is no such key; did you mean count?"),
    (
      #""outputs": [{"path": "x", "lay-out": "long"}]"#,
      "outputs[0].lay-out: there is no such key; did you mean layout?"
    ),
    (#""replay": {"file": "x", "tim-unit": 1}"#, "replay.tim-unit: there is no such key; did you mean time-unit?"),
    (#""meta": [{"key": "a", "vlue": 1}]"#, "meta[0].vlue: there is no such key; did you mean value?"),
    (
      #""sources": [{"kind": "timer", "what": "1s"}, {"kind": "iio", "what": "a", "sampel-rate": "400"}]"#,
      "sources[1].sampel-rate: iio has no such setting; did you mean sample-rate?"
    ),
    (
      #""sources": [{"kind": "timer", "what": "1s", "edges": "both"}]"#,
      "sources[0].edges: timer has no such setting; the keys are kind, what, name, stages"
    ),
    (
      #""stages": [{"stage": "every", "count": 1}, {"stage": "throttle", "intervall": "1s"}]"#,
      "stages[1].intervall: throttle has no such setting; did you mean interval?"
    ),
    (
      #""stages": [{"stage": "buffer", "speed": 1}]"#,
      "stages[0].speed: buffer has no such setting; the keys are size, when-full, stage"
    ),
    (
      #""version": 2, "stages": [{"stage": "while", "condition": "a > 1"}], "outputs": [{"path": "x"}, {"path": "y", "stages": [{"stage": "around", "condition": "b > 1", "after": "1s"}]}]"#,
      "outputs[1] gets the windows of two stages, while and around: leave out one of them"
    ),
    // Versions.
    (#""version": 3, "x": 1"#, "version is 3, and this sluice reads plans up to version 2; use a newer sluice"),
    (
      #""sources": [{"kind": "timer", "what": "1s", "stages": [{"stage": "dedupe"}]}]"#,
      "version is 1, and sources[0].stages needs version 2"
    ),
    (#""version": 0"#, "version takes a whole number of 1 or more, not 0"),
    (#""version": "one""#, "version takes a whole number of 1 or more, not \"one\""),
    (#""version": null"#, "it has no \"version\""),
    // Sources.
    (#""sources": []"#, "it has no \"sources\" and no \"replay\": say what to record"),
    (
      #""sources": [{"kind": "timer", "what": "1s"}], "replay": {"file": "x"}"#,
      "it has \"sources\" and a \"replay\": leave out one of them"
    ),
    (#""sources": {}"#, "sources takes a list, not an object"),
    (#""sources": ["timer:1s"]"#, "sources[0] takes an object, not \"timer:1s\""),
    (#""sources": [null]"#, "sources[0] takes an object, not null"),
    (#""sources": [{"what": "1s"}]"#, "sources[0] has no \"kind\""),
    (#""sources": [{"kind": "timer"}]"#, "sources[0] has no \"what\""),
    (#""sources": [{"kind": 5, "what": "1s"}]"#, "sources[0].kind takes a text, not 5"),
    (
      #""sources": [{"kind": "gpoi", "what": "c:1"}]"#,
      "sources[0].kind: there is no kind of source \"gpoi\"; did you mean gpio?"
    ),
    (
      #""sources": [{"kind": "camera", "what": "c:1"}]"#,
      "sources[0].kind: there is no kind of source \"camera\"; there are gpio, gpio-name, gpio-values, iio, iio-events, input, pps, can, lines, serial, exec, tcp, udp, poll, timer, sim, marks"
    ),
    (#""sources": [{"kind": "timer", "what": "10"}]"#, "sources[0].what: timer takes PERIOD, such as 10ms"),
    (
      #""sources": [{"kind": "gpio", "what": "METER"}]"#,
      "sources[0].what: say which lines of which chip, such as gpiochip0:3,4; names alone are of the kind gpio-name"
    ),
    (
      #""sources": [{"kind": "iio", "what": "a:x,sample-rate=400"}]"#,
      "sources[0].what: sample-rate is a setting; write it beside \"what\""
    ),
    (
      #""sources": [{"kind": "iio", "what": "a:x,edges=both"}]"#,
      "sources[0].what: iio has no setting edges; it has sample-rate, trigger, watermark, latency, length, reconnect, si"
    ),
    (
      #""sources": [{"kind": "timer", "what": "1s", "name": ""}]"#,
      "sources[0].name is empty; leave it out for the names of the devices"
    ),
    (
      #""sources": [{"kind": "timer", "what": "1s", "name": "a,b"}]"#,
      "sources[0].name: the name \"a,b\" has a comma, which separates cells and sources"
    ),
    (
      #""sources": [{"kind": "timer", "what": "1s", "name": "a:b"}]"#,
      "sources[0].name: the name \"a:b\" has a colon or an equals sign, which end a name where a source is written"
    ),
    // Settings.
    (
      #""sources": [{"kind": "gpio", "what": "c:1", "edges": "up"}]"#,
      "sources[0].edges takes both, rising, falling, not \"up\""
    ),
    (
      #""sources": [{"kind": "gpio", "what": "c:1", "edges": true}]"#,
      "sources[0].edges takes both, rising, falling, not true"
    ),
    (
      #""sources": [{"kind": "gpio", "what": "c:1", "active-low": 1}]"#,
      "sources[0].active-low takes true or false, not 1"
    ),
    (
      #""sources": [{"kind": "gpio", "what": "c:1", "debounce": 5}]"#,
      "sources[0].debounce takes a time with its unit, such as 10ms, or a rate, such as 100Hz, not 5"
    ),
    (#""sources": [{"kind": "gpio", "what": "c:1", "fifo": 1}]"#, "sources[0].fifo takes 2 to 1024, not 1"),
    (#""sources": [{"kind": "gpio", "what": "c:1", "consumer": 5}]"#, "sources[0].consumer takes a text, not 5"),
    (
      #""sources": [{"kind": "iio", "what": "a", "watermark": 1.5}]"#,
      "sources[0].watermark takes a whole number, not 1.5"
    ),
    (#""sources": [{"kind": "iio", "what": "a", "length": []}]"#, "sources[0].length takes a whole number, not a list"),
    (
      #""sources": [{"kind": "iio", "what": "a", "sample-rate": true}]"#,
      "sources[0].sample-rate takes a number of hertz, such as 200 or 12.5, not true"
    ),
    (
      #""sources": [{"kind": "iio", "what": "a", "watermark": 5, "latency": "1ms"}]"#,
      "sources[0].watermark and latency set the same thing: give one of them"
    ),
    // Replays.
    (#""replay": "x.csv""#, "replay takes an object, not \"x.csv\""),
    (#""replay": {}"#, "replay has no \"file\""),
    (#""replay": {"files": ["x", ""]}"#, "replay.files[1] is empty: give a file, a folder, or - for standard input"),
    (#""replay": {"files": ["x", "x"]}"#, #"replay.files[1]: "x" is read already"#),
    (#""replay": {"files": ["x", 1]}"#, "replay.files[1] takes a text, not 1"),
    (
      #""replay": {"file": "x", "files": ["y"]}"#,
      #"replay.files has several traces, but "file" has one: leave out one of them"#
    ),
    (#""replay": {"file": "x", "select": [""]}"#, #"replay.select takes STREAM, STREAM.channel or channel, not """#),
    (#""replay": {"files": []}"#, #"replay has no "file""#),
    (#""replay": {"file": ""}"#, "replay.file is empty: give a file, a folder, or - for standard input"),
    (
      #""replay": {"file": "x", "columns": "a"}"#, "replay.columns takes a list, not \"a\""
    ),
    (
      #""replay": {"file": "x", "columns": ["a", null]}"#,
      "replay.columns takes names and numbers of columns, not null"
    ),
    (#""replay": {"file": "x", "time-unit": "h"}"#, "replay.time-unit takes s, ms, us, ns, iso, not \"h\""),
    (#""replay": {"file": "x", "rate": 0}"#, "replay.rate takes a number above 0, or max, not 0"),
    (
      #""replay": {"file": "x", "max-gap": "1s"}"#,
      "replay.max-gap shortens the waits of \"rate\": give \"rate\" too"
    ),
    (
      #""replay": {"file": "x", "rate": 1, "max-gap": 1}"#,
      "replay.max-gap takes a time with its unit, such as 250us, 10ms or 2s, not 1"
    ),
    (
      #""replay": {"file": "x", "reorder": "0s"}"#,
      "replay.reorder takes a time with its unit, such as 250us, 10ms or 2s, not \"0s\""
    ),
    (#""replay": {"file": "x", "loop": 0}"#, "replay.loop takes a number of rounds above 0, or forever, not 0"),
    (
      #""replay": {"file": "-", "loop": 2}"#,
      "replay.loop reads the trace several times, but standard input can be read only once: write it to a file first"
    ),
    (#""replay": {"file": "x", "rate": "inf"}"#, "replay.rate takes a number above 0, or max, not \"inf\""),
    (
      #""replay": {"file": "x", "from": "5"}"#,
      "replay.from takes a time after the first reading, such as 10s, or a date of 1678 to 2261, such as 2026-11-21T12:00:00Z, not \"5\""
    ),
    (
      #""replay": {"file": "x", "from": "2026-11-21", "to": "2026-11-20T23:59:59Z"}"#,
      "replay.to is not later than \"from\""
    ),
    (
      #""replay": {"file": "x", "to": "5s", "duration": "5s"}"#,
      "replay.to and \"duration\" both say where the part ends: give one of them"
    ),
    (
      #""replay": {"file": "x"}, "limits": {"duration": "1s"}"#,
      "limits.duration is for sources; write replay.duration instead"
    ),
    (
      #""replay": {"file": "x"}, "limits": {"count": 1}"#,
      "limits.count is for sources, and a replay has none; leave it out"
    ),
    (
      #""replay": {"file": "x"}, "limits": {"idle-timeout": "1s"}"#,
      "limits.idle-timeout is for sources, and a replay has none; leave it out"
    ),
    (
      #""replay": {"file": "x"}, "limits": {"max-clock-error": "1s"}"#,
      "limits.max-clock-error is for sources, and a replay has none; leave it out"
    ),
    (
      #""replay": {"file": "x"}, "limits": {"grace": 10}"#,
      "limits.grace takes a time with its unit, such as 250us, 10ms or 2s, not 10"
    ),
    (
      #""replay": {"file": "x"}, "limits": {"min-free": "100MB"}"#,
      "limits.min-free takes an amount of data, such as 512k, 100M or 1G, not \"100MB\""
    ),
    (
      #""replay": {"file": "x"}, "pause-mode": "discard""#,
      "pause-mode is for sources, and a replay has none; leave it out"
    ),
    (
      #""replay": {"file": "x"}, "start-paused": true"#,
      "start-paused is for sources, and a replay has none; leave it out"
    ),
    // Stages.
    (#""stages": [{"size": 1}]"#, "stages[0] has no \"stage\""),
    (#""stages": [{"stage": "throtle"}]"#, "stages[0].stage: there is no stage \"throtle\"; did you mean throttle?"),
    (
      #""stages": [{"stage": "low-pass"}]"#,
      "stages[0].stage: there is no stage \"low-pass\"; there are \(Stages.names.joined(separator: ", "))"
    ),
    (
      #""stages": [{"stage": "buffer", "size": -1}]"#, "stages[0].size takes a whole number of 0 or more, not -1"
    ),
    (
      #""stages": [{"stage": "buffer", "size": 9223372036854775807}]"#,
      "stages[0].size takes at most 1,000,000,000 readings of each stream, not 9223372036854775807"
    ),
    (
      #""stages": [{"stage": "buffer", "size": 0, "when-full": "fail"}]"#,
      "stages[0].when-full says what a full buffer does, but size 0 means no buffer; leave out one of them"
    ),
    (
      #""stages": [{"stage": "buffer", "when-full": "stop"}]"#,
      "stages[0].when-full takes drop-oldest, drop-newest, fail, spill, not \"stop\""
    ),
    (#""stages": [{"stage": "every"}]"#, "stages[0] has no \"count\""),
    (#""stages": [{"stage": "every", "count": 0}]"#, "stages[0].count takes a whole number of 1 or more, not 0"),
    (#""stages": [{"stage": "throttle"}]"#, "stages[0] has no \"interval\""),
    (
      #""stages": [{"stage": "throttle", "interval": "0s"}]"#,
      "stages[0].interval takes a time with its unit, such as 10ms, or a rate, such as 100Hz, not \"0s\""
    ),
    (
      #""stages": [{"stage": "throttle", "interval": "1s", "keep": "all"}]"#,
      "stages[0].keep takes latest, first, not \"all\""
    ),
    (
      #""stages": [{"stage": "collect"}]"#,
      "stages[0] has neither \"count\" nor \"interval\": say when a group is complete"
    ),
    (
      #""stages": [{"stage": "collect", "count": {}}]"#,
      "stages[0].count takes a whole number of 1 or more, not an object"
    ),
    // Outputs.
    (#""outputs": []"#, "it has no \"outputs\": say where to write"),
    (#""outputs": [{}]"#, "outputs[0] has no \"path\""),
    (#""outputs": [{"path": ""}]"#, "outputs[0].path is empty: say a file, a folder, or - for standard output"),
    (#""outputs": [{"path": "x", "layout": "tall"}]"#, "outputs[0].layout takes wide, long, not \"tall\""),
    (
      #""outputs": [{"path": "x", "existing": "keep"}]"#,
      "outputs[0].existing takes refuse, append, overwrite, not \"keep\""
    ),
    (
      #""outputs": [{"path": "x", "rotate": "often"}]"#,
      "outputs[0].rotate takes a size, a time, or both, such as 100M, 1h or 1h,100M, not \"often\""
    ),
    (
      #""outputs": [{"path": "x", "rotate": "1h,1d"}]"#,
      "outputs[0].rotate takes a size, a time, or both, such as 100M, 1h or 1h,100M, not \"1h,1d\""
    ),
    (
      #""outputs": [{"path": "x", "rotate": 100}]"#,
      "outputs[0].rotate takes a size, a time, or both, such as 100M, 1h or 1h,100M, not 100"
    ),
    (
      #""outputs": [{"path": "x", "rotate": "1h", "keep": "100"}]"#,
      "outputs[0].keep takes an age, a size, a number of parts, or several of them, such as 7d, 10G or 100parts, not \"100\""
    ),
    (
      #""outputs": [{"path": "x", "keep": "7d"}]"#, "outputs[0].keep is for parts: give \"rotate\" too"
    ),
    (
      #""outputs": [{"path": "-", "rotate": "1h"}]"#,
      "outputs[0].rotate needs a file, and - is standard output, which has no parts"
    ),
    (
      #""outputs": [{"path": "x", "rotate": "1h", "existing": "overwrite"}]"#,
      "outputs[0].existing cannot overwrite parts: remove the old parts, or append new ones"
    ),
    (
      #""sync": "always""#,
      "sync takes a time with its unit, such as 10ms, or a rate, such as 100Hz, batch or none, not \"always\""
    ),
    (#""outputs": [{"path": "x", "time": "utc"}]"#, "outputs[0].time takes ns, relative, iso, not \"utc\""),
    (#""outputs": [{"path": "x", "decimals": 19}]"#, "outputs[0].decimals takes 0 to 18, not 19"),
    (
      #""outputs": [{"path": "x", "decimals": 2, "raw": true}]"#,
      "outputs[0].decimals rounds values, but \"raw\" writes them as the device gave them: give one of them"
    ),
    (
      #""outputs": [{"path": "x", "time": "relative", "existing": "append"}]"#,
      "outputs[0].time relative starts again at 0 in each run, so an appended file would mix times of different runs: use iso"
    ),
    (#""outputs": [{"path": "x", "raw": "yes"}]"#, "outputs[0].raw takes true or false, not \"yes\""),
    (
      #""outputs": [{"path": "-", "existing": "append"}]"#,
      "outputs[0].existing needs a file, and - is standard output, which always begins with a header"
    ),
    (#""outputs": [{"path": "x"}, {"path": "y"}, {"path": "x"}]"#, "outputs[2].path: \"x\" is an output already"),
    (
      #""sources": [{"kind": "timer", "what": "1s"}, {"kind": "iio", "what": "a", "si": true}], "outputs": [{"path": "x", "raw": true}]"#,
      "outputs[0].raw writes what the device gave, and sources[1].si another unit: leave out one of them"
    ),
    // Limits and the rest.
    (#""limits": []"#, "limits takes an object, not a list"),
    (#""limits": {"count": "x"}"#, "limits.count takes a whole number of 1 or more, not \"x\""),
    (#""limits": {"count": 0}"#, "limits.count takes a whole number of 1 or more, not 0"),
    (
      #""limits": {"count": 9223372036854775808}"#,
      "limits.count takes a whole number of 1 or more, not 9223372036854775808"
    ),
    (#""limits": {"max-loss": -1}"#, "limits.max-loss takes a whole number of 0 or more, not -1"),
    (
      #""limits": {"duration": 90}"#,
      "limits.duration takes a time with its unit, such as 250us, 10ms or 2s, not 90"
    ),
    (#""pause-mode": "stop""#, "pause-mode takes hold, discard, spill, not \"stop\""),
    (#""start-paused": 1"#, "start-paused takes true or false, not 1"),
    (#""meta": [{"key": "a"}]"#, "meta[0] has no \"value\""),
    (#""meta": [{"key": "", "value": "b"}]"#, "meta[0].key is empty: give the value a name"),
    (#""meta": [{"key": "a", "value": 5}]"#, "meta[0].value takes a text, not 5"),
    (
      #""meta": [{"key": "a", "value": "b"}, {"key": "a", "value": "c"}]"#, "meta[1].key: \"a\" is noted twice"
    ),
    (
      #""meta": [{"key": "a", "value": "b"}], "outputs": [{"path": "-"}]"#,
      "meta is noted beside a file, and standard output has no metadata: leave out one of them"
    ),
  ]

  func testEachErrorIsASentenceWithItsPlace() {
    for (members, end) in Self.sentences {
      XCTAssertEqual(sentence(members), "cannot use the plan walk.json: \(end)", members)
    }
  }

  func testLongTextsAreCut() {
    let long = String(repeating: "x", count: 100)
    XCTAssertEqual(
      sentence(#""pause-mode": "\#(long)""#),
      "cannot use the plan walk.json: pause-mode takes hold, discard, spill, not \"\(long.prefix(64))...\"")
  }

  func testTextsThatAreNone() {
    func error(_ member: String) -> String? {
      self.error(
        #"{"version": 1, "sources": [{"kind": "sim", "what": "imu"}], "outputs": [{"path": "t.csv"}], \#(member)}"#)?
        .description
    }
    let start = "cannot use the plan walk.json: stages[0]"
    XCTAssertEqual(
      error(#""stages": [{"stage": "on-change", "tolerance": [1]}]"#), "\(start).tolerance[0] takes a text, not 1")
    XCTAssertEqual(
      error(#""stages": [{"stage": "reduce", "interval": "1s", "functions": [null]}]"#),
      "\(start).functions[0] takes a text, not null")
    XCTAssertEqual(
      self.error(#"{"version": 1, "replay": {"file": "a\u0000.csv"}, "outputs": [{"path": "t.csv"}]}"#)?.description,
      "cannot use the plan walk.json: replay.file has a NUL character")
    for (member, place) in [
      (#""sources": [{"kind": "sim", "what": "imu"}], "outputs": [{"path": "a\nb"}]"#, "outputs[0].path"),
      (#""replay": {"file": "a\u001b[2J"}, "outputs": [{"path": "b"}]"#, "replay.file"),
      (#""sources": [{"kind": "lines", "what": "a\r"}], "outputs": [{"path": "b"}]"#, "sources[0].what"),
      (
        #""sources": [{"kind": "can", "what": "can0", "dbc": "a\nb"}], "outputs": [{"path": "b"}]"#, "sources[0].dbc"
      ),
      (#""name": "a\u2028b", "sources": [{"kind": "sim", "what": "imu"}], "outputs": [{"path": "b"}]"#, "name"),
      (
        #""sources": [{"kind": "sim", "what": "imu"}], "sending": {"spool": "a\nb"}, "outputs": [{"path": "http://h/write?db=x"}]"#,
        "sending.spool"
      ),
    ] {
      XCTAssertEqual(
        self.error(#"{"version": 2, \#(member)}"#)?.description,
        "cannot use the plan walk.json: \(place) has a line feed or another control character")
    }
    XCTAssertEqual(
      self.error(
        #"{"version": 1, "sources": [{"kind": "sim", "what": "imu"}], "outputs": [{"path": "a\u0000b.csv"}]}"#)?
        .description,
      "cannot use the plan walk.json: outputs[0].path has a NUL character")
    XCTAssertEqual(
      error(#""limits": {"count": 1e400}"#),
      "cannot use the plan walk.json: limits.count takes a whole number of 1 or more, not 1e400")
  }

  func testWhatIsNoJSON() {
    for (text, end) in [
      ("", "it is empty"),
      ("{\"version\": 1,\n  \"sources\" []}", "it is not JSON: line 2, column 13 should have a colon"),
      (
        "{\"version\": 1, \"version\": 1}",
        "it is not JSON: line 1, column 16 has the key \"version\" for the second time"
      ),
      (
        "{\"\\x\": 1}",
        "it is not JSON: line 1, column 2 has a text that is not UTF-8, or has an escape that JSON does not know"
      ),
    ] {
      let error = error(text)
      XCTAssertEqual(error?.description, "cannot read the plan walk.json: \(end)", text)
      XCTAssertEqual(error?.code, .usage, "the service is not started again because of it")
    }
    XCTAssertEqual(error("[]")?.description, "cannot use the plan walk.json: it takes an object, not a list")
    XCTAssertEqual(error("null")?.description, "cannot use the plan walk.json: it takes an object, not null")
    XCTAssertEqual(error("5")?.code, .usage)
    XCTAssertThrowsError(try RecordingPlan(json: [0x22, 0xff, 0x22], name: "x"))
  }

  func testAPlanMadeInSwiftHasTheSameLimits() throws {
    func refusal(_ change: (inout RecordingPlan) throws -> Void) throws -> String? {
      var plan = RecordingPlan(sources: [try SourceSpec("timer:1ms")], outputs: [OutputPlan("x.csv")])
      try change(&plan)
      do throws(SluiceError) {
        try plan.validate()
        return nil
      } catch {
        XCTAssertEqual(error.code, .usage)
        return error.description
      }
    }
    XCTAssertNil(try refusal { _ in })
    XCTAssertEqual(
      try refusal { $0.limits.count = 0 },
      "cannot use the plan: limits.count takes a whole number of 1 or more, not 0")
    XCTAssertEqual(
      try refusal { $0.stages = [.buffer(-1)] },
      "cannot use the plan: stages[0].size takes a whole number of 0 or more, not -1")
    XCTAssertEqual(
      try refusal { $0.stages = [.collect(0)] },
      "cannot use the plan: stages[0].count takes a whole number of 1 or more, not 0")
    XCTAssertEqual(
      try refusal { plan in
        var source = plan.sources[0]
        source.spec.name = "a/b"
        plan.input = .sources([source])
      },
      "cannot use the plan: sources[0].name: the name \"a/b\" has a slash, which no file's name can have; if it is a path, put a name before it: NAME=PATH"
    )
    XCTAssertEqual(
      try refusal { $0.input = .trace(ReplayPlan("x", rate: .infinity)) },
      "cannot use the plan: replay.rate takes a number above 0, or max, not \"inf\"")
    XCTAssertEqual(
      try refusal { $0.outputs[0].stages = [StagePlan(UnknownStage())] },
      "cannot use the plan: plans do not know the stage unknown; call Stages.add(UnknownStage.self) first")
    XCTAssertEqual(
      try refusal { $0.input = .sources([]) },
      "cannot use the plan: it has no \"sources\" and no \"replay\": say what to record")
  }

  func testASourceThatIsNone() {
    XCTAssertThrowsError(try SourceSpec("timer:10")) { error in
      XCTAssertEqual("\(error)", "cannot use a source: timer:10: timer takes PERIOD, such as 10ms")
      XCTAssertEqual((error as? SluiceError)?.code, .usage)
    }
  }
}

/// A stage that nobody has added.
private struct UnknownStage: RecordingStage {
  static let name = "unknown"
  static let settings = Settings<Self>(.required("count", \.count, .count(1...))) { Self(count: $0) }
  var count = 1

  func prepared(for inputs: InputStreams) -> PreparedStage { EveryStage(count).prepared(for: inputs) }
}
