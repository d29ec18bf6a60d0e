import Foundation
import SluicePipeline
import XCTest

final class BenchCommandTests: CommandTestCase {
  func testFiguresAsJSON() throws {
    let said = try run("bench --only csv,spill,disk --duration 1ms --disk-size 128k --json")
    let report = try XCTUnwrap(JSONSerialization.jsonObject(with: Data(said.utf8)) as? [String: Any])
    XCTAssertEqual(Set(report.keys), ["machine", "csv", "spill", "disk"])
    XCTAssertGreaterThan((report["machine"] as? [String: Any])?["cores"] as? Int ?? 0, 0)
    let parts = [
      ("csv", ["encode", "decode"]), ("spill", ["append", "as many bytes", "read"]),
      ("disk", ["in sequence", "64 KiB and fdatasync"]),
    ]
    for (part, names) in parts {
      let measurements = try XCTUnwrap(report[part] as? [[String: Any]])
      XCTAssertEqual(measurements.compactMap { $0["name"] as? String }, names)
      for (key, figure) in measurements.joined() where key != "name" {
        XCTAssertGreaterThan((figure as? NSNumber)?.doubleValue ?? 0, 0, key)
      }
    }
    XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: folder), [], "nothing is left behind")
  }

  func testFiguresForPeople() throws {
    let said = try run("bench --only streams,timer --duration 10ms")
    for part in ["map.filter.scan", "receive(on:)", "every 1ms"] { XCTAssertTrue(said.contains(part), said) }
  }

  private let attributes = [
    "name": "adc", "sampling_frequency": "100", "sampling_frequency_available": "200 100", "buffer/enable": "0",
    "buffer/length": "2", "buffer/watermark": "1", "scan_elements/in_voltage0_en": "0",
    "scan_elements/in_voltage0_index": "0", "scan_elements/in_voltage0_type": "le:s16/16>>0",
  ]

  /// A sysfs of plain files.
  private func makeConverter() throws {
    for part in ["sys/bus/iio/devices/iio:device0/buffer", "sys/bus/iio/devices/iio:device0/scan_elements", "dev"] {
      try FileManager.default.createDirectory(atPath: "\(folder)/\(part)", withIntermediateDirectories: true)
    }
    for (name, value) in attributes { try write("sys/bus/iio/devices/iio:device0/\(name)", value + "\n") }
  }

  /// The device is a pipe with more scans than its buffer has room for.
  func testAnIIODeviceAtOneRateAfterTheOther() throws {
    let device = "\(folder)/sys/bus/iio/devices/iio:device0"
    try makeConverter()
    XCTAssertEqual(mkfifo("\(folder)/dev/iio:device0", 0o600), 0)
    let pipe = try XCTUnwrap(FileHandle(forUpdatingAtPath: "\(folder)/dev/iio:device0"))
    pipe.write(Data(count: 4_096 * 2))
    let said = try run("bench --only devices iio:adc --root . --duration 50ms --json")
    try pipe.close()
    let report = try XCTUnwrap(JSONSerialization.jsonObject(with: Data(said.utf8)) as? [String: Any])
    let iio = try XCTUnwrap((report["iio"] as? [[String: Any]])?.first)
    XCTAssertEqual(
      ["fifo", "watermark", "highest", "highest_hz_without_loss"].map { iio[$0] as? Int }, [1_024, 5, 1_024, 200])
    let rates = try XCTUnwrap(report["iio_rates"] as? [[String: Any]])
    XCTAssertEqual(rates.map { $0["name"] as? String }, ["adc 100 Hz", "adc 200 Hz"])
    for name in ["sampling_frequency", "buffer/enable", "scan_elements/in_voltage0_en"] {
      let value = try String(contentsOfFile: "\(device)/\(name)", encoding: .utf8).split(separator: "\n").first
      XCTAssertEqual(value.map(String.init), attributes[name], "\(name) is as it was")
    }
  }

  /// Whatever can be recorded can be measured.
  func testSourcesAsTheyAreRecorded() throws {
    try write("number", "7\n")
    let said = try run("bench --duration 1ms --json --only devices sim:imu@100,seed=2 a=timer:1ms poll:number@1ms")
    let report = try XCTUnwrap(JSONSerialization.jsonObject(with: Data(said.utf8)) as? [String: Any])
    XCTAssertEqual(Set(report.keys), ["machine", "sources"])
    let sources = try XCTUnwrap(report["sources"] as? [[String: Any]])
    XCTAssertEqual(
      sources.map { $0["name"] as? String }, ["sim:imu@100,seed=2", "a=timer:1ms", "poll:number@1ms"])
    XCTAssertTrue(try run("bench --duration 1ms --only devices timer:1ms").contains("source timer:1ms\n"))
  }

  func testWrongUsage() throws {
    for (wrong, sentence) in [
      ("gpio:x", "gpio:x: say which lines of which chip"), ("sim:x", "sim:x: sim takes imu|meter"),
      ("sim", "sim is not a source"), ("--only devices", "such as gpio:gpiochip0:3,4 or iio:"),
      ("--only csv timer:1ms", "--only leaves out"), ("--only csv iio:adc", "--only leaves out"),
      ("timer:1ms --edges both", "--edges is for gpio"), ("--duraton 1s", "unknown option '--duraton'"),
    ] {
      let said = try run("bench \(wrong)", status: 64)
      XCTAssertTrue(said.contains(sentence), said)
    }
  }

  func testASmallDiskSizeIsWhatItSays() throws {
    for (size, name) in [("4k", "4 KiB and fdatasync"), ("1000B", "1000 bytes and fdatasync")] {
      XCTAssertTrue(try run("bench --only disk --duration 1ms --disk-size \(size)").contains(name))
    }
  }

  func testAFailedWriteIsAnError() throws {
    for arguments in ["--only timer", "--only timer --json"] {
      let said = try run("bench --duration 1ms \(arguments)", status: 1, output: "/dev/full")
      XCTAssertTrue(said.contains("cannot write standard output"), said)
    }
    XCTAssertTrue(try run("list", status: 1, output: "/dev/full").contains("cannot write standard output"))
  }

  /// Measured for an hour, if it were found out only then.
  func testWhatCannotBeMeasuredIsSaidFirst() throws {
    for wrong in ["iio:nope", "gpio:gpiochip99:3", "--output-directory nope"] {
      let said = try run("bench --duration 1h \(wrong)", status: 1)
      XCTAssertFalse(said.contains("map.filter.scan"), said)
    }
  }

  /// A device that is gone when it is read.
  func testWhatWasMeasuredBeforeAnErrorIsTold() throws {
    try makeConverter()
    try write("dev/iio:device0", "")
    for format in ["", " --json"] {
      let said = try run("bench --only csv,devices timer:1ms iio:adc --root . --duration 1ms\(format)", status: 1)
      XCTAssertTrue(said.contains("timer:1ms"), said)
      XCTAssertFalse(said.contains("decode"), said)
      XCTAssertTrue(said.contains("the device was removed"), said)
      guard !format.isEmpty else { continue }
      let line = try XCTUnwrap(said.split(separator: "\n").first { $0.hasPrefix("{") })
      let report = try XCTUnwrap(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      XCTAssertEqual(Set(report.keys), ["machine", "sources"])
    }
  }

  /// Whoever drives the lines should not wait for the disk. A headroom of 100 % would be said of a device that gave nothing.
  func testDevicesComeFirstAndSilenceIsNoHeadroom() throws {
    let said = try run("bench --only timer,devices timer:1h --duration 1ms")
    let silent = try XCTUnwrap(said.range(of: "no reading of timer:1h came"), said)
    XCTAssertLessThan(silent.lowerBound, try XCTUnwrap(said.range(of: "every 1ms")).lowerBound)
  }

  func testWhatCannotBeMeasuredIsSaid() throws {
    XCTAssertTrue(try run("bench --only disk --output-directory nope", status: 1).contains("--output-directory"))
    XCTAssertTrue(try run("bench --only devices iio:nope", status: 1).contains("cannot open IIO device nope"))
  }

  func testAnInterruptionLeavesNothingBehind() throws { try interrupt(with: SIGINT) }

  func testAClosedTerminalLeavesNothingBehind() throws { try interrupt(with: SIGHUP) }

  /// What was measured before is still told.
  private func interrupt(with signal: Int32) throws {
    let (process, said) = try start("bench --only disk,csv --duration 10m --disk-size 1M --json")
    let deadline = Date(timeIntervalSinceNow: 60)
    while try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty, Date() < deadline {
      RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.01))
    }
    kill(process.processIdentifier, signal)
    let text = String(decoding: said.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    XCTAssertEqual(process.terminationReason, .exit)
    XCTAssertEqual(process.terminationStatus, 1, text)
    XCTAssertTrue(text.contains("it was interrupted"), text)
    XCTAssertTrue(text.contains("{\"machine\": "), text)
    XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: folder), [])
  }
}
