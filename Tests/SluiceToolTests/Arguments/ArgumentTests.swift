import SluiceReadings
import XCTest

@testable import SluicePipeline
@testable import SluiceTool

final class ArgumentTests: XCTestCase {
  func testDurations() {
    for (text, nanoseconds) in [
      ("250us", 250_000), ("10ms", 10_000_000), ("1.5s", 1_500_000_000), ("2m", 120_000_000_000), ("7ns", 7),
    ] {
      XCTAssertEqual(TimeSpan(text)?.nanoseconds, Int64(nanoseconds), text)
    }
    for text in ["", "s", "1", "-1s", "0s", "1 s", "1e3s", "1x", "99999999999999h", "0.1ns", "1.2.3s"] {
      XCTAssertNil(TimeSpan(text), text)
    }
    XCTAssertEqual(TimeSpan(nanoseconds: 1_500_000).description, "1500us")
  }

  func testCollect() {
    XCTAssertEqual(CollectLimit("50")?.count, 50)
    XCTAssertEqual(CollectLimit("1s")?.interval?.nanoseconds, 1_000_000_000)
    XCTAssertEqual(CollectLimit("50,1s")?.count, 50)
    XCTAssertEqual(CollectLimit("1s,50")?.interval?.nanoseconds, 1_000_000_000)
    for text in ["", "0", "-1", "50,", "50,50", "1s,1s", "a"] { XCTAssertNil(CollectLimit(text), text) }
  }

  func testLines() {
    XCTAssertEqual(GPIONameSource("METER,DOOR")?.names, ["METER", "DOOR"])
    for text in ["", ",", "a,", ",a"] { XCTAssertNil(GPIONameSource(text), text) }
    let lines = GPIOValuesSource("gpiochip0:3,4@10ms")
    XCTAssertEqual(lines?.device.parts, ["3", "4"])
    XCTAssertEqual(lines?.period.nanoseconds, 10_000_000)
    for text in ["gpiochip0:3", "gpiochip0@1ms", "@1ms", ":3@1ms"] {
      XCTAssertNil(GPIOValuesSource(text), text)
    }
  }

  func testDevices() {
    XCTAssertEqual(DeviceSpec("gpiochip0:3,4")?.parts, ["3", "4"])
    XCTAssertEqual(DeviceSpec("iio:device0:x")?.device, "iio:device0")
    XCTAssertEqual(DeviceSpec("iio:device0")?.parts, [])
    for text in ["", ":3", "a:"] { XCTAssertNil(DeviceSpec(text), text) }
    XCTAssertEqual(PolledFile("/a@b/c@10ms")?.path, "/a@b/c")
    for text in ["/a", "@1s", "/a@", "/a@soon"] { XCTAssertNil(PolledFile(text), text) }
  }

  func testSizes() {
    for (text, bytes) in [("512", 512), ("512k", 524_288), ("64M", 67_108_864), ("1G", 1_073_741_824)] {
      XCTAssertEqual(ByteSize(text)?.bytes, bytes, text)
    }
    for text in ["", "M", "0", "-1M", "1.5M", "1T", "1 M", "9223372036854775807k", "99999999999999999999"] {
      XCTAssertNil(ByteSize(text), text)
    }
    XCTAssertEqual(
      [64 << 20, 1 << 30, 1_536, 100].map { ByteSize(bytes: $0).description },
      ["64M", "1G", "1536B", "100B"])
  }

  func testBenchParts() throws {
    XCTAssertEqual(BenchParts(argument: "disk,csv")?.parts, [.csv, .disk])
    for text in ["", "csv,", "cvs", "csv disk"] { XCTAssertNil(BenchParts(argument: text), text) }
    func parts(_ line: String) throws -> [BenchPart]? {
      (try parsed(line.split(separator: " ").map(String.init)) as? BenchCommand)?.parts
    }
    XCTAssertEqual(try parts("bench"), [.streams, .csv, .spill, .disk, .timer])
    XCTAssertEqual(try parts("bench --only timer,streams"), [.streams, .timer])
    XCTAssertEqual(try parts("bench --gpio chip:1"), [.devices, .streams, .csv, .spill, .disk, .timer])
    XCTAssertEqual(try parts("bench --only devices --iio bmi160"), [.devices])
  }

