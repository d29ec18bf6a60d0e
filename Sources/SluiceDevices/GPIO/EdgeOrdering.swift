/// Sorts the edges of several lines by their times.
///
/// The kernel takes the time and the number of an edge in the interrupt, and queues the edge in a thread per line
/// (drivers/gpio/gpiolib-cdev.c, `edge_irq_thread`, and for libgpiod 1 `lineevent_irq_thread`). So an edge may become
/// readable after a later edge of another line. With numbers, which libgpiod 2 has, an edge is passed on as soon as the
/// previous one was. Without numbers, or if the previous one does not come, it is held back until it is older than
/// `window`.
///
/// The time of the newest edge counts as the current time. So it works with any clock of the edges, without reading
/// that clock.
struct EdgeOrdering<Edge> {
  /// The longest time that an edge is held back, in nanoseconds.
  let window: UInt64
  /// Whether to sort by number, for a clock that may be set back.
  let byNumber: Bool
  private var held: [(time: UInt64, number: UInt32?, edge: Edge)] = []
  private var next: UInt32 = 1
  private var now: UInt64 = 0
  private var isOver = false  // past the largest possible time: nothing is held back any more

  init(window: UInt64, byNumber: Bool = false) {
    self.window = window
    self.byNumber = byNumber
  }

  /// - Parameter number: The number in the request. It begins with 1, and 0 follows 2^32 - 1. Nil if there is none.
  mutating func add(_ edge: Edge, time: UInt64, number: UInt32? = nil) {
    if byNumber, time < now, now - time > window { setBack(to: time) }
    now = max(now, time)
    // The edge is nearly always the newest, so a search from the end is short.
    var index = held.count
    while index > 0, isBefore(time, number, held[index - 1].time, held[index - 1].number) { index -= 1 }
    held.insert((time, number, edge), at: index)
  }

  private func isBefore(_ time: UInt64, _ number: UInt32?, _ otherTime: UInt64, _ otherNumber: UInt32?) -> Bool {
    guard byNumber, let number, let otherNumber else { return time < otherTime }
    return Int32(bitPattern: number &- otherNumber) < 0
  }

  /// The clock was set back: held edges get times as if they had come at the new time.
  private mutating func setBack(to time: UInt64) {
    now = time
    for index in held.indices { held[index].time = min(held[index].time, time) }
  }

  /// Advances the current time, when nanoseconds have passed without an edge; `.max` releases everything.
  mutating func advance(by nanoseconds: UInt64) {
    let (sum, overflow) = now.addingReportingOverflow(nanoseconds)
    if overflow || nanoseconds == .max { isOver = true } else { now = sum }
  }

  /// The time in nanoseconds until the first held edge is released without another edge; nil if none is held.
  var wait: UInt64? {
    held.first.map { first in
      let age = now - first.time
      return isOver || age >= window ? 0 : window - age
    }
  }

  /// Whether no edge can come before the first held edge any more.
  var isDue: Bool { held.first.map { isDue($0.time, $0.number) } ?? false }

  private func isDue(_ time: UInt64, _ number: UInt32?) -> Bool {
    isOver || now - time >= window || number == next
  }

  /// Takes out the edges that no other edge can precede any more, up to a limit.
  mutating func take(limit: Int, _ body: (Edge) -> Void) {
    var count = 0
    while count < limit, count < held.count {
      let (time, number, edge) = held[count]
      guard isDue(time, number) else { break }
      // An edge that comes after its window has a smaller number than edges already passed on.
      if let number, Int32(bitPattern: number &- next) >= 0 { next = number &+ 1 }
      body(edge)
      count += 1
    }
    held.removeFirst(count)
  }
}
