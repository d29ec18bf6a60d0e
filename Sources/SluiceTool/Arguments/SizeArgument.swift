import ArgumentParser

/// An amount of data as people write it: `512k`, `64M`, `1G`, in powers of 1,024.
struct SizeArgument: ExpressibleByArgument, Hashable {
  let bytes: Int

  init(bytes: Int) { self.bytes = bytes }

  init?(argument: String) {
    let digits = argument.prefix { $0.isASCII && $0.isNumber }
    guard let number = Int(digits), number > 0, let scale = Self.units[String(argument[digits.endIndex...])] else {
      return nil
    }
    let (bytes, overflow) = number.multipliedReportingOverflow(by: scale)
    guard !overflow else { return nil }
    self.bytes = bytes
  }

  private static let units = ["": 1, "k": 1 << 10, "M": 1 << 20, "G": 1 << 30]

  var defaultValueDescription: String {
    for (unit, scale) in [("G", 1 << 30), ("M", 1 << 20), ("k", 1 << 10)] where bytes % scale == 0 {
      return "\(bytes / scale)\(unit)"
    }
    return String(bytes)
  }
}
