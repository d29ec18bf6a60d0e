import XCTest

@testable import SluiceTool

final class RoundedRateTests: XCTestCase {
  private func notices(_ arguments: String) throws -> [String] {
    var notices: [String] = []
    _ = try SluiceCommand.program.request(arguments.split(separator: " ").map(String.init), notices: &notices)
    return notices
  }

  func testNotices() throws {
    let rounded = "44.1kHz is taken as a period of 22676ns, which is 11.6 ppm too long"
    for arguments in [
      "convert a.csv --resample 44.1kHz -o b.csv", "convert a.csv --resample=44.1kHz:last -o b.csv",
      "convert a.csv -o b.csv --join=44.1kHz:linear",
      "record timer:44.1kHz -o b.csv", "record t=timer:44.1kHz,every=2 -o b.csv",
      "record sim:imu -o b.csv --frequency-of METER=44.1kHz --quiet", "record timer:44.1kHz -o b.csv",
      "record -o b.csv -- timer:44.1kHz", "record timer:44.1kHz --throttle 44.1kHz -o b.csv", "bench timer:44.1kHz",
    ] {
      XCTAssertEqual(try notices(arguments), [rounded], arguments)
    }
    for arguments in [
      "convert a.csv -o b.csv --resample 10Hz", "convert a.csv -o b.csv --resample 60Hz",
      "convert a.csv -o b.csv --period 44.1kHz", "info a.csv --intervals 44.1kHz",
      "record sim:imu -o b.csv --meta rate=44.1kHz", "convert 44.1kHz -o b.csv",
      "convert a.csv -o b.csv --resample 22676ns", "record timer:1ms -o b.csv --settle 44.1kHz",
    ] {
      XCTAssertEqual(try notices(arguments), [], arguments)
    }
  }
}
