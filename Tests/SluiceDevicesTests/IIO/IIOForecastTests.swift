import Foundation
import SluiceReadings
import XCTest

@testable import SluiceDevices

/// What is said of a device before it is set up is what it then is.
final class IIOForecastTests: XCTestCase {
  func testItIsWhatTheCaptureHas() throws {
    for (rate, length, watermark, latency) in [
      (nil, nil, nil, nil), ("100", nil, nil, nil), ("1600", nil, nil, nil), ("200", 300, nil, nil),
      ("200", 64, 40, nil),
      ("200", nil, nil, 500_000_000), ("25", 10, nil, 1_000_000_000),
    ] as [(String?, Int?, Int?, Int64?)] {
      let fixture = SysfsFixture()
      if let rate { fixture.write("sampling_frequency", rate) }
      var options = IIOOptions()
      (options.samplingFrequency, options.length, options.watermark, options.latency) = (
        rate, length, watermark, latency
      )
      let forecast = try IIOForecast(device: "bmi160", channels: [], options: options, roots: fixture.roots)
      let capture = try IIOCapture(
        IIODevice.find("bmi160", roots: fixture.roots), channels: [], options: options, roots: fixture.roots)
      defer { capture.tearDown() }
      XCTAssertEqual(forecast.rate, capture.rate, "\(options)")
      XCTAssertEqual(
        forecast.queue, .readings(capacity: capture.fifo.capacity, waiting: capture.fifo.watermark ?? 0), "\(options)")
      XCTAssertEqual(forecast.stream.channels.map(\.name), capture.channels.map(\.name), "\(options)")
    }
  }

  func testNothingIsChanged() throws {
    let fixture = SysfsFixture()
    func contents() throws -> [String: String] {
      let all = FileManager.default.enumerator(atPath: fixture.root)?.compactMap { $0 as? String } ?? []
      return Dictionary(
        uniqueKeysWithValues: all.map {
          ($0, (try? String(contentsOfFile: "\(fixture.root)/\($0)", encoding: .utf8)) ?? "")
        })
    }
    let before = try contents()
    var options = IIOOptions()
    (options.samplingFrequency, options.trigger, options.length) = ("50", "mine", 12)
    _ = try IIOForecast(device: "0", channels: ["accel_x"], options: options, roots: fixture.roots)
    XCTAssertEqual(try contents(), before)
    XCTAssertThrowsError(try IIOForecast(device: "none", channels: [], options: options, roots: fixture.roots))
    XCTAssertThrowsError(try IIOForecast(device: "0", channels: ["none"], options: options, roots: fixture.roots))
  }

  func testEdges() {
    var options = GPIOOptions()
    let isShared = GPIOChips.libraryVersion.map { !$0.hasPrefix("1.") } ?? true
    XCTAssertEqual(
      options.kernelQueue(lines: 3),
      isShared ? .readings(capacity: 1_024, waiting: 256) : .readings(capacity: 48, waiting: 12))
    options.fifo = 100
    if isShared { XCTAssertEqual(options.kernelQueue(lines: 3), .readings(capacity: 128, waiting: 32)) }
  }
}
