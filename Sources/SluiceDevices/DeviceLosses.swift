import Sluice
import Synchronization

/// What a device's readings say about those that are missing, counted apart by how it is known.
///
/// ```swift
/// for loss in edges.losses.all { print(loss.count, loss.sign.label, loss.first, loss.last) }
/// ```
///
/// May be read from any thread, while readings come.
public final class DeviceLosses: Sendable {
  /// How it is known that readings are missing.
  public enum Sign: Int, CaseIterable, Sendable {
    /// GPIO: numbers of a line are missing (`line_seqno`), exactly as many as the kernel's FIFO lost.
    case skipped
    /// GPIO: numbers of a request are missing (`seqno`) that no line misses: the line gave no later edge, or the kernel
    /// had not yet queued an edge when the next one came.
    case unassigned
    /// GPIO: two equal edges in a row, so that at least one is missing that the kernel never numbered.
    case repeated
    /// IIO: more time between two scans than a period.
    case late
    /// Reads that failed.
    case failed
    /// Periods of a poll that passed without a read.
    case missed
    /// How often the device was removed; how much it would have said meanwhile nobody knows.
    case removed
    /// How often the kernel's FIFO was found full, once for each time with other contents: it may have lost an unknown
    /// number then. Where numbers or times tell what is missing this is only a hint at why.
    case full

    /// What is counted: the reason of a loss in a file of metadata.
    public var label: String {
      switch self {
      case .skipped: "lost in the kernel (gaps in sequence numbers)"
      case .unassigned: "lost in the kernel, of no known line"
      case .repeated: "at least one edge lost each time (two equal edges in a row)"
      case .late: "missing (gaps in time)"
      case .failed: "reads failed"
      case .missed: "reads missed"
      case .removed: "times removed"
      case .full: "times the kernel's FIFO was found full"
      }
    }

    /// Whether its count is a number of readings, or else of occasions, which cannot be added to readings.
    var countsReadings: Bool { self != .removed && self != .full }
  }

  /// How much of what is lost shows.
  public enum Coverage: String, Codable, Comparable, Sendable {
    /// Nothing: edges of one direction without numbers, scans without times, events.
    case none
    /// Some: an even number of edges that the kernel never numbered leaves no sign, nor does the last scan.
    case some
    case all

    /// Whether less would show.
    public static func < (a: Coverage, b: Coverage) -> Bool { a.rank < b.rank }
    private var rank: Int { self == .none ? 0 : self == .some ? 1 : 2 }
  }

  /// How many are missing by one sign, and when.
  public struct Count: Hashable, Sendable, CustomStringConvertible {
    /// How it is known.
    public let sign: Sign
    /// How many there were.
    public fileprivate(set) var count = 0
    /// When the first and the last loss were found out, in nanoseconds since the epoch: the time of the reading after it,
    /// or for ``Sign/full`` of the newest reading in the FIFO or of the read. Nil where there was none.
    public fileprivate(set) var first, last: Int64?

    /// Whether ``count`` is a number of readings, which may be added to others, and not of occasions.
    public var isCountOfReadings: Bool { sign.countsReadings }

    /// `8 missing (gaps in time)`, `removed once`: as a report says it.
    public var description: String {
      switch sign {
      case .repeated: "at least \(grouped) lost (two equal edges in a row)"
      case .failed, .missed: "\(grouped) read\(count == 1 ? "" : "s") \(sign == .failed ? "failed" : "missed")"
      case .removed: "removed \(times)"
      case .full: "the kernel's FIFO was found full \(times)"
      case .skipped, .unassigned, .late: "\(grouped) \(sign.label)"
      }
    }

    private var times: String { count == 1 ? "once" : "\(grouped) times" }

    /// With a comma between thousands.
    private var grouped: String {
      var text = ""
      for (index, digit) in String(count).reversed().enumerated() {
        if index > 0, index.isMultiple(of: 3) { text.insert(",", at: text.startIndex) }
        text.insert(digit, at: text.startIndex)
      }
      return text
    }
  }

  private let counts = Locked(Sign.allCases.map { Count(sign: $0) })
  private let away = Atomic(false)
  private let countsAll: Bool

  /// How much of what is lost shows.
  public let coverage: Coverage
  /// Why ``coverage`` is ``Coverage/none``, to stand before "no loss would show": `with libgpiod 1.6.3 and edges of one
  /// direction`. Nil where it is not.
  public let coverageReason: String?
  /// What would let losses show: `record both edges, or use libgpiod 2 (Debian 13 has it)`. Nil where they do.
  public let coverageRemedy: String?

  /// Makes an account without losses.
  public convenience init(coverage: Coverage = .some) { self.init(coverage: coverage, countsAll: true) }

  /// - Parameters:
  ///   - countsAll: Whether what a full FIFO loses is counted by another sign than ``Sign/full``, be it as an estimate.
  init(coverage: Coverage, reason: String? = nil, remedy: String? = nil, countsAll: Bool) {
    self.coverage = coverage
    self.countsAll = countsAll
    (coverageReason, coverageRemedy) = (reason, remedy)
  }

  /// Whether more may be missing than the counts say, and nobody knows how many: the kernel's FIFO was found full, and
  /// neither numbers nor times of this device's readings tell what it lost.
  public var mayHaveUncountedLosses: Bool { !countsAll && self[.full].count > 0 }

  /// Whether the device was removed and has not come back: where it is waited for (`whenRemoved`), and still after the
  /// stream was finished meanwhile.
  public var isAway: Bool { away.load(ordering: .relaxed) }

  /// Set by the one thread that reads.
  func set(isAway: Bool) { away.store(isAway, ordering: .relaxed) }

  /// - Returns: The count by one sign, 0 where nothing is missing.
  public subscript(sign: Sign) -> Count { counts.withLock { $0[sign.rawValue] } }

  /// The counts that are not 0.
  public var all: [Count] { counts.withLock { $0.filter { $0.count > 0 } } }

  /// - Parameter time: Of the reading after the loss, in nanoseconds since the epoch.
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
