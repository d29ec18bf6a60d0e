import SluiceAnalysis
import SluicePipeline
import XCTest

@testable import SluiceTool

final class DiskCheckTests: DoctorTestCase {
  func testDisk() {
    func verdicts(_ rate: Double, _ latency: Double, free: Int = 1 << 40, memory: Bool = false) -> [Finding.Verdict] {
      DiskCheck.findings(
        "d",
        DiskCheck.Measures(
          megabytesPerSecond: rate, latencyMilliseconds: latency, freeBytes: free, isMemory: memory)
      ).map(\.verdict)
    }
    XCTAssertEqual(verdicts(50, 10), [.ok, .ok])
    XCTAssertEqual(verdicts(1, 10), [.warning, .ok])
    XCTAssertEqual(verdicts(50, 3_000), [.warning, .ok])
    XCTAssertEqual(verdicts(50, 10, free: 1 << 20), [.ok, .warning])
    XCTAssertEqual(verdicts(50, 10, memory: true), [.ok, .ok, .warning])
    let missing = DiskCheck.findings(surroundings, "\(root)/nowhere", interruption: Interruption())
    XCTAssertEqual(missing.map(\.verdict), [.problem])
    XCTAssertTrue(missing[0].meaning.contains("\(root)/nowhere"), missing[0].meaning)
  }

  func testMemoryIsKnownByItsMount() {
    let mounts = """
      22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
      24 22 0:21 / /run rw,nosuid shared:2 master:3 - tmpfs tmpfs rw
      nonsense
      25 22 0:22 /
      """
    XCTAssertTrue(DiskCheck.isMemory(device: 21, mounts: mounts))
    XCTAssertFalse(DiskCheck.isMemory(device: 0x801, mounts: mounts))
    XCTAssertFalse(DiskCheck.isMemory(device: 22, mounts: mounts))
  }
}
