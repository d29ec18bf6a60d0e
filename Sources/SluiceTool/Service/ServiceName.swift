import SluiceReadings
import SluiceSystem

/// The name of a service: NAME in `sluice-record@NAME`.
struct ServiceName: CustomStringConvertible {
  /// With it, the path of its socket still fits: /run/sluice-record-NAME/NAME.sock.
  static let longest = 41

  let text: String

  /// - Throws: What is wrong with the name. Characters that are refused would have to be escaped in the name of a unit.
  init(_ text: String) throws(SluiceError) {
    let allowed = text.utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "-"):
        true
      default: false
      }
    }
    guard allowed, !text.isEmpty, text.utf8.count <= Self.longest, !text.hasPrefix("."),
      !text.hasPrefix("-")
    else {
      throw SluiceError(
        .usage, "use the name", text,
        because:
          "the name of a service has 1 to \(Self.longest) letters, digits, '_', '-' and '.', and begins with none of the last two",
        remedy: "rename the file")
    }
    self.text = text
  }

  /// The name of a file without its folder and its ending.
  init(file: String) throws(SluiceError) {
    let name = fileName(of: file)
    let stem = ServicePlan.endings.first { name.hasSuffix($0) }.map { String(name.dropLast($0.count)) }
    guard let stem else {
      throw SluiceError(
        .usage, "install", file, because: "its name does not end in \(ServicePlan.endings.joined(separator: " or "))")
    }
    try self.init(stem)
  }

  var unit: String { "sluice-record@\(text).service" }
  /// The folder of its recordings.
  var folder: String { "/var/lib/sluice/\(text)" }
  var description: String { text }
}
