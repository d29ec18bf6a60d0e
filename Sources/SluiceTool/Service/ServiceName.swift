import SluiceReadings

/// The name of a recording that is a service: NAME in `sluice-record@NAME`.
struct ServiceName: CustomStringConvertible {
  let text: String

  /// - Throws: What is wrong with it. Other characters would have to be escaped in the name of a unit.
  init(_ text: String) throws(SluiceError) {
    let allowed = text.utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "-"):
        true
      default: false
      }
    }
    guard allowed, !text.isEmpty, text.utf8.count <= 64, !text.hasPrefix(".") else {
      throw SluiceError(
        .usage, "use the name", text, because: "the name of a service has 1 to 64 letters, digits, '_', '-' and '.'",
        remedy: "rename the file")
    }
    self.text = text
  }

  /// The name of a file without its folder and its ending.
  init(file: String) throws(SluiceError) {
    let name = file.split(separator: "/").last.map(String.init) ?? ""
    let stem = ServicePlan.endings.first { name.hasSuffix($0) }.map { String(name.dropLast($0.count)) }
    guard let stem else {
      throw SluiceError(
        .usage, "install", file, because: "its name does not end in \(ServicePlan.endings.joined(separator: " or "))")
    }
    try self.init(stem)
  }

  var unit: String { "sluice-record@\(text).service" }
  /// Where its recordings go.
  var folder: String { "/var/lib/sluice/\(text)" }
  var description: String { text }
}
