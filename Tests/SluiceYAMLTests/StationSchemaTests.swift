import SluiceReadings
import TestFiles
import XCTest

@testable import SluicePipeline
@testable import SluiceYAML

/// What editors are told about station files is what the decoder takes.
final class StationSchemaTests: XCTestCase {
  override func setUpWithError() throws {
    try super.setUpWithError()
    try InstalledLibrary.yaml.needed()
  }

  private let json = StationSchema().json

  private func takes(_ text: String) throws -> Bool {
    let root = try XCTUnwrap(YAMLTree(Array(text.utf8)).root, text)
    return try SchemaValidator(json.text).takes(root)
  }

  func testItTakesEveryPlan() throws {
    let validator = try SchemaValidator(json.lines())
    var plans = RandomPlans(seed: 7)
    var tried = 0
    for _ in 0..<800 {
      let plan = plans.plan()
      guard (try? plan.validate()) != nil else { continue }
      tried += 1
      let root = try XCTUnwrap(YAMLTree(Array(plan.station.utf8)).root)
      guard try validator.takes(root) else { return XCTFail(plan.station) }
    }
    XCTAssertGreaterThan(tried, 200)
  }

  func testItTakesTheFilesOfThePages() throws {
    let pages = try FileManager.default.contentsOfDirectory(at: Checkout.file("docs"), includingPropertiesForKeys: nil)
    var found = 0
    for page in pages.filter({ $0.pathExtension == "md" }) + [Checkout.file("README.md")] {
      let blocks = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "```yaml\n").dropFirst()
      // There are files of other programs too.
      for text in blocks.compactMap({ $0.components(separatedBy: "\n```").first }) where text.contains("outputs:") {
        found += 1
        XCTAssertTrue(try takes(text), "\(page.lastPathComponent): \(text)")
      }
    }
    XCTAssertGreaterThanOrEqual(found, 3)
  }

  func testItTakesTheForms() throws {
    let head = "sources: {t: timer:1s}\noutputs: [x.csv]\n"
    for text in [
      "sources: [iio:bmi160, a=timer:1s, {kind: pps, what: 0, name: p}]\noutputs: {a.csv: , b.csv: {rotate: 1h, keep: 7d}}",
      head + "stages: [dedupe, dedupe: , throttle: 1s, every: 3, select: [a, b], buffer: none, reduce: {interval: 1m}]",
      head + "limits: {duration: 1.5h, count: 5, min-free: 100M, max-loss: 0}\nsync: batch\nstart-paused: true",
      "replay: [a.csv, b.csv]\noutputs: ['-']", "replay: {file: a.csv, rate: max, loop: 3}\noutputs: ['-']",
    ] {
      XCTAssertTrue(try takes(text), text)
      XCTAssertNoThrow(try RecordingPlan(yaml: Array(text.utf8), name: "walk.yaml"), text)
    }
  }

  /// A key that is not there, and a value of another form, are marked while they are written.
  func testItRefusesWhatTheDecoderRefuses() throws {
    let head = "sources: {t: timer:1s}\noutputs: [x.csv]\n"
    for text in [
      "sources: {t: timer:1s}", "outputs: [x.csv]", head + "sorces: {}", "sources: {t: tmier:1s}\noutputs: [x.csv]",
      "sources: {t: {kind: timer, what: 1s, edges: both}}\noutputs: [x.csv]",
      "sources: {t: {kind: iio, what: a, sampel-rate: 1}}\noutputs: [x.csv]",
      "sources: {t: {kind: iio}}\noutputs: [x.csv]",
      "sources: {t: {kind: gpio, what: 'a:1', edges: up}}\noutputs: [x.csv]",
      "sources: {t: {kind: timer, what: 1s, stages: [buffer]}}\noutputs: [x.csv]", head + "stages: [throtle: 1s]",
      head + "stages: [throttle]", head + "stages: [throttle: {intervall: 1s}]",
      head + "stages: [throttle: {interval: 5}]", head + "stages: [{throttle: 1s, dedupe: }]",
      head + "limits: {duration: 5}", head + "limits: {count: 0}", head + "limits: {cuont: 1}", head + "sync: often",
      head + "start-paused: yes please", head + "version: 1", head + "meta: [a]",
      "sources: {t: timer:1s}\noutputs: {a.csv: {rotate: often}}",
      "sources: {t: timer:1s}\noutputs: [{layout: long}]", "sources: {t: timer:1s}\noutputs: [{path: a, layout: tall}]",
      "sources: {t: timer:1s}\noutputs: {a.csv: {stages: [buffer]}}",
      "sources: {t: timer:1s}\noutputs: {a.csv: {stages: [pulses: 1]}}",
    ] {
      XCTAssertFalse(try takes(text), text)
      XCTAssertThrowsError(try RecordingPlan(yaml: Array(text.utf8), name: "walk.yaml"), text)
    }
  }

  func testEveryKeyIsThere() throws {
    guard case .object(let members) = json,
      case .object(let properties)? = members.first(where: { $0.0 == "properties" })?.1
    else { return XCTFail() }
    XCTAssertEqual(Set(properties.map(\.0)), Set(RecordingPlan.settings.keys.map(\.text)))
    let text = json.text
    for key in SourceSettings.Key.all { XCTAssertTrue(text.contains("\"\(key.name)\": {"), key.name) }
    for kind in SourceKinds.all { XCTAssertTrue(text.contains("{\"const\": \"\(kind.name)\"}"), kind.name) }
    for stage in Stages.all {
      XCTAssertTrue(text.contains("\"\(stage.name)\": {"), stage.name)
      for setting in stage.forms { XCTAssertTrue(text.contains("\"\(setting.key)\": {"), setting.key) }
    }
    XCTAssertTrue(text.contains("Rate of the IIO device or its trigger."))
  }
}
