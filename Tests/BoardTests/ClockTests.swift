import Dispatch
import Foundation
import Sluice
import SluicePipeline
import SluiceReadings
import SluiceRecording
import XCTest

/// A recording on a machine whose clock is set meanwhile. The board has a clock of its own, which may be set.
final class ClockTests: BoardTestCase {
  private let hour: Int64 = 3_600_000_000_000
  private let output = NSTemporaryDirectory() + "clock.csv"
  private let command = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    .appendingPathComponent("sluice").path

  private func set(by nanoseconds: Int64) {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    time.tv_sec += Int(nanoseconds / 1_000_000_000)
    XCTAssertEqual(clock_settime(CLOCK_REALTIME, &time), 0, String(cString: strerror(errno)))
  }

  private func times(_ path: String) throws -> [Int64] {
    try SimulatedChip.text(path).split(separator: "\n").dropFirst().compactMap { row in
      row.split(separator: ",").first.flatMap { Int64($0) }
    }
  }

  private func clocks() throws -> TraceMetadata.Clocks {
    try XCTUnwrap(TraceMetadata(beside: output)?.runs.last?.clocks)
  }

  private func start() throws -> ChildProcess {
    for path in [output, output + "-metadata.json"] { unlink(path) }
    let process = ChildProcess(command, ["record", "timer:20ms", "-o", output, "--quiet"])
    waitUntil("the first rows") { ((try? self.times(self.output)) ?? []).count > 5 }
    return process
  }

  private func corrected() throws -> [Int64] {
    let path = NSTemporaryDirectory() + "corrected.csv"
    let replay = ChildProcess(
      command, ["replay", output, "--times", "corrected", "-o", path, "--force", "--quiet"])
    XCTAssertEqual(replay.wait(), 0)
    return try times(path)
  }

  /// Without the look that is taken each second all the same.
  func testTheKernelSaysThatTheClockWasSet() throws {
    let said = Locked(0)
    let clocks = SystemClocks()
    let watch = try XCTUnwrap(clocks.whenSet(on: DispatchQueue(label: "test.clock")) { said.withLock { $0 += 1 } })
    XCTAssertEqual(clocks.isSynchronised, false, "nothing synchronises the board")
    for count in 1...3 {
      let ahead = clocks.realtime - clocks.monotonic
      set(by: count == 2 ? -hour : hour)
      waitUntil("the clock was set") { said.withLock { $0 } == count }
      XCTAssertGreaterThan((clocks.realtime - clocks.monotonic - ahead).magnitude, UInt64(hour / 2))
    }
    set(by: -hour)
    watch.cancel()
  }

  func testTimesHaveNoStepAndCanBeCorrected() throws {
    let process = try start()
    let before = try times(output).count
    set(by: hour)
    defer { set(by: -hour) }
    waitUntil("more rows") { ((try? self.times(self.output)) ?? []).count > before + 20 }
    XCTAssertEqual(process.wait(after: SIGINT), 0)
    let recorded = try times(output)
    for (earlier, later) in zip(recorded, recorded.dropFirst()) {
      XCTAssertGreaterThan(later, earlier)
      XCTAssertLessThan(later, earlier + hour / 2)
    }
    let clocks = try clocks()
    let offset = try XCTUnwrap(clocks.offset)
    XCTAssertEqual(clocks.isSynchronised, false, "nothing synchronises the board")
    XCTAssertEqual(clocks.changes.map(\.cause), [.set])
    let change = try XCTUnwrap(clocks.changes.first)
    XCTAssertTrue((recorded[0]...recorded[recorded.count - 1]).contains(change.time), "\(change)")
    // Setting a clock takes a while, and reading another one too.
    let shift = change.offset - offset
    XCTAssertLessThan((shift - hour).magnitude, 1_000_000_000)
    XCTAssertEqual(try corrected(), recorded.map { $0 + shift })
  }

  /// The metadata has it at once.
  func testAKilledRecordingHasSaidIt() throws {
    let process = try start()
    set(by: -hour)
    defer { set(by: hour) }
    waitUntil("the change in the metadata") { (try? self.clocks().changes.map(\.cause)) == [.set] }
    XCTAssertEqual(try TraceMetadata(beside: output)?.state, .unfinished)
    XCTAssertNil(process.wait(after: SIGKILL))
    let clocks = try clocks()
    let shift = try XCTUnwrap(clocks.changes.first).offset - XCTUnwrap(clocks.offset)
    let recorded = try times(output)
    // The last row may be torn.
    XCTAssertEqual(try corrected().prefix(5), recorded.prefix(5).map { $0 + shift }[...])
    XCTAssertLessThan((shift + hour).magnitude, 1_000_000_000)
  }

  // MARK: Datagrams

  /// The kernel gives their times by the wall clock.
  func testDatagramsHaveNoStepAndWhatComesAtASetIsFlagged() throws {
    let path = NSTemporaryDirectory() + "datagrams.jsonl"
    for path in [path, path + "-metadata.json"] { unlink(path) }
    let ip = ["/usr/sbin/ip", "/sbin/ip", "/usr/bin/ip"].first { FileManager.default.isExecutableFile(atPath: $0) }
    XCTAssertEqual(ChildProcess(ip ?? "ip", ["link", "set", "lo", "up"]).wait(), 0)
    let sending = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(sending) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(20_123).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    var number = 0
    func send() {
      let text = "\(number)"
      let sent = withUnsafeBytes(of: &address) { bytes in
        sendto(
          sending, text, text.utf8.count, 0, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
          socklen_t(bytes.count))
      }
      XCTAssertEqual(sent, text.utf8.count)
      number += 1
    }
    func readings() throws -> [Reading] {
      let trace = try TraceReader(path: path)
      var readings: [Reading] = []
      while let reading = try trace.next() { readings.append(reading) }
      return readings
    }
    func wait(forMore count: Int) {
      let wanted = ((try? readings()) ?? []).count + count
      waitUntil("\(wanted) datagrams", every: 0.002) {
        send()
        return ((try? readings()) ?? []).count >= wanted
      }
    }
    let process = ChildProcess(command, ["record", "udp:127.0.0.1:20123,as=csv,names=n", "-o", path, "--quiet"])
    wait(forMore: 100)
    set(by: hour)
    wait(forMore: 100)
    set(by: -hour)
    wait(forMore: 100)
    XCTAssertEqual(process.wait(after: SIGINT), 0)
    let readings = try readings()
    let numbers = readings.map { Int($0.values[0].significand) }
    XCTAssertEqual(numbers, Array(number - numbers.count..<number), "none is missing")
    for (earlier, later) in zip(readings, readings.dropFirst()) {
      XCTAssertGreaterThanOrEqual(later.time, earlier.time)
      XCTAssertLessThan(later.time, earlier.time + 60_000_000_000)
    }
    let flagged = readings.indices.filter { readings[$0].flags.contains(.uncertainTime) }
    let groups = flagged.filter { !flagged.contains($0 - 1) }
    XCTAssertEqual(groups.count, 2, "one for each set: \(flagged)")
    XCTAssertLessThan(flagged.count, 100, "only those that came with it")
  }
}
