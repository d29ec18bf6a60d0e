import SluiceReadings
import SluiceStages
import TestFiles
import XCTest

@testable import SluicePipeline
@testable import SluiceYAML

/// A plan as a station file, and back.
final class StationTextTests: XCTestCase {
  override func setUpWithError() throws {
    try super.setUpWithError()
    try InstalledLibrary.yaml.needed()
  }

  private func read(_ text: String) throws(SluiceError) -> RecordingPlan {
    try RecordingPlan(yaml: Array(text.utf8), name: "walk.yaml")
  }

  func testRandomPlansAreTheSameAfterwards() throws {
    var plans = RandomPlans(seed: 34)
    var tried = 0
    for number in 0..<2_500 {
      let plan = plans.plan()
      // What no plan can have, such as two outputs of one path.
      guard (try? plan.validate()) != nil else { continue }
      tried += 1
      let text = plan.station
      do throws(SluiceError) {
        let again = try read(text)
        guard again == plan, again.text == plan.text, again.station == text else {
          return XCTFail("plan \(number):\n\(text)\n\(plan.text)\n\(again.text)")
        }
      } catch {
        return XCTFail("plan \(number): \(error)\n\(text)")
      }
    }
    XCTAssertGreaterThan(tried, 800)
  }

  func testItIsWhatPeopleWrite() throws {
    var plan = RecordingPlan(
      input: .sources([
        try SourcePlan("imu=iio:bmi160:accel_x,sample-rate=400,reconnect"), try SourcePlan("door=gpio:gpiochip0:3"),
        try SourcePlan("room=poll:thermal:cpu-thermal@1s,throttle=1m,dedupe"),
      ]),
      stages: [
        .buffer(), .select(["imu.accel_x", "door"]), .where(try SluiceStages.Expression("accel_x > 1")), .dedupe,
        .throttle(for: .milliseconds(100)), .throttle(for: .seconds(1), latest: false),
        .collect(50, orFor: .seconds(1)),
      ], outputs: [OutputPlan("walk.csv"), OutputPlan("slow.csv", existing: .append)])
    plan.name = "greenhouse"
    plan.outputs[1].stages = [.every(10)]
    plan.outputs[1].buffer = .init(1_000)
    plan.outputs[1].rotation = .init(period: .seconds(3_600), keep: .init(age: .seconds(7 * 86_400)))
    plan.limits = .init(duration: .seconds(90), maxLoss: 0)
    plan.notes = [.init(key: "site", value: "Cellar, left wall")]
    XCTAssertEqual(
      plan.station,
      """
      name: greenhouse
      sources:
        imu:
          kind: iio
          what: bmi160:accel_x
          sample-rate: 400
          reconnect: true
        door: gpio:gpiochip0:3
        room:
          kind: poll
          what: thermal:cpu-thermal@1s
          stages:
            - dedupe
            - throttle: 60s
      stages:
        - select: [imu.accel_x, door]
        - where: accel_x > 1
        - dedupe
        - throttle: 100ms
        - throttle: {interval: 1s, keep: first}
        - collect: {count: 50, interval: 1s}
      outputs:
        walk.csv:
        slow.csv:
          existing: append
          rotate: 3600s
          keep: 604800s
          stages:
            - every: 10
          buffer: 1000
      limits:
        duration: 90s
        max-loss: 0
      meta:
        site: Cellar, left wall

      """)
    XCTAssertEqual(try read(plan.station), plan)
  }

  func testWhatOthersCouldMistakeStandsInQuotes() {
    for text in [
      "no", "Yes", "off", "NULL", "~", "<<", "012", "1:30", "0x1f", "0o17", "1_000", "1e3", "2026-11-21", ".5", "+1",
      "",
      "- a", "a: b", "a:", " a", "#a", "&a", "*a", "!a", "%a", "@a", "`a`", "{a}", "[a]", "'a'", "\"a\"", "-", "a\nb",
    ] {
      XCTAssertEqual(YAMLText.scalar(text, inFlow: false).first, "\"", text)
    }
    for text in ["imu", "400", "12.5", "-1", "0", "10s", "100M", "iio:bmi160:accel_x,accel_y", "/dev/x", "accel_x > 1"]
    {
      XCTAssertEqual(YAMLText.scalar(text, inFlow: false), text)
    }
    for text in ["a,b", "a: b", "a:", "1:30"] { XCTAssertEqual(YAMLText.scalar(text, inFlow: true), "\"\(text)\"") }
    XCTAssertEqual(YAMLText.scalar("timer:1s", inFlow: true), "timer:1s")
  }
}
