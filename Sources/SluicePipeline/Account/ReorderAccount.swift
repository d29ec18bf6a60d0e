import SluiceReadings
package import SluiceRecording
import Synchronization

/// Counts of a replay that puts readings into the order of their times.
public struct ReorderAccount: Hashable, Sendable {
  /// The longest time in nanoseconds by which a reading may be out of order.
  public var window: Int64
  /// Readings that came after a later reading, and were moved before it.
  public var moved: Int
  /// Readings that came too late to be moved. They were passed on at once, and flagged as late.
  public var late: Int
  /// Readings that were passed on before the end of the window, because too many waited.
  public var early: Int

  package init(window: Int64, _ counts: ReorderCounts) {
    self.window = window
    moved = counts.moved.load(ordering: .relaxed)
    late = counts.late.load(ordering: .relaxed)
    early = counts.early.load(ordering: .relaxed)
  }

  /// `12 put into order, 1 more than 50ms late`
  var text: String {
    var parts = ["\(moved == 0 ? "none" : grouped(moved)) put into order"]
    if late > 0 { parts.append("\(grouped(late)) too late for this") }
    if early > 0 {
      parts.append("\(grouped(early)) passed on before \(TimeSpan.nanoseconds(window)) because too many waited")
    }
    return parts.joined(separator: ", ")
  }
}

extension ReorderAccount: Codable {
  private enum CodingKeys: String, CodingKey {
    case window = "window_ns"
    case moved, late, early
  }
}
