import Foundation
import XCTest

/// Signals are heard before anything is opened.
final class SignalTests: CommandTestCase {

  /// Opening a FIFO that nobody reads waits; the device must not stay as it was set up.
  func testAFIFOThatNobodyReadsCanBeInterrupted() throws {
    let fixture = try ConverterFixture(in: folder)
    XCTAssertEqual(mkfifo("\(folder)/o", 0o600), 0)
    for signal in [SIGINT, SIGTERM, SIGHUP] {
      try fixture.set("buffer/enable", to: "0")
      let feeding = open(fixture.fifo, O_RDWR)
      defer { close(feeding) }
      let started = try start("record iio:adc --root \(folder) -o o")
      waitUntil("the device's set-up") { fixture.attribute("buffer/enable") == "1" }
      kill(started.process.processIdentifier, signal)
      let (status, text) = end(started)
      XCTAssertEqual(status, 0, text)
      XCTAssertTrue(text.contains("sluice: stopped before it began: cannot "), text)
      XCTAssertEqual(fixture.attribute("buffer/enable"), "0")
      XCTAssertEqual(fixture.attribute("scan_elements/in_voltage0_en"), "0")
    }
  }

  /// No row of an earlier run is looked for in a FIFO.
  func testAFIFOToAppendToIsNotRead() throws {
    for ending in ["csv", "jsonl", "influx", "mcap"] {
      XCTAssertEqual(mkfifo("\(folder)/o.\(ending)", 0o600), 0)
      let reader = try startShell("exec cat o.\(ending) >got")
      let started = try start("record timer:1ms --duration 100ms -o all\(ending).csv -o o.\(ending) --append")
      waitUntil("the end of \(ending)") { !started.process.isRunning }
      for process in [started.process, reader.process] where process.isRunning {
        kill(process.processIdentifier, SIGKILL)
      }
      let (status, text) = end(started)
      XCTAssertEqual(status, 0, text)
      XCTAssertGreaterThan(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/got")).count, 100, ending)
    }
  }

  /// What is said while it waits is heard once it begins.
  func testAPauseBeforeTheBeginningHolds() throws {
    XCTAssertEqual(mkfifo("\(folder)/o", 0o600), 0)
    let started = try start("record timer:1ms --duration 500ms -o o --stats json")
    // Its signals are registered before the FIFO is opened.
    waitUntil("its start") { self.hearsSIGUSR1(started.process.processIdentifier) }
    kill(started.process.processIdentifier, SIGUSR1)
    let reading = open("\(folder)/o", O_RDONLY)
    var text = [UInt8](repeating: 0, count: 1 << 16)
    var count = 0
    while case let more = read(reading, &text[count], text.count - count), more > 0 { count += more }
    close(reading)
    let (status, said) = end(started)
    XCTAssertEqual(status, 0, said)
    XCTAssertTrue(said.contains("sluice: paused"), said)
  }

  /// Before it knows what it is to record, the process keeps signals.
  func testASignalBeforeThePlanIsKept() throws {
    XCTAssertEqual(mkfifo("\(folder)/plan", 0o600), 0)
    // Only SIGHUP ends an hour early. It may come before the recording has begun, or after.
    for (signal, duration, said) in [(SIGUSR1, "300ms", "paused"), (SIGUSR2, "300ms", "recorded"), (SIGHUP, "1h", "")] {
      let started = try startShell("exec $SLUICE record --plan - <plan")
      let plan = FileHandle(fileDescriptor: open("\(folder)/plan", O_WRONLY), closeOnDealloc: true)
      // More than a pipe holds: the process has read some of it.
      plan.write(Data(repeating: 0x20, count: 200_000))
      kill(started.process.processIdentifier, signal)
      let text =
        #"{"version":1,"sources":[{"kind":"timer","what":"1ms","name":"t"}],"stages":[{"stage":"buffer"}],"#
        + #""outputs":[{"path":"o\#(signal).csv"}],"limits":{"duration":"\#(duration)"}}"#
      plan.write(Data(text.utf8))
      try plan.close()
      let ended = end(started)
      XCTAssertEqual(ended.status, 0, "\(signal): \(ended.text)")
      XCTAssertTrue(said.isEmpty || ended.text.contains(said), "\(signal): \(ended.text)")
    }
  }

  private func hearsSIGUSR1(_ process: Int32) -> Bool {
    let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") } ?? ""
    let mask = UInt64(line.split(separator: "\t").last ?? "", radix: 16) ?? 0
    return mask & 1 << UInt64(SIGUSR1 - 1) != 0
  }

  func testAReplayThatIsStoppedSaysSo() throws {
    let rows = (0..<10).map { "\($0 * 3_600_000_000_000),\($0)" }
    try "time_ns,x\n\(rows.joined(separator: "\n"))\n".write(
      toFile: "\(folder)/in.csv", atomically: false, encoding: .utf8)
    let started = try start("replay in.csv --rate 1 -o out.csv")
    waitUntil("the first row") {
      ((try? String(contentsOfFile: "\(self.folder)/out.csv", encoding: .utf8)) ?? "").contains("\n0,0")
    }
    kill(started.process.processIdentifier, SIGINT)
    let (status, text) = end(started)
    XCTAssertEqual(status, 0, text)
    XCTAssertTrue(text.contains("1 written, nothing lost in replay, stopped before the end of the trace"), text)
  }

  func testATraceFromAFIFOThatNobodyWritesCanBeInterrupted() throws {
    XCTAssertEqual(mkfifo("\(folder)/in", 0o600), 0)
    let started = try start("replay in -o out.csv")
    waitUntil("its start") { self.hearsSIGUSR1(started.process.processIdentifier) }
    kill(started.process.processIdentifier, SIGINT)
    let (status, text) = end(started)
    XCTAssertEqual(status, 0, text)
    XCTAssertFalse(FileManager.default.fileExists(atPath: "\(folder)/out.csv"))
  }

  /// Whenever it comes, a signal ends the recording, or the process before it has begun.
  func testNoSignalAtTheStartIsLost() throws {
    for number in 0..<40 {
      let started = try start("record sim:imu -o s\(number).csv")
      let end = DispatchTime.now() + .microseconds(number * 1_500)
      while DispatchTime.now() < end {}
      kill(started.process.processIdentifier, SIGINT)
      waitUntil("the end after \(number * 1_500) us") { !started.process.isRunning }
      if started.process.isRunning { kill(started.process.processIdentifier, SIGKILL) }
    }
  }
}
