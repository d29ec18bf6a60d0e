import Sluice
import SluiceReadings
import SluiceSystem

/// The lines of a source that became no readings, with their reasons.
final class LineLosses: Sendable {
  /// The reason why a line is missing.
  enum Reason: Int, CaseIterable {
    case unfit, checksum, tooLong, torn, newNames, removed

    /// The words for the count: the reason of a loss in the metadata.
    var label: String {
      switch self {
      case .unfit: "lines that do not fit"
      case .checksum: "lines with a wrong checksum"
      case .tooLong: "lines longer than 64 KiB"
      case .torn: "lines without an end"
      case .newNames: "lines with names that the first lines did not have"
      case .removed: "times removed"
      }
    }

    /// The words for a report: `1 line does not fit`.
    func phrase(_ count: Int) -> String {
      let lines = "\(grouped(count)) \(count == 1 ? "line" : "lines")"
      return switch self {
      case .unfit: "\(lines) \(count == 1 ? "does" : "do") not fit"
      case .checksum: "\(lines) with a wrong checksum"
      case .tooLong: "\(lines) longer than 64 KiB"
      case .torn: "\(lines) without an end"
      case .newNames: "\(lines) with new names"
      case .removed: count == 1 ? "removed once" : "removed \(grouped(count)) times"
      }
    }

    /// Whether the count is of readings. A line with more names than the first ones is still a reading.
    var countsReadings: Bool { self != .newNames && self != .removed }
  }

  private let counts = Locked(Reason.allCases.map { Loss(reason: $0.label, count: 0) })

  /// - Parameter time: The time of the line, by the clock of the recording.
  func add(_ reason: Reason, _ count: Int = 1, at time: Int64) {
    counts.withLock { counts in
      let loss = counts[reason.rawValue]
      counts[reason.rawValue] = Loss(
        reason: reason.label, count: loss.count + count, first: loss.first ?? time, last: time,
        countsReadings: reason.countsReadings, isUncounted: reason == .removed,
        phrase: reason.phrase(loss.count + count))
    }
  }

  /// The counts that are not 0.
  var all: [Loss] { counts.withLock { $0.filter { $0.count > 0 } } }
}
