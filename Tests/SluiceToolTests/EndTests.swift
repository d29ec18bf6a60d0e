import Foundation
import SluiceReadings
import XCTest

@testable import SluicePipeline

/// How a recording ends when somebody does not want to wait, or does not read.
final class EndTests: CommandTestCase {
  /// The number of fcntl(2) for the size of a pipe, which Glibc's module leaves out.
  private let setPipeSize: Int32 = 1031

  private func account(_ said: String) throws -> Account {
    let line = try XCTUnwrap(said.split(separator: "\n").first { $0.hasPrefix("{\"version\"") }, said)
    return try JSONDecoder().decode(Account.self, from: Data(line.utf8))
  }

  /// A FIFO that is open for reading, of two pages, and that nobody reads.
  private func makeStuckFIFO() -> Int32 {
    XCTAssertEqual(mkfifo("\(folder)/o", 0o600), 0)
    // The command is not to have it open too.
    let descriptor = open("\(folder)/o", O_RDWR | O_CLOEXEC)
    XCTAssertGreaterThan(fcntl(descriptor, setPipeSize, 8_192), 0)
    return descriptor
  }

  private func waitUntilFull(_ descriptor: Int32) {
    waitUntil("a full pipe") {
      var count: Int32 = 0
      return ioctl(descriptor, UInt(FIONREAD), &count) == 0 && count >= 4_096
    }
  }

  /// Its rows are so long that the first batch, of 512 rows, is more than a stuck pipe holds: a full one is a stuck write.
  private func writeTrace(_ count: Int) throws {
    let rows = (0..<count).map { "\(1_700_000_000_000_000_000 + $0 * 100_000),\($0)\n" }
    try write("in.csv", "time_ns,x\n" + rows.joined())
  }

  /// What is in a pipe until nobody has it open for writing any more.
  private func readAll(_ descriptor: Int32) -> String {
    var text: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = read(descriptor, &chunk, chunk.count), count > 0 { text += chunk[..<count] }
    return String(decoding: text, as: UTF8.self)
  }

  // MARK: Grace

