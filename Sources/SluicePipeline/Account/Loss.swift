import SluiceDevices
import SluiceReadings

/// Readings that never reached the pipeline, and how that is known.
package struct Loss: Hashable {
  /// Those that share the count.
  package var streams: [String] = []
  package var label: String
  package var count: Int
  /// When the first and the last were found out, in nanoseconds since the epoch.
  package var first: Int64?
  package var last: Int64?
  /// The count is of readings; or of occasions, such as removals, each of which may have cost any number.
  package var countsReadings = true
  /// Each occasion may have cost readings that nothing else counts.
  package var isUncounted = false
  /// The trace's metadata says so: it was lost when the trace was recorded.
  package var isRecorded = false
  /// Count and label as a sentence has them, where that is not one behind the other.
  package var phrase: String?

  package init(
    streams: [String] = [], label: String, count: Int, first: Int64? = nil, last: Int64? = nil,
    countsReadings: Bool = true, isUncounted: Bool = false, isRecorded: Bool = false, phrase: String? = nil
  ) {
    self.streams = streams
    self.label = label
    self.count = count
    self.first = first
    self.last = last
    self.countsReadings = countsReadings
    self.isUncounted = isUncounted
    self.isRecorded = isRecorded
    self.phrase = phrase
  }

  package var json: String {
    let times = [("first_ns", first), ("last_ns", last)].compactMap { name, time in time.map { ", \"\(name)\": \($0)" }
    }
    let names = streams.isEmpty ? "" : "\"streams\": [\(streams.map(quoted).joined(separator: ", "))], "
    let unit = countsReadings ? "" : ", \"unit\": \"occasions\""
    let origin = isRecorded ? ", \"recorded\": true" : ""
    return "{\(names)\"reason\": \(quoted(label)), \"count\": \(count)\(unit)\(times.joined())\(origin)}"
  }

  /// `8 lost in the kernel of METER from 2026-11-21T12:00:01.123Z to 2026-11-21T12:00:01.456Z`.
  /// - Parameter isNaming: Says of which streams.
  package func text(isNaming: Bool = false) -> String {
    let what = (phrase ?? "\(grouped(count)) \(label)") + (isNaming ? " of \(streams.joined(separator: ", "))" : "")
    guard let first, let last else { return what }
    return what + (first == last ? " at \(utcTime(first))" : " from \(utcTime(first)) to \(utcTime(last))")
  }
}

extension DeviceLosses {
  /// As they stand in an account.
  package var accounted: [Loss] {
    all.map { count in
      Loss(
        label: count.sign.label, count: count.count, first: count.first, last: count.last,
        countsReadings: count.isCountOfReadings,
        isUncounted: count.sign == .removed || (count.sign == .full && mayHaveUncountedLosses),
        phrase: count.description)
    }
  }
}