  func testNumbersForPeople() {
    XCTAssertEqual(grouped(1_234_567.89, 1), "1,234,567.9")
    XCTAssertEqual(grouped(-0.5, 1), "-0.5")
    XCTAssertEqual(grouped(.infinity, 1), "inf")
    XCTAssertEqual(padded("a", 3) + padded("b", 3, .right) + padded("long", 2), "a    blong")
    XCTAssertEqual([0, 999, 1_000, -1_234_567].map(grouped), ["0", "999", "1,000", "-1,234,567"])
    XCTAssertEqual(fixed(0.005, 2), "0.01")
    XCTAssertEqual(fixed(-12.345, 1), "-12.3")
    XCTAssertEqual(quoted("a\"\\\n\u{1}"), "\"a\\\"\\\\\\n\\u0001\"")
  }

  func testCommandLinesThatAreRefused() {
    for line in [
      "record -o x", "record --timer 1ms", "record --timer nope -o x", "record --gpio chip -o x",
      "record --timer 1s --edges rising -o x",
      "record --timer 1s --trigger t -o x", "record --timer 1s --append --force -o x", "record --timer 1s --first -o x",
      "record --timer 1s --buffer 0 --when-full fail -o x", "replay t.csv --when-full fail -o x",
      "record --timer 1s --every 0 -o x", "record --timer 1s --every -1 -o x",
      "record --timer 1s --meta a -o x", "record --timer 1s --meta =b -o x", "record --timer 1s --meta a=b -o -",
      "record --timer 1s --meta a=b --meta a=c -o x",
      "record --timer 1s --buffer -1 -o x", "record --timer 1s --count 0 -o x", "record --gpio c:1 --fifo 1 -o x",
      "bench --only nothing", "bench --only devices", "bench --only csv --gpio c:1", "bench --gpio c",
      "bench --duration 2h", "bench --timer-interval 10ns", "bench --disk-size 0", "bench --sample-rate 10",
      "record --timer 1s --root r -o x", "bench --root r",
      "replay", "replay x --rate 0 -o y", "replay x --time-unit h -o y", "replay x --times right -o y",
      "replay x --loop 0 -o y", "replay x --loop -1 -o y", "replay x --loop often -o y", "replay - --loop 2 -o y",
      "replay x --max-gap 1s -o y", "replay x --rate 1 --max-gap 1 -o y", "replay x --reorder 0s -o y", "nonsense",
    ] {
      XCTAssertThrowsError(try parsed(line.split(separator: " ").map(String.init)), line)
    }
    for line in ["record --timer 1ms -o -", "record --root r --poll thermal:cpu@1s -o -", "replay - --loop 1 -o y"] {
      XCTAssertNoThrow(try parsed(line.split(separator: " ").map(String.init)), line)
    }
  }

  func testIIOOptionsThatContradict() {
    func refusal(_ line: String) -> String? {
      do {
        _ = try parsed(line.split(separator: " ").map(String.init))
        return nil
      } catch {
        return "\(error)"
      }
    }
    XCTAssertNil(refusal("record --iio bmi160 --latency 5ms --si --reconnect --trigger hrtimer:tick -o o.csv"))
    XCTAssertNil(refusal("record --iio-events adxl345:accel_x_thresh_rising=300 --reconnect -o o.csv"))
    XCTAssertNil(refusal("record --poll thermal:cpu-thermal@1s --si -o o.csv"))
    XCTAssertTrue(
      refusal("record --iio bmi160 --latency 5ms --watermark 3 -o o.csv")?.contains("set the same thing") == true)
    XCTAssertTrue(refusal("record --timer 1s --si -o o.csv")?.contains("iio, poll") == true)
    XCTAssertTrue(refusal("record --timer 1s --latency 1ms -o o.csv")?.contains("--latency is for iio") == true)
    XCTAssertTrue(refusal("record --timer 1s --reconnect -o o.csv")?.contains("iio-events") == true)
    XCTAssertTrue(refusal("bench --iio-events adxl345")?.contains("--iio-events") == true)
    var settings = SourceSettings()
    settings.trigger = "hrtimer:tick"
    XCTAssertEqual(settings.triggerName.name, "tick")
    XCTAssertTrue(settings.triggerName.isNew)
    settings.trigger = "tick"
    XCTAssertFalse(settings.triggerName.isNew)
  }
}
