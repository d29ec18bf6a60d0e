import Foundation
import XCTest

/// An IIO device of plain files: a sysfs below `folder`, and a FIFO that scans are written to instead of a character
/// device. To be used with `--root folder`.
struct ConverterFixture {
  let folder: String
  var device: String { "\(folder)/sys/bus/iio/devices/iio:device0" }
  var fifo: String { "\(folder)/dev/iio:device0" }

  init(in folder: String) throws {
    self.folder = folder
    for path in ["\(device)/scan_elements", "\(device)/buffer", "\(folder)/dev"] {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    for (name, text) in [
      ("name", "adc"), ("sampling_frequency", "1000000"), ("in_voltage_scale", "0.25"), ("buffer/enable", "0"),
      ("buffer/length", "2"),
      ("scan_elements/in_voltage0_en", "0"), ("scan_elements/in_voltage0_index", "0"),
      ("scan_elements/in_voltage0_type", "le:s64/64>>0"), ("scan_elements/in_timestamp_en", "0"),
      ("scan_elements/in_timestamp_index", "1"), ("scan_elements/in_timestamp_type", "le:s64/64>>0"),
    ] {
      try set(name, to: text)
    }
    XCTAssertEqual(mkfifo(fifo, 0o600), 0)
  }

  func set(_ name: String, to text: String) throws {
    try (text + "\n").write(toFile: "\(device)/\(name)", atomically: false, encoding: .utf8)
  }

  /// The first line of an attribute: plain files keep what stood behind a shorter value.
  func attribute(_ name: String) -> String {
    let text = (try? String(contentsOfFile: "\(device)/\(name)", encoding: .utf8)) ?? ""
    return text.split(separator: "\n").first.map(String.init) ?? ""
  }

  /// A number and a time, a microsecond apart; two are missing before each thousandth.
  static func scans(_ numbers: Range<Int>) -> [UInt8] {
    numbers.flatMap { number in
      [number, (number + number / 1_000 * 2) * 1_000].flatMap {
        withUnsafeBytes(of: Int64($0).littleEndian, Array.init)
      }
    }
  }
}
