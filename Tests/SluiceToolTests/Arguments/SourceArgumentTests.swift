import SluiceDevices
import SluiceReadings
import XCTest

@testable import SluicePipeline
@testable import SluiceTool

final class SourceArgumentTests: XCTestCase {
  private func refusal(_ line: String) -> String {
    do {
      _ = try parsed(line.split(separator: " ").map(String.init))
      return ""
    } catch {
      return (error as? Fault)?.argument ?? "\(error)"
    }
  }

  private func settings(_ set: (inout SourceSettings) -> Void) -> SourceSettings {
    var settings = SourceSettings()
    set(&settings)
    return settings
  }

  func testNameKindAndSettings() throws {
    let meter = try SourceSpec("METER=gpio:gpiochip0:3,edges=rising,active-low=true,debounce=5ms,fifo=64")
    XCTAssertEqual(meter.name, "METER")
    XCTAssertEqual(meter.source as? GPIOSource, GPIOSource("gpiochip0:3"))
    XCTAssertEqual((meter.source as? GPIOSource)?.device.parts, ["3"])
    XCTAssertEqual(
      meter.settings,
      settings { ($0.edges, $0.activeLow, $0.debounce, $0.fifo) = (.rising, true, TimeSpan("5ms"), 64) })

    let imu = try SourceSpec("imu=iio:bmi160:accel_x,accel_y,sample-rate=400,trigger=hrtimer:tick")
    XCTAssertEqual(imu.source as? IIOSource, IIOSource("bmi160:accel_x,accel_y"))
    XCTAssertEqual(imu.settings, settings { ($0.sampleRate, $0.trigger) = ("400", "hrtimer:tick") })

    let bare = try SourceSpec("iio:iio:device0,latency=5ms")
    XCTAssertNil(bare.name)
    XCTAssertEqual((bare.source as? IIOSource)?.device.device, "iio:device0")

    XCTAssertEqual(
      (try SourceSpec("poll:thermal:cpu@1s").source as? PolledSource)?.file, PolledFile("thermal:cpu@1s"))
    XCTAssertEqual(
      (try SourceSpec("poll:/a,b/c@1s,si=true").source as? PolledSource)?.file, PolledFile("/a,b/c@1s"))
    XCTAssertEqual(
      (try SourceSpec("gpio-name:METER,DOOR,reconnect=true").source as? GPIONameSource)?.names, ["METER", "DOOR"])
    XCTAssertEqual(try SourceSpec("t=timer:10ms").name, "t")
    // A threshold is no setting.
    let events = try SourceSpec("iio-events:adxl345:accel_x_thresh_rising=300,reconnect=true")
    XCTAssertEqual(
      (events.source as? IIOEventsSource)?.device, DeviceSpec("adxl345:accel_x_thresh_rising=300"))
    XCTAssertEqual(events.settings, settings { $0.reconnect = true })
    let bus = try SourceSpec("bus=can:can0,reconnect,dbc=car.dbc,id=123+18FF0000/1FFF0000,fd,clock=hardware")
    let can = try XCTUnwrap(bus.source as? CANSource)
    XCTAssertEqual(can.interface, "can0")
    XCTAssertEqual(can.options.dbc, "car.dbc")
    XCTAssertEqual(can.options.filters.map(\.id), [0x123, 0x18ff_0000])
    XCTAssertEqual(can.options.filters.map(\.isExtended), [false, true])
    XCTAssertTrue(can.options.hasFD)
    XCTAssertEqual(can.options.clock, .hardware)
    XCTAssertEqual(can.inputs(DeviceRoots()), ["car.dbc"])
    XCTAssertEqual(bus.settings, settings { $0.reconnect = true })
    XCTAssertEqual(try SourceSpec("can:can0").source as? CANSource, CANSource("can0"))
  }

  func testFaultsOfACANSource() {
    for what in [
      "", "can0,id=", "can0,id=xyz", "can0,id=800", "can0,dbc=", "can0,fd=1", "can0,clock=tai", "can0,sample=70",
      "can0,id=1,id=2", "a/b", "sixteen-letters-x", "can0,,fd",
    ] { XCTAssertNil(CANSource(what), what) }
    XCTAssertThrowsError(try SourceSpec("can:can0,id=xyz")) {
      XCTAssertTrue("\($0)".contains("ID and MASK are hexadecimal"), "\($0)")
    }
    XCTAssertThrowsError(try SourceSpec("can:can0,edges=both"))
  }

