import Foundation
import PublisherRules
import Sluice
import SluiceDevices
import SluiceExtras
import SluiceTesting
import XCTest

/// What is published without a device.
final class SourceTableTests: XCTestCase {
  func testEverySource() {
    for rule in SourceRule.allCases { XCTAssertEqual(rule.faults(of: rows), []) }
  }

  private var rows: [SourceRow] {
    [
      SourceRow("PolledAttribute", "0 1 2", [.endless, .opens], .elsewhere, many: 200) { _ in
        let fixture = SysfsFixture()
        fixture.write("in_temp_raw", "100")
        let file = "\(fixture.root)/sys/bus/iio/devices/iio:device0/in_temp_raw"
        return .init(
          try! Publishers.PolledAttribute(path: file, every: .microseconds(500)).scan(-1) { number, _ in number + 1 }
            .map { Token($0) }, keeping: [fixture], drive: { withExtendedLifetime(fixture) {} },
          settle: {
            try? Publishers.timer(interval: .milliseconds(2), times: .max(2)).record().finished(within: .seconds(60))
          })
      }
    ]
  }
}
