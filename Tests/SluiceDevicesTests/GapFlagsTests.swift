import SluiceTesting
import XCTest

@testable import SluiceDevices

final class GapFlagsTests: XCTestCase {
  /// As if each loss set a flag of each stream.
  func testEachStreamIsFlaggedOnceAfterLosses() {
    var random = SystemRandomNumberGenerator()
    var (gaps, flags) = (GapFlags(streams: 5), Array(repeating: false, count: 5))
    for step in 0..<10_000 {
      guard Int.random(in: 0..<10, using: &random) > 0 else {
        gaps.mark()
        flags = flags.map { _ in true }
        continue
      }
      let stream = Int.random(in: 0..<5, using: &random)
      XCTAssertEqual(gaps.take(stream), flags[stream], "step \(step)")
      flags[stream] = false
    }
  }
}
