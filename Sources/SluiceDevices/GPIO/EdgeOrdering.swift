/// Puts edges of several lines into the order of their times.
///
/// The kernel takes an edge's time and number in the interrupt and queues it in a thread, one a line
/// (drivers/gpio/gpiolib-cdev.c, `edge_irq_thread` and, for libgpiod 1, `lineevent_irq_thread`), so an edge may become
/// readable after a later one of another line. With numbers, which libgpiod 2 gives, an edge goes on as soon as the one
/// before it has; without, or when that one does not come, it is held back until it is older than `window`.
///
/// What counts as the present is the newest edge's time: whichever clock the edges have, and without asking it.
struct EdgeOrdering<Edge> {
  /// In nanoseconds.
  let window: UInt64
  /// Into the order of their numbers instead, for a clock that may be set back.
  let byNumber: Bool
  private var held: [(time: UInt64, number: UInt32?, edge: Edge)] = []
  private var next: UInt32 = 1
  private var now: UInt64 = 0
  private var isOver = false  // past the last time there is: nothing is held back any more

  init(window: UInt64, byNumber: Bool = false) {
    self.window = window
    self.byNumber = byNumber
  }

  /// - Parameter number: Of the request, from 1 and around after 2^32 by way of 0; nil where there is none.
  mutating func add(_ edge: Edge, time: UInt64, number: UInt32? = nil) {
    if byNumber, time < now, now - time > window { setBack(to: time) }
    now = max(now, time)
    // Nearly always the newest: from behind the search is short.
    var index = held.count
    while index > 0, isBefore(time, number, held[index - 1].time, held[index - 1].number) { index -= 1 }
    held.insert((time, number, edge), at: index)
  }

  private func isBefore(_ time: UInt64, _ number: UInt32?, _ otherTime: UInt64, _ otherNumber: UInt32?) -> Bool {
    guard byNumber, let number, let otherNumber else { return time < otherTime }
    return Int32(bitPattern: number &- otherNumber) < 0
  }

  /// Those that are held back are as old as if they had come by the new time.
  private mutating func setBack(to time: UInt64) {
    now = time
    for index in held.indices { held[index].time = min(held[index].time, time) }
  }

  /// So many nanoseconds have passed without an edge; `.max` lets everything go on.
  mutating func advance(by nanoseconds: UInt64) {
    let (sum, overflow) = now.addingReportingOverflow(nanoseconds)
    if overflow || nanoseconds == .max { isOver = true } else { now = sum }
  }

  /// After how many nanoseconds without another edge the first of those held back goes on; nil where there is none.
  var wait: UInt64? {
    held.first.map { first in
      let age = now - first.time
      return isOver || age >= window ? 0 : window - age
    }
  }

  /// Whether nothing can come before the first of those that are held back any more.
  var isDue: Bool { held.first.map { isDue($0.time, $0.number) } ?? false }

  private func isDue(_ time: UInt64, _ number: UInt32?) -> Bool {
    isOver || now - time >= window || number == next
  }

  /// Takes out the edges that nothing can come before any more, at most so many.
  mutating func take(limit: Int, _ body: (Edge) -> Void) {
    var count = 0
    while count < limit, count < held.count {
      let (time, number, edge) = held[count]
      guard isDue(time, number) else { break }
      // One that comes after its window is older than what has gone on.
      if let number, Int32(bitPattern: number &- next) >= 0 { next = number &+ 1 }
      body(edge)
      count += 1
    }
    held.removeFirst(count)
  }
}
