import SluiceReadings
import XCTest

@testable import SluicePipeline
@testable import SluiceRecording

final class RecordingMetadataTests: XCTestCase {
  private let line = StreamDescription(name: "METER", channels: [StreamDescription.Channel(name: "level")])
  private let scans = StreamDescription(
    name: "bmi160",
    channels: [
      StreamDescription.Channel(
        name: "accel_x", unit: "m/s^2", format: "le:s16/16>>0",
        scale: ExactDecimal(significand: 598550, exponent: -9))
    ])

  private func metadata(
    _ stages: [StagePlan] = [.buffer(256)], trace: ReplayedTrace? = nil
  ) -> RecordingMetadata {
    RecordingMetadata(
      command: "record", arguments: ["gpio:0:METER", "-o", "a b"],
      plan: .init(
        RecordingPlan(
          sources: [],
          stages: stages,
          outputs: [OutputPlan("a b")])),
      streams: [[line, scans]],
      isWhole: [[true, true]],
      host: Host(name: "pi", system: "Linux", release: "6.12.1", machine: "aarch64"), version: "1.2.3",
      began: RecordingMetadata.Instant(time: 1_000, monotonicOffset: 700), trace: trace)
  }

  private let outcome = RecordingMetadata.Outcome(
    ended: RecordingMetadata.Instant(time: 9_000, monotonicOffset: 699), streams: [],
    accounts: [
      [
        StreamAccount(
          stream: "METER", received: 9, dropped: 1, suppressed: 2, discarded: 1, written: 4, unaccounted: 1),
        StreamAccount(
          stream: "bmi160", received: 5, dropped: 0, suppressed: 0, discarded: 0, written: 3, unwritten: 2),
      ]
    ],
    flagged: [
      [
        StreamFlags(
          gapBefore: FlaggedReadings(count: 2, times: [2_000, 3_000]),
          initialLevel: FlaggedReadings(count: 1, times: [1_100])),
        StreamFlags(),
      ]
    ],
    losses: [
      Loss(
        streams: ["METER"], reason: "lost in the kernel (gaps in sequence numbers)", count: 7, first: 2_000, last: 3_000
      ),
      Loss(streams: ["METER"], reason: "times removed", count: 1, countsReadings: false),
      Loss(streams: ["METER"], reason: "reads missed", count: 0),
      Loss(streams: ["bmi160"], reason: "missing (gaps in time)", count: 3, first: 5, last: 6),
    ],
    coverage: .some,
    errors: [SluiceError(.failed, "write", "a b", because: "no space left on device")])

  /// Nobody knows whether the write that was left behind has ended within a row.
  func testAnOutputThatWasGivenUpIsUnfinished() throws {
    var table = OutputFiles.Described.csv("t.csv", .wide, streams: 0..<1)
    var outcome = outcome
    outcome.accounts += outcome.accounts
    outcome.flagged += outcome.flagged
    var metadata = metadata()
    metadata.streams += metadata.streams
    metadata.isWhole += metadata.isWhole
    outcome.abandoned = [false, true]
    for (number, state) in ["finished", "unfinished"].enumerated() {
      table.output = number
      let text = metadata.document(of: table, outcome).json.text
      XCTAssertTrue(text.contains("\"sluice:state\": \"\(state)\""), text)
      XCTAssertTrue(text.contains("sluice:ledger"), text)
    }
  }

