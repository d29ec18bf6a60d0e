import SluiceDevices

/// Readings that never reached the pipeline, and how that is known.
struct Loss: Hashable {
  /// Those that share the count.
  var streams: [String] = []
  var label: String
  var count: Int
  /// When the first and the last were found out, in nanoseconds since the epoch.
  var first: Int64?
  var last: Int64?
  /// Count and label as a sentence has them, where that is not one behind the other.
  var phrase: String?

  var json: String {
    let times = [("first_ns", first), ("last_ns", last)].compactMap { name, time in time.map { ", \"\(name)\": \($0)" }
    }
    let names = streams.isEmpty ? "" : "\"streams\": [\(streams.map(quoted).joined(separator: ", "))], "
    return "{\(names)\"reason\": \(quoted(label)), \"count\": \(count)\(times.joined())}"
  }

  /// `8 lost in the kernel of METER from 2026-11-21T12:00:01.123Z to 2026-11-21T12:00:01.456Z`.
  /// - Parameter isNaming: Says of which streams.
  func text(isNaming: Bool = false) -> String {
    let what = (phrase ?? "\(grouped(count)) \(label)") + (isNaming ? " of \(streams.joined(separator: ", "))" : "")
    guard let first, let last else { return what }
    return what + (first == last ? " at \(utcTime(first))" : " from \(utcTime(first)) to \(utcTime(last))")
  }
}

extension Loss {
  init(_ count: DeviceLosses.Count) {
    self.init(
      label: count.sign.label, count: count.count, first: count.first, last: count.last, phrase: count.description)
  }
}
