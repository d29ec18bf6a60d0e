/// Why a text is no time.
package enum TimeReason {
  /// - Returns: nil if the form alone explains it.
  @Sendable package static func why(_ text: String) -> String? { why(text, orSize: false) }

  /// - Parameter orSize: Whether it may be a size instead.
  /// - Returns: nil if the form alone explains it.
  package static func why(_ argument: String, orSize: Bool) -> String? {
    if argument.prefix(5).last == "-", Int(argument.prefix(4)) != nil {
      return "a date is of 1678 to 2261, in a form such as 2026-11-21T12:00:00Z"
    }
    let time = argument.split(separator: "=").last?.split(separator: ":").first.map(String.init) ?? argument
    if Double(time) == 0 { return "it is more than 0" }
    if !time.isEmpty, time.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }) {
      return orSize
        ? "a number has a unit, such as \(time)M or \(time)h"
        : "a time has a unit, such as \(time)ms, \(time)s or \(time)m"
    }
    guard !orSize, let unit = time.firstIndex(where: { $0.isLetter }), let number = Double(time[..<unit]) else {
      return nil
    }
    if TimeSpan("1\(time[unit...])") == nil { return "the units of time are ns, us, ms, s, m, h and d" }
    return number <= 0 ? "a time is more than zero" : nil
  }
}
