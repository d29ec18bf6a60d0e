import Sluice
public import SluiceReadings
import Synchronization

/// The readings of a device that are missing, counted by the sign that shows the loss.
///
/// ```swift
/// let edges = try Publishers.GPIOEdges(chip: "gpiochip0", lines: ["3"])
/// for loss in edges.losses.all { print(loss.count, loss.sign.label, loss.first, loss.last) }
/// ```
///
/// Any thread may read it while readings come.
public final class DeviceLosses: Sendable {
  /// The sign that readings are missing.
  public enum Sign: Int, CaseIterable, Sendable {
    /// GPIO: missing numbers of a line (`line_seqno`). They are exactly the edges that the FIFO of the kernel lost.
    case skipped
    /// GPIO: missing numbers of a request (`seqno`) that are not missing in any line. Either the line gave no later
    /// edge, or the kernel had not queued an edge yet when the next one came.
    case unassigned
    /// GPIO: two equal edges in a row. An edge between them was lost, or the kernel read the level of one of them late,
    /// after the next edge. Nothing shows which of the two happened.
    case repeated
    /// GPIO without numbers: between two levels that are known to be right, an even number of edges came although the
    /// levels differ, or an odd number although they are equal. So at least one edge was lost. The levels are known to
    /// be right because the line was still when they were read.
    case mismatched
    /// IIO: more than one period between two scans.
    case late
    /// Reads that failed.
    case failed
    /// Periods of a poll without a read.
    case missed
    /// Removals of the device. Nobody knows how many readings each of them lost.
    case removed
    /// Times when the FIFO of the kernel was found full, once per content. Each time it may have lost an unknown number
    /// of readings. If numbers or times show the losses, this is only a hint at the cause.
    case full
    /// CAN: frames that the kernel dropped because the buffer of the socket was full. The count is exact.
    case dropped
    /// CAN: error frames in which the controller says that it has lost frames. Nobody knows how many.
    case overrun

    /// The words for the count: the reason of a loss in the metadata.
    public var label: String {
      switch self {
      case .skipped: "lost in the kernel (gaps in sequence numbers)"
      case .unassigned: "lost in the kernel, of no known line"
      case .repeated: "pairs of equal edges in a row (an edge was lost, or a level was read late)"
      case .mismatched: "at least one edge lost each time (the levels before and after do not fit)"
      case .late: "missing (gaps in time)"
      case .failed: "reads failed"
      case .missed: "reads missed"
      case .removed: "times removed"
      case .full: "times the kernel's FIFO was found full"
      case .dropped: "dropped by the kernel (the socket's buffer was full)"
      case .overrun: "times the controller's buffer overflowed"
      }
    }

    /// Whether the count is of readings, not of occasions, which cannot be added to readings.
    var countsReadings: Bool { ![.repeated, .removed, .full, .overrun].contains(self) }
  }

  /// The losses with one sign, and their times.
  public struct Count: Hashable, Sendable, CustomStringConvertible {
    /// The sign of the loss.
    public let sign: Sign
    /// The number of losses.
    public fileprivate(set) var count = 0
    /// The times when the first and the last loss were noticed, in nanoseconds since the epoch: the time of the next
    /// reading, or for ``Sign/full`` the time of the newest reading in the FIFO or of the read. Nil if there was none.
    public fileprivate(set) var first, last: Int64?

    /// Whether ``count`` is of readings, which may be added to others, not of occasions.
    public var isCountOfReadings: Bool { sign.countsReadings }

    /// The words for a report: `8 missing (gaps in time)`, `removed once`.
    public var description: String {
      switch sign {
      case .repeated: "two equal edges in a row \(times) (an edge was lost, or a level was read late)"
      case .mismatched: "at least \(grouped(count)) lost (the levels before and after do not fit)"
      case .failed, .missed: "\(grouped(count)) read\(count == 1 ? "" : "s") \(sign == .failed ? "failed" : "missed")"
      case .removed: "removed \(times)"
      case .full: "the kernel's FIFO was found full \(times)"
      case .overrun: "the controller's buffer overflowed \(times)"
      case .skipped, .unassigned, .late, .dropped: "\(grouped(count)) \(sign.label)"
      }
    }

    private var times: String { count == 1 ? "once" : "\(grouped(count)) times" }
  }

  private let counts = Locked(Sign.allCases.map { Count(sign: $0) })
  private let away = Atomic(false)
  private let countsAll: Bool

  /// How many of the losses show.
  public let coverage: LossCoverage
  /// The reason why ``coverage`` is `LossCoverage.none`, for a sentence before "no loss would show": `with libgpiod 1.6.3
  /// and edges of one direction`. Nil for any other coverage.
  public let coverageReason: String?
  /// The remedy that makes losses show: `record both edges, or use libgpiod 2 (Debian 13 has it)`. Nil if they show.
  public let coverageRemedy: String?

  /// Makes an account without losses.
  public convenience init(coverage: LossCoverage = .some) { self.init(coverage: coverage, countsAll: true) }

  /// - Parameters:
  ///   - countsAll: Whether a sign other than ``Sign/full`` counts what a full FIFO loses, at least as an estimate.
  init(coverage: LossCoverage, reason: String? = nil, remedy: String? = nil, countsAll: Bool) {
    self.coverage = coverage
    self.countsAll = countsAll
    (coverageReason, coverageRemedy) = (reason, remedy)
  }

  /// Whether an unknown number of readings may be missing beyond the counts: the FIFO of the kernel was found full, and
  /// neither numbers nor times of the readings show its losses.
  public var mayHaveUncountedLosses: Bool { !countsAll && self[.full].count > 0 }

  /// Whether the device was removed and has not come back. It is set only with `whenRemoved`, and stays set if the
  /// stream finishes before the return.
  public var isAway: Bool { away.load(ordering: .relaxed) }

  /// Set by the one thread that reads.
  func set(isAway: Bool) { away.store(isAway, ordering: .relaxed) }

  /// - Returns: The count for a sign, 0 if nothing is missing.
  public subscript(sign: Sign) -> Count { counts.withLock { $0[sign.rawValue] } }

  /// The counts that are not 0.
  public var all: [Count] { counts.withLock { $0.filter { $0.count > 0 } } }

  /// - Parameter time: The time of the reading after the loss, in nanoseconds since the epoch.
  func add(_ sign: Sign, _ count: Int = 1, at time: Int64) {
    guard count > 0 else { return }
    counts.withLock { counts in
      var total = counts[sign.rawValue]
      total.count = count > .max - total.count ? .max : total.count + count
      total.first = min(total.first ?? time, time)
      total.last = max(total.last ?? time, time)
      counts[sign.rawValue] = total
    }
  }
}

extension DeviceLosses {
  /// The losses in the form of an account.
  public var accounted: [Loss] {
    all.map { count in
      Loss(
        reason: count.sign.label, count: count.count, first: count.first, last: count.last,
        countsReadings: count.isCountOfReadings,
        isUncounted: [.repeated, .removed, .overrun].contains(count.sign)
          || (count.sign == .full && mayHaveUncountedLosses),
        phrase: count.description)
    }
  }

  var report: LossReport {
    LossReport(accounted, coverage: coverage, reason: coverageReason, remedy: coverageRemedy)
  }
}