  func testAnOptionIsTheSameWithoutKind() throws {
    for (text, kind, positional) in [
      ("METER=gpiochip0:3,edges=falling", GPIOSource.self, "METER=gpio:gpiochip0:3,edges=falling"),
      ("bmi160,sample-rate=400", IIOSource.self, "iio:bmi160,sample-rate=400"),
      ("imu=bmi160,sample-rate=400", IIOSource.self, "imu=iio:bmi160,sample-rate=400"),
      ("adxl345:a=300", IIOEventsSource.self, "iio-events:adxl345:a=300"),
      ("cpu=thermal:cpu@1s,si=true", PolledSource.self, "cpu=poll:thermal:cpu@1s,si=true"),
      ("/sys/temp@1s,si=true", PolledSource.self, "poll:/sys/temp@1s,si=true"),
      ("t=10ms", TimerSource.self, "t=timer:10ms"),
    ] as [(String, any SourceKind.Type, String)] {
      XCTAssertEqual(try SourceSpec(text, of: kind), try SourceSpec(positional), text)
    }
  }

  func testASettingOfItsOwnComesBeforeThatOfAll() throws {
    let line = [
      "record", "gpio:c:1,edges=rising", "gpio:c:2", "iio:a,sample-rate=400", "iio:b,watermark=4", "--edges", "falling",
      "--sample-rate", "100", "--latency", "5ms", "-o", "x",
    ]
    let arguments = try XCTUnwrap(parsed(line) as? RecordCommand).sourcePlans().map(\.spec)
    XCTAssertEqual(arguments.map(\.settings.edges), [.rising, .falling, nil, nil], "only what it has")
    XCTAssertEqual(arguments.suffix(2).map(\.settings.sampleRate), ["400", "100"])
    XCTAssertEqual(arguments[2].settings.latency?.nanoseconds, 5_000_000)
    XCTAssertNil(arguments[3].settings.latency, "watermark says it already")
  }

  func testWhatCannotBeIsSaid() {
    for (line, sentence) in [
      ("gpoi:c:1", "there is no kind of source \"gpoi\"; did you mean gpio?"),
      ("gpio:c:1,edge=rising", "gpio has no setting edge; did you mean edges?"),
      ("iio:c,edges=both", "iio has no setting edges; it has sample-rate"),
      ("timer:1ms,si=true", "timer has no settings"),
      ("gpio:c:1,edges=up", "edges takes both, rising, falling, not \"up\""),
      ("gpio:c:1,active-low=yes", "active-low takes true or false"),
      ("gpio:c:1,debounce=5", "debounce takes a time with its unit"),
      ("gpio:c:1,fifo=1", "fifo takes 2 to 1024"),
      ("iio:c,length=0", "length takes 1 to 1048576 scans"),
      ("iio:c,watermark=2,latency=1ms", "watermark and latency set the same thing: give one of them"),
      ("iio:c,length=2,length=3", "length is given twice"),
      ("--gpio METER,DOOR", "names alone are of the kind gpio-name"),
      ("gpio:", "gpio takes CHIP:LINE"),
      ("timer:10", "timer takes PERIOD, such as 10ms"),
      ("poll:/a", "poll takes FILE@PERIOD"),
      ("=timer:1ms", "there is no name before \"=\""),
      ("a,b=timer:1ms", "has a comma"),
      ("a/b=timer:1ms", "has a slash"),
      ("a\u{1}b=timer:1ms", "control character"),
      ("a\nb=timer:1ms", "line feed"),
      ("\(String(repeating: "n", count: 65))=timer:1ms", "has 65 bytes"),
      ("timer:1ms --edges both", "--edges is for gpio, gpio-name, and there is no such source"),
    ] {
      XCTAssertTrue(refusal("record -o x \(line)").contains(sentence), "\(line): \(refusal("record -o x \(line)"))")
    }
    // It may as well be the value of a misspelt option.
    XCTAssertTrue(
      refusal("record timer:1ms -o x --cuont 3").contains("--cuont"), refusal("record timer:1ms -o x --cuont 3"))
    XCTAssertThrowsError(try SourceSpec("METER")) {
      XCTAssertTrue("\($0)".contains("METER is not a source: write KIND:WHAT"), "\($0)")
    }
    XCTAssertEqual(try SourceSpec("gpio:c:1,active-low").settings, settings { $0.activeLow = true })
    XCTAssertTrue(refusal("record -o x iio-events:a:x=3,reconect=true").contains("did you mean reconnect?"))
    XCTAssertEqual(refusal("record \(String(repeating: "n", count: 64))=timer:1ms -o x"), "")
    XCTAssertTrue(refusal("record timer:1ms").contains("say where to write"))
    XCTAssertTrue(refusal("record timer:1ms -o - --append").contains("--append needs a file"))
  }
}
