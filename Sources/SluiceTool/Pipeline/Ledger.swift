import Sluice
import SluiceDevices
import SluiceRecording
import Synchronization

/// What became of the readings of one stream: each that was received is written, dropped, discarded or suppressed, unless
/// writing failed.
final class StreamLedger: Sendable {
  let name: String
  let received = Atomic(0)
  /// By a full buffer.
  let dropped = Atomic(0)
  /// By the user's own operators.
  let suppressed = Atomic(0)
  private let flags = Locked(FlaggedReadings())

  init(_ name: String) { self.name = name }

  func add(flagged reading: Reading) { flags.withLock { $0.add(reading) } }

  var flagged: FlaggedReadings { flags.withLock { $0 } }
}

/// Readings that never reached the pipeline, and how that is known.
struct Loss: Hashable {
  var label: String
  var count: Int
  /// When the first and the last were found out, in nanoseconds since the epoch.
  var first: Int64?
  var last: Int64?

  var json: String {
    let times = [("first_ns", first), ("last_ns", last)].compactMap { name, time in time.map { ", \"\(name)\": \($0)" }
    }
    return "{\"reason\": \(quoted(label)), \"count\": \(count)\(times.joined())}"
  }

  /// `8 lost in the kernel, from 2026-11-21T12:00:01.123Z to 2026-11-21T12:00:01.456Z`.
  var text: String {
    guard let first, let last else { return "\(grouped(count)) \(label)" }
    let times = first == last ? "at \(utcTime(first))" : "from \(utcTime(first)) to \(utcTime(last))"
    return "\(grouped(count)) \(label) \(times)"
  }
}

extension Loss {
  init(_ count: DeviceLosses.Count) {
    self.init(label: count.sign.label, count: count.count, first: count.first, last: count.last)
  }
}

/// The end of the account of one stream.
struct StreamAccount: Hashable {
  var name: String
  var received: Int
  var written: Int
  var dropped: Int
  var suppressed: Int
  var discarded: Int
  /// An error of the file ended it: whatever was still on its way is not written.
  var writingFailed = false

  private var rest: Int { received - written - dropped - suppressed - discarded }
  var unwritten: Int { writingFailed ? rest : 0 }
  /// Zero once everything has gone its way.
  var unaccounted: Int { writingFailed ? 0 : rest }
}
