import SluiceReadings
import XCTest

@testable import SluicePipeline

final class LineTextTests: XCTestCase {
  private func fault(_ text: String) -> String? {
    do throws(SluiceError) {
      _ = try SourceSpec(text)
      return nil
    } catch { return error.cause }
  }

  func testSourcesOfLines() throws {
    for text in [
      "lines:-", "lines:/run/a,b.fifo,as=csv", "serial:/dev/ttyACM0", "serial:/dev/ttyUSB0@115200",
      "port=serial:/dev/ttyS0@9600,frame=7E1,dtr=off",
      "exec:python3 sensor.py --rate 5", "exec:sh -c 'echo a,b=1,as=2'", "tcp:meter.local:3000,reconnect",
      "tcp:[::1]:3000,time=utc", #"lines:-,match=T(?<t>\d{1,3})"#,
    ] {
      let spec = try SourceSpec(text)
      let plan = RecordingPlan(sources: [spec], outputs: [OutputPlan("x.csv")])
      XCTAssertEqual(
        try RecordingPlan(json: Array(plan.json.lines().utf8), name: "the plan").sources.first?.spec, spec, text)
    }
  }

  func testFaultsOfSourcesOfLines() {
    XCTAssertEqual(
      fault("serial:/dev/ttyUSB0@fast"),
      "serial:/dev/ttyUSB0@fast: it is not a port, and its rate in bits per second; serial takes PORT[@RATE][,frame=8N1][,dtr=on|off]"
        + "[,rts=on|off][,as=GRAMMAR][,time=COLUMN[:UNIT]][,names=A+B+...][,match=REGEX], such as /dev/ttyUSB0@115200")
    XCTAssertEqual(
      fault("serial:/dev/ttyUSB0@100000")?.contains("100000 is not a rate that Linux names; the nearest one is 115200"),
      true)
    XCTAssertNotNil(fault("serial:/dev/ttyUSB0@-9223372036854775808"))
    XCTAssertEqual(fault("serial:/dev/ttyUSB0@9600,frame=9N1")?.contains("frame takes data bits"), true)
    XCTAssertEqual(fault("serial:/dev/ttyUSB0@9600,dtr=low")?.contains("dtr takes on or off"), true)
    XCTAssertEqual(fault("tcp:meter.local")?.contains("it is not a host and a port from 1 to 65535"), true)
    XCTAssertEqual(fault("exec:")?.contains("it is empty"), true)
    XCTAssertEqual(fault("exec:a 'b")?.contains("the quote ' has no end"), true)
    XCTAssertEqual(fault("lines:-,as=xml")?.contains("as takes csv"), true)
    XCTAssertEqual(fault("lines:-,form=csv")?.contains("lines has no setting form"), true)
  }

  func testWordsOfACommand() throws {
    XCTAssertEqual(
      try CommandWords.split(#"a  "b c" 'd\e' f\ g "h\"i\j" ''"#), ["a", "b c", #"d\e"#, "f g", #"h"i\j"#, ""])
    XCTAssertThrowsError(try CommandWords.split("  "))
    XCTAssertThrowsError(try CommandWords.split("a\\"))
  }
}
