import Sluice

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

    /// As it stands behind a count.
    public var label: String {
      switch self {
      case .skipped: "lost in the kernel (gaps in sequence numbers)"
      case .unassigned: "lost in the kernel, of no known line"
      case .repeated: "or more lost (two equal edges in a row)"
      case .late: "missing (gaps in time)"
      case .failed: "reads failed"
      case .missed: "reads missed"
      case .removed: "times removed"
      }
    }
  }

  /// How much of what is lost shows.
  public enum Coverage: String, Comparable, Sendable {
    /// Nothing: edges of one direction without numbers, scans without times, events.
    case none
    /// Some: an even number of edges that the kernel never numbered leaves no sign, nor does the last scan.
    case some
    case all

    public static func < (a: Coverage, b: Coverage) -> Bool { a.rank < b.rank }
    private var rank: Int { self == .none ? 0 : self == .some ? 1 : 2 }
  }

  /// How many are missing by one sign, and when.
  public struct Count: Hashable, Sendable {
    public let sign: Sign
    public fileprivate(set) var count = 0
    /// When the first and the last loss were found out, in nanoseconds since the epoch: the time of the reading after it.
    /// Nil where there was none.
    public fileprivate(set) var first, last: Int64?
  }

  private let counts = Locked(Sign.allCases.map { Count(sign: $0) })

  public let coverage: Coverage

  public init(coverage: Coverage = .some) { self.coverage = coverage }

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
      total.first = total.first ?? time
      total.last = time
      counts[sign.rawValue] = total
    }
  }
}
