import SluicePipeline
import XCTest

final class OwnSettingsTests: XCTestCase {
  private func parsed(_ text: String) -> OwnSettings? {
    OwnSettings(text, names: ["period", "file"], flags: ["fast"])
  }

  func testSettingsStandBehindWhat() {
    let text = parsed("/run/tmp102,period=1s,fast,file=a=b")
    XCTAssertEqual(text?.what, "/run/tmp102")
    XCTAssertEqual(text?["period"], "1s")
    XCTAssertEqual(text?["file"], "a=b")
    XCTAssertEqual(text?.has("fast"), true)
    XCTAssertEqual(parsed(",period=")?["period"], "")
    XCTAssertEqual(parsed("x")?.has("fast"), false)
    XCTAssertNil(parsed("x")?["period"])
  }

  func testOthersAreRefused() {
    for text in ["x,", "x,period", "x,fast=1", "x,other=1", "x,period=1s,period=2s", "x,fast,fast", "x,=1", "x,Fast"] {
      XCTAssertNil(parsed(text), text)
    }
  }
}