  func testWide() throws {
    let table = OutputFiles.Described.csv("out/a b.csv", .wide, streams: 0..<1)
    let metadata = metadata([
      .buffer(256, whenFull: .fail), .throttle(for: .milliseconds(10)),
      StagePlan(CollectStage(CollectLimit(count: 5, interval: TimeSpan(nanoseconds: 1_000_000_000)))),
    ])
    XCTAssertEqual(
      metadata.document(of: table, outcome, earlier: EarlierMetadata(runs: 2, beganAtByte: 4_096))
        .json.lines(),
      #"""
      {
        "@context": "http://www.w3.org/ns/csvw",
        "url": "a%20b.csv",
        "tableSchema": {
          "columns": [
            {
              "name": "time_ns",
              "titles": "time_ns",
              "datatype": "long",
              "required": true,
              "schema:unitText": "ns"
            },
            {"name": "METER", "titles": "METER", "datatype": "integer"}
          ]
        },
        "sluice:format": "csv",
        "sluice:version": "1.2.3",
        "sluice:state": "finished",
        "sluice:values": "scaled",
        "sluice:streams": [
          {
            "sluice:name": "METER",
            "sluice:channels": [{"sluice:name": "level", "sluice:scale": 1, "sluice:offset": 0}]
          }
        ],
        "sluice:pipeline": {
          "sluice:command": "record",
          "sluice:arguments": ["gpio:0:METER", "-o", "a b"],
          "sluice:plan": "{\"version\": 1, \"stages\": [{\"stage\": \"buffer\", \"size\": 256, \"when-full\": \"fail\"}, {\"stage\": \"throttle\", \"interval\": \"10ms\"}, {\"stage\": \"collect\", \"count\": 5, \"interval\": \"1s\"}], \"outputs\": [{\"path\": \"a b\"}]}"
        },
        "sluice:clocks": {
          "sluice:began_ns": 1000,
          "sluice:ended_ns": 9000,
          "sluice:monotonic_to_epoch_ns": 700,
          "sluice:monotonic_to_epoch_at_end_ns": 699
        },
        "sluice:host": {
          "sluice:name": "pi",
          "sluice:system": "Linux",
          "sluice:release": "6.12.1",
          "sluice:machine": "aarch64"
        },
        "sluice:began_at_byte": 4096,
        "sluice:earlier_runs": 2,
        "sluice:account_version": 1,
        "sluice:ledger": [
          {
            "sluice:stream": "METER",
            "sluice:received": 9,
            "sluice:late": 0,
            "sluice:dropped": 1,
            "sluice:suppressed": 2,
            "sluice:used": 0,
            "sluice:made": 0,
            "sluice:discarded": 1,
            "sluice:written": 4,
            "sluice:unwritten": 0,
            "sluice:unaccounted": 1
          }
        ],
        "sluice:losses": [
          {
            "sluice:streams": ["METER"],
            "sluice:reason": "lost in the kernel (gaps in sequence numbers)",
            "sluice:count": 7,
            "sluice:first_ns": 2000,
            "sluice:last_ns": 3000
          },
          {
            "sluice:streams": ["METER"],
            "sluice:reason": "times removed",
            "sluice:count": 1,
            "sluice:unit": "occasions"
          }
        ],
        "sluice:losses_shown": "some",
        "sluice:gap_before": [{"sluice:stream": "METER", "sluice:count": 2, "sluice:times_ns": [2000, 3000]}],
        "sluice:initial_level": [{"sluice:stream": "METER", "sluice:count": 1, "sluice:times_ns": [1100]}],
        "sluice:late": [],
        "sluice:pauses": [],
        "sluice:times_limit": 1000,
        "sluice:errors": ["cannot write a b: no space left on device"]
      }
      """#)
  }

  func testLongAndUnfinished() throws {
    let table = OutputFiles.Described.csv("all.csv", .long, streams: 0..<2, raw: true)
    XCTAssertEqual(
      metadata(
        trace: ReplayedTrace(file: "t.csv", hasMetadata: true, state: .unfinished, values: .raw)
      ).document(
        of: table, nil
      ).json.lines(),
      #"""
      {
        "@context": "http://www.w3.org/ns/csvw",
        "url": "all.csv",
        "tableSchema": {
          "columns": [
            {
              "name": "time_ns",
              "titles": "time_ns",
              "datatype": "long",
              "required": true,
              "schema:unitText": "ns"
            },
            {"name": "stream", "titles": "stream", "datatype": "string", "required": true},
            {"name": "channel", "titles": "channel", "datatype": "string", "required": true},
            {"name": "value", "titles": "value", "datatype": "integer"}
          ]
        },
        "sluice:format": "csv",
        "sluice:version": "1.2.3",
        "sluice:state": "unfinished",
        "sluice:values": "raw",
        "sluice:streams": [
          {
            "sluice:name": "METER",
            "sluice:channels": [{"sluice:name": "level", "sluice:scale": 1, "sluice:offset": 0}]
          },
          {
            "sluice:name": "bmi160",
            "sluice:channels": [
              {
                "sluice:name": "accel_x",
                "sluice:unit": "m/s^2",
                "sluice:format": "le:s16/16>>0",
                "sluice:scale": 0.000598550,
                "sluice:offset": 0
              }
            ]
          }
        ],
        "sluice:pipeline": {
          "sluice:command": "record",
          "sluice:arguments": ["gpio:0:METER", "-o", "a b"],
          "sluice:plan": "{\"version\": 1, \"stages\": [{\"stage\": \"buffer\", \"size\": 256}], \"outputs\": [{\"path\": \"a b\"}]}"
        },
        "sluice:clocks": {"sluice:began_ns": 1000},
        "sluice:host": {
          "sluice:name": "pi",
          "sluice:system": "Linux",
          "sluice:release": "6.12.1",
          "sluice:machine": "aarch64"
        },
        "sluice:trace": {"sluice:file": "t.csv", "sluice:state": "unfinished"}
      }
      """#)
  }

  /// A format whose rows have no flags gets them from here, also if the run was killed.
  func testTheRestartsOfATraceAreKnownFromTheBeginning() throws {
    var metadata = metadata(trace: ReplayedTrace(file: "t.csv", hasMetadata: true, state: .finished))
    metadata.restarts = [TraceMetadata.Restart(ended: 2_000, began: 3_000, streams: ["METER"])]
    let restarts =
      #""sluice:restarts": [{"sluice:ended_ns": 2000, "sluice:began_ns": 3000, "sluice:streams": ["METER"]}]"#
    for (streams, isOfThem) in [(0..<1, true), (1..<2, false)] {
      let text = metadata.document(of: .csv("a.csv", .long, streams: streams), nil).json.lines()
      XCTAssertEqual(text.filter { !$0.isWhitespace }.contains(restarts.filter { !$0.isWhitespace }), isOfThem, text)
    }
  }

  /// A file a stream: each tells of its own stream alone.
  func testOnlyWhatBelongsToTheFile() throws {
    let table = OutputFiles.Described.csv("d/bmi160.csv", .wide, streams: 1..<2)
    let text = metadata().document(of: table, outcome).json.lines()
    XCTAssertFalse(text.contains("\"METER\""), text)
    XCTAssertTrue(text.contains("\"sluice:reason\": \"missing (gaps in time)\""), text)
    XCTAssertTrue(text.contains("\"sluice:unwritten\": 2"), text)
    XCTAssertTrue(text.contains("\"sluice:gap_before\": [],"), text)
  }

  /// A source of several streams counts its losses for all of them together.
  func testALossOfSeveralStreamsNamesThem() throws {
    var outcome = outcome
    outcome.losses = [Loss(streams: ["METER", "bmi160"], reason: "times removed", count: 2)]
    for range in [0..<1, 1..<2] {
      let table = OutputFiles.Described.csv("t.csv", .wide, streams: range)
      let text = metadata().document(of: table, outcome).json.text
      XCTAssertTrue(text.contains("{\"sluice:streams\": [\"METER\", \"bmi160\"], \"sluice:reason\""), text)
    }
  }

  func testClocks() throws {
    var metadata = metadata()
    metadata.began.isSynchronised = false
    var changes = ClockChanges()
    changes.add(.init(time: 2_000, cause: .suspend, offset: 730, suspended: 30))
    changes.add(.init(time: 3_000, cause: .set, offset: 9_730))
    metadata.clockChanges = changes
    let table = OutputFiles.Described.csv("t.csv", .wide, streams: 0..<1)
    let first = """
      "sluice:changes": [{"sluice:at_ns": 2000, "sluice:cause": "suspend", "sluice:monotonic_to_epoch_ns": 730, \
      "sluice:suspended_ns": 30}, {"sluice:at_ns": 3000, "sluice:cause": "set", "sluice:monotonic_to_epoch_ns": 9730}
      """
    for outcome in [nil, outcome] {
      let text = metadata.document(of: table, outcome).json.text
      XCTAssertTrue(text.contains("\"sluice:synchronised\": false, \(first)]}"), text)
    }
    for number in Int64(1)...101 {
      _ = changes.exceed(from: number, 7)
      _ = changes.recover(at: number)
    }
    metadata.clockChanges = changes
    let clocks = try TraceMetadata(
      Array(metadata.document(of: table, nil).json.text.utf8), path: "t.csv-metadata.json"
    ).runs.last?.clocks
    XCTAssertEqual([clocks?.excesses.count, clocks?.excessCount], [100, 101])
    changes = ClockChanges()
    for change in metadata.clockChanges.first { changes.add(change) }
    for _ in 3...101 { changes.add(.init(time: 4_000, cause: .synchronised, offset: 9_730)) }
    metadata.clockChanges = changes
    XCTAssertTrue(metadata.document(of: table, nil).json.text.contains("], \"sluice:changes_count\": 101}"))
    XCTAssertEqual(
      try TraceMetadata(Array(metadata.document(of: table, nil).json.text.utf8), path: "t.csv-metadata.json").runs.last?
        .clocks,
      .init(began: 1_000, offset: 700, isSynchronised: false, changes: changes.first))
  }
}
