import XCTest

@testable import SluicePipeline

final class HealthMachineTests: XCTestCase {
  private var machine = HealthMachine()
  private var sample = HealthSample(now: 0)

  private func after(_ seconds: Int, _ change: (inout HealthSample) -> Void = { _ in }) {
    sample.now += Int64(seconds) * 1_000_000_000
    change(&sample)
    machine.take(sample)
  }

  private var texts: [String] { machine.findings.map(\.text) }

  func testAllIsWell() {
    XCTAssertEqual(machine.findings, [])
    sample.streams = [HealthSample.Stream(name: "imu", received: 0)]
    for _ in 0..<1_000 { after(5) { $0.streams[0].received += 500 } }
    XCTAssertEqual(machine.findings, [])
    XCTAssertEqual(machine.findings.status, 0)
  }

  func testSilence() {
    sample.streams = [
      HealthSample.Stream(name: "imu", received: 0), HealthSample.Stream(name: "hourly", received: 0),
      HealthSample.Stream(name: "door", received: 0, isOfEvents: true),
    ]
    after(0)
    after(59)
    XCTAssertEqual(texts, [])
    after(1)
    XCTAssertEqual(texts, ["imu has given nothing yet", "hourly has given nothing yet"])
    XCTAssertEqual(machine.findings.status, 2)
    for minute in 1...180 {
      after(60) {
        $0.streams[0].received += 6_000
        if minute % 60 == 0 { $0.streams[1].received += 1 }
        if minute == 1 { $0.streams[1].received += 1 }
      }
    }
    XCTAssertEqual(texts, [])
    // The longest silence of imu was a minute, that of the other an hour.
    after(599)
    XCTAssertEqual(texts, [])
    after(1)
    XCTAssertEqual(texts, ["imu has given nothing for 10 minutes"])
    after(36_000 - 600)
    XCTAssertEqual(texts, ["imu has given nothing for 10 hours", "hourly has given nothing for 10 hours"])
    after(5) { $0.streams[0].received += 1 }
    XCTAssertEqual(texts, ["hourly has given nothing for 10 hours"])
  }

  func testAPauseIsNoSilence() {
    sample.streams = [HealthSample.Stream(name: "imu", received: 1)]
    after(0)
    after(5) { $0.streams[0].received += 1 }
    for _ in 0..<100 { after(60) { $0.isPaused = true } }
    XCTAssertEqual(texts, ["the recording is paused"])
    XCTAssertEqual(machine.findings.status, 1)
    after(5) { $0.isPaused = false }
    XCTAssertEqual(texts, [])
    after(60)
    XCTAssertEqual(texts, ["imu has given nothing for 65 s"])
  }

  func testLossesOfTheLastHour() {
    for _ in 0..<720 { after(5) }
    after(5) { $0.lost = 18 }
    XCTAssertEqual(texts, ["18 readings were lost in the last hour"])
    for _ in 0..<719 { after(5) }
    XCTAssertEqual(texts, ["18 readings were lost in the last hour"])
    for _ in 0..<24 { after(5) }
    XCTAssertEqual(texts, [])
    after(5) { $0.uncountedLosses = 1 }
    XCTAssertEqual(texts, ["an unknown number of readings may have been lost in the last hour"])
    after(5) { $0.lost += 1 }
    XCTAssertEqual(texts, ["1 reading was lost in the last hour"])
    XCTAssertEqual(machine.findings.status, 1)
  }

  func testOutputsAndDisks() {
    sample.outputs = [
      HealthSample.Output(path: "a.csv", free: 1_000_000_000), HealthSample.Output(path: "b.csv"),
    ]
    after(0)
    // 36 MB in an hour: a day has 864 MB.
    for _ in 0..<720 { after(5) { $0.outputs[0].free? -= 50_000 } }
    XCTAssertEqual(texts, [])
    for _ in 0..<720 { after(5) { $0.outputs[0].free? -= 150_000 } }
    XCTAssertEqual(texts, ["the disk of a.csv will be full in about 8 hours"])
    after(5) { $0.outputs[0].free = 50 << 20 }
    for _ in 0..<2_000 { after(5) }
    XCTAssertEqual(texts, ["the disk of a.csv has 50 MB left"])
    after(5) {
      $0.outputs[0].isAway = true
      $0.outputs[1].error = "cannot write b.csv: input/output error"
    }
    XCTAssertEqual(
      texts,
      [
        "a.csv takes nothing: its disk is full or away; the recording tries again",
        "b.csv has ended: cannot write b.csv: input/output error",
      ])
    XCTAssertEqual(machine.findings.status, 2)
  }

  func testTheWorstComesFirst() {
    after(5) {
      $0.isSynchronised = false
      $0.awaySources = ["imu"]
      $0.board.isThrottled = true
      $0.board.isUndervoltage = true
      $0.board.hot = ["cpu-thermal": 80_500]
    }
    XCTAssertEqual(
      texts,
      [
        "imu is away: its device was removed", "the wall clock is not synchronised",
        "the firmware has slowed the processor down",
        "cpu-thermal has 80.5 degrees, at which the kernel slows the board down",
        "the voltage of the supply is too low",
      ])
  }
}
