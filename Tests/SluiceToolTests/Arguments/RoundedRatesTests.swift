import XCTest

@testable import SluiceTool

final class RoundedRatesTests: XCTestCase {
  func testNotices() {
    let rounded = "44.1kHz is taken as a period of 22676ns, which is 11.6 ppm too long"
    for arguments in [
      "convert a.csv --resample 44.1kHz", "convert a.csv --resample=44.1kHz:last -o b.csv",
      "convert --join=44.1kHz:linear",
      "record timer:44.1kHz", "record t=timer:44.1kHz,every=2", "record --frequency-of METER=44.1kHz --quiet",
    ] {
      XCTAssertEqual(RoundedRates.notices(arguments.split(separator: " ").map(String.init)), [rounded], arguments)
    }
    for arguments in [
      "convert a.csv --resample 10Hz", "convert --resample 60Hz", "convert --period 44.1kHz",
      "info --intervals 44.1kHz",
      "record --meta rate=44.1kHz", "convert 44.1kHz", "record x:44.1kHz -- timer:44.1kHz",
      "convert --resample 22676ns",
    ] {
      XCTAssertEqual(RoundedRates.notices(arguments.split(separator: " ").map(String.init)), [], arguments)
    }
  }
}