  /// A reader that does not read; the device is put back all the same.
  func testAWriteThatIsStuckIsLeftBehind() throws {
    let fixture = try ConverterFixture(in: folder)
    let stuck = makeStuckFIFO()
    defer { close(stuck) }
    let feeding = open(fixture.fifo, O_RDWR)
    defer { close(feeding) }
    let started = try start("record iio:adc --root \(folder) -o o -o good.csv --grace 100ms --stats json")
    waitUntil("the device's set-up") { fixture.attribute("buffer/enable") == "1" }
    let scans = ConverterFixture.scans(0..<900)
    XCTAssertEqual(Foundation.write(feeding, scans, scans.count), scans.count)
    waitUntilFull(stuck)
    kill(started.process.processIdentifier, SIGTERM)
    let (status, said) = end(started)
    XCTAssertEqual(status, 1, said)
    XCTAssertEqual(fixture.attribute("buffer/enable"), "0")
    XCTAssertEqual(fixture.attribute("scan_elements/in_voltage0_en"), "0")
    let account = try account(said)
    XCTAssertEqual([account.received, account.written, account.unaccounted], [900, 900, 0])
    XCTAssertTrue(account.wasStopped)
    let output = account.outputs[0].streams[0]
    XCTAssertEqual(output.written + output.unwritten, 900)
    XCTAssertGreaterThan(output.unwritten, 0)
    let sentence = "cannot finish o: \(output.unwritten) readings were not written within 100ms"
    XCTAssertEqual(account.errors, [sentence])
    XCTAssertTrue(said.contains("sluice: \(sentence)\n"), said)
    XCTAssertNil(account.outputs[1].error)
    XCTAssertEqual(try rows("good.csv").count, 901, "the other output has all")
    let metadata = try String(contentsOfFile: "\(folder)/good.csv-metadata.json", encoding: .utf8)
    XCTAssertTrue(metadata.contains(#""sluice:state": "finished""#), metadata)
  }

  func testTheGraceBeginsWithEveryKindOfEnd() throws {
    for limit in ["--duration 500ms", "--count 2000"] {
      let stuck = makeStuckFIFO()
      defer {
        close(stuck)
        unlink("\(folder)/o")
      }
      let said = try run("record timer:100us \(limit) -o o --grace 50ms --stats json", status: 1)
      let account = try account(said)
      XCTAssertEqual(account.unaccounted, 0, said)
      XCTAssertEqual(account.received, account.written + account.dropped + account.unwritten, said)
      XCTAssertTrue(said.contains("not written within 50ms"), said)
    }
  }

  /// A trace that nobody stops may take any time.
  func testAReplayHasNoGraceUntilItIsStopped() throws {
    try writeTrace(20_000)
    let stuck = makeStuckFIFO()
    let started = try start("replay in.csv -o o --grace 1ms --stats json")
    waitUntilFull(stuck)
    let reading = open("\(folder)/o", O_RDONLY | O_CLOEXEC)
    close(stuck)
    let text = readAll(reading)
    close(reading)
    let (status, said) = end(started)
    XCTAssertEqual(status, 0, said)
    XCTAssertEqual(text.split(separator: "\n").count, 20_001)
  }

  func testAnErrorOfTheGraceIsInTheSummary() throws {
    try writeTrace(20_000)
    let stuck = makeStuckFIFO()
    defer { close(stuck) }
    let started = try start("replay in.csv -o o --grace 1ms")
    waitUntilFull(stuck)
    kill(started.process.processIdentifier, SIGHUP)
    let (status, said) = end(started)
    XCTAssertEqual(status, 1, said)
    XCTAssertTrue(said.contains("readings were not written within 1ms"), said)
    XCTAssertTrue(said.contains(" not written (error), stopped before the end of the trace"), said)
    XCTAssertFalse(said.contains("UNACCOUNTED") || said.contains("nothing lost"), said)
  }

  /// Before anything of it is written, and also after.
  func testAPipeThatIsFullCanBeInterrupted() throws {
    let stuck = makeStuckFIFO()
    defer { close(stuck) }
    XCTAssertEqual(fcntl(stuck, F_SETFL, O_NONBLOCK), 0)
    let page = [UInt8](repeating: 0, count: 4_096)
    while Foundation.write(stuck, page, page.count) > 0 {}
    let fixture = try ConverterFixture(in: folder)
    let feeding = open(fixture.fifo, O_RDWR)
    defer { close(feeding) }
    let started = try start("record iio:adc --root \(folder) -o o")
    waitUntil("the device's set-up") { fixture.attribute("buffer/enable") == "1" }
    kill(started.process.processIdentifier, SIGTERM)
    let (status, said) = end(started)
    XCTAssertEqual(status, 0, said)
    // The signal may come before the output is opened.
    XCTAssertTrue(said.contains("stopped before it began: "), said)
    XCTAssertEqual(fixture.attribute("buffer/enable"), "0")
  }

  // MARK: A second signal

  func testASecondSignalStopsAtOnce() throws {
    try writeTrace(20_000)
    let stuck = makeStuckFIFO()
    defer { close(stuck) }
    let started = try start("replay in.csv -o o --grace 24h --stats json")
    waitUntilFull(stuck)
    // Two of one kind might become one.
    kill(started.process.processIdentifier, SIGTERM)
    kill(started.process.processIdentifier, SIGINT)
    let (status, said) = end(started)
    XCTAssertEqual(status, 1, said)
    let account = try account(said)
    XCTAssertEqual(account.unaccounted, 0)
    XCTAssertEqual(account.received, account.written + account.unwritten)
    XCTAssertEqual(
      account.errors,
      ["cannot finish o: \(grouped(account.unwritten)) readings were not written before it was stopped at once"])
  }

  /// A terminal that closes, and the user who pressed Ctrl-C before.
  func testSIGHUPIsNoSecondSignal() throws {
    try writeTrace(200_000)
    let stuck = makeStuckFIFO()
    let started = try start("replay in.csv -o o --grace 24h")
    waitUntilFull(stuck)
    for signal in [SIGHUP, SIGTERM, SIGHUP] { kill(started.process.processIdentifier, signal) }
    waitUntil("the signals' arrival") { self.pending(started.process.processIdentifier) == 0 }
    let reading = open("\(folder)/o", O_RDONLY | O_CLOEXEC)
    close(stuck)
    _ = readAll(reading)
    close(reading)
    let (status, said) = end(started)
    XCTAssertEqual(status, 0, said)
    XCTAssertTrue(said.contains("stopped before the end of the trace"), said)
  }

  private func pending(_ process: Int32) -> UInt64? {
    let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
    return status.split(separator: "\n").first { $0.hasPrefix("ShdPnd:") }
      .flatMap { UInt64($0.split(separator: "\t").last ?? "", radix: 16) }
  }

  // MARK: Readers that go

  /// Pipes are all the same, whoever made them.
  func testAReaderThatHasHadEnoughIsNoError() throws {
    try writeTrace(60_000)
    for command in ["replay in.csv", "record timer:100us"] {
      let said = try runShell("{ \"$SLUICE\" \(command) -o -; echo $? >status; } | head -3", status: 0)
      XCTAssertEqual(try rows("status"), ["0"], said)
      XCTAssertEqual(said.split(separator: "\n").count, 4, said)
      XCTAssertTrue(said.contains("not written (its reader has gone)"), said)
      XCTAssertFalse(said.contains("missing from the trace"), said)
    }
    let said = try runShell("mkfifo p; head -3 p & \"$SLUICE\" replay in.csv -o p; status=$?; wait; exit $status")
    XCTAssertTrue(said.contains("not written (its reader has gone)"), said)
  }

  func testAReaderThatGoesBeforeTheFirstRowIsNoError() throws {
    // The timer never ticks.
    for (options, count) in [("", 1), ("--quiet", 0)] {
      let said = try runShell("{ \"$SLUICE\" record timer:24h -o - \(options); echo $? >status; } | true")
      XCTAssertEqual(try rows("status"), ["0"], said)
      XCTAssertEqual(said.split(separator: "\n").count, count, said)
    }
  }

  func testWithQuietAReaderThatGoesIsNotMentioned() throws {
    try writeTrace(60_000)
    let said = try runShell("{ \"$SLUICE\" replay in.csv --quiet -o -; echo $? >status; } | head -3")
    XCTAssertEqual(said, "time_ns,x\n1700000000000000000,0\n1700000000000100000,1\n")
    XCTAssertEqual(try rows("status"), ["0"])
  }

  /// A trace whose metadata knows how many rows it has.
  func testWhatWasNotReplayedIsNotMissing() throws {
    try writeTrace(60_000)
    try run("replay in.csv -o again.csv")
    let said = try runShell("{ \"$SLUICE\" replay again.csv -o - --stats json; echo $? >status; } | head -1")
    XCTAssertEqual(try rows("status"), ["0"], said)
    let account = try account(said)
    XCTAssertEqual(account.losses, [])
    XCTAssertTrue(account.wasStopped)
    XCTAssertEqual(account.errors, [])
    XCTAssertNil(account.outputs[0].error)
    XCTAssertEqual(account.outputs[0].ended, "its reader has gone")
  }

  // MARK: Ctrl-Z

  func testStoppingAndContinuingTheProcessDoesNoHarm() throws {
    XCTAssertEqual(mkfifo("\(folder)/p", 0o600), 0)
    for (output, written) in [("t.csv", "t.csv"), ("p", "from-p.csv")] {
      let reader = output == "p" ? try startShell("exec cat p >from-p.csv") : nil
      let start = Date()
      let started = try self.start("record timer:1ms -o \(output) --stats json")
      let process = started.process.processIdentifier
      waitUntil("the first rows") { self.count(written) > 100 }
      kill(process, SIGTSTP)
      waitUntil("the stop") { self.state(of: process) == "T" }
      let since = Date()
      waitUntil("some ticks") { Date().timeIntervalSince(since) > 0.05 }
      let before = count(written)
      kill(process, SIGCONT)
      waitUntil("further rows") { self.count(written) > before + 100 }
      kill(process, SIGINT)
      let (status, said) = end(started)
      let milliseconds = Int(Date().timeIntervalSince(start) * 1_000)
      XCTAssertEqual(status, 0, said)
      if let reader { XCTAssertEqual(end(reader).status, 0) }
      let account = try account(said)
      let ticks = try rows(written).dropFirst().compactMap { Int($0.split(separator: ",").last ?? "") }
      XCTAssertEqual(ticks, ticks.sorted())
      XCTAssertEqual([account.received, account.written, account.unaccounted], [ticks.count, ticks.count, 0])
      let loss = try XCTUnwrap(account.losses.first)
      XCTAssertEqual(loss.reason, "ticks missed")
      XCTAssertGreaterThanOrEqual(loss.count, 50)
      // One may be missed after the last row, while the recording ends.
      XCTAssertGreaterThanOrEqual(loss.count, try XCTUnwrap(ticks.last) - ticks.count, "each that has no row")
      XCTAssertLessThanOrEqual(loss.count + ticks.count, milliseconds + 1, "no more than there were")
      XCTAssertNotNil(loss.first)
      XCTAssertNotNil(loss.last)
    }
  }

  private func count(_ name: String) -> Int { ((try? rows(name)) ?? []).count }

  private func state(of process: Int32) -> String {
    let status = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
    return status.split(separator: ")").last.map { String($0.prefix(2).suffix(1)) } ?? ""
  }
}
