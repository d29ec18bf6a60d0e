import SluiceRecording
import XCTest

@testable import SluicePipeline

final class RowPeriodTextTests: XCTestCase {
  func testTexts() {
    for (text, description) in [
      ("10ms", "10ms"), ("100Hz", "10ms"), ("44.1kHz", "44100Hz"), ("3Hz", "3Hz"), ("1MHz", "1us"),
      ("0.7mHz", "0.0007Hz"),
      (".5Hz", "2s"), ("1000MHz", "1ns"), ("1.5s", "1500ms"),
    ] {
      let period = RowPeriod(text)
      XCTAssertEqual(period?.description, description, text)
      XCTAssertEqual(period, RowPeriod(description), text)
    }
    for text in ["", "Hz", "1", "0Hz", "-1Hz", "1hz", "1 Hz", "1e3Hz", "1GHz", "2000MHz", "0s", "1.2.3Hz"] {
      XCTAssertNil(RowPeriod(text), text)
    }
  }
}
