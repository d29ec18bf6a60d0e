/// Puts edges of several lines into the order of their times.
///
/// The kernel takes an edge's time and number in the interrupt and queues it in a thread, one a line
/// (drivers/gpio/gpiolib-cdev.c, `edge_irq_thread` and, for libgpiod 1, `lineevent_irq_thread`), so an edge may become
/// readable after a later one of another line. With numbers, which libgpiod 2 gives, an edge goes on as soon as the one
/// before it has; without, or when that one does not come, it is held back until it is older than `window`.
struct EdgeOrdering<Edge> {
  /// In nanoseconds.
  let window: UInt64
  private var held: [(time: UInt64, number: UInt32, edge: Edge)] = []
  private var next: UInt32 = 1

  init(window: UInt64) { self.window = window }

  var isEmpty: Bool { held.isEmpty }

  /// - Parameter number: Of the request, from 1 and around after 2^32; 0 where there is none.
  mutating func add(_ edge: Edge, time: UInt64, number: UInt32 = 0) {
    // Nearly always the newest: from behind the search is short.
    var index = held.count
    while index > 0, held[index - 1].time > time { index -= 1 }
    held.insert((time, number, edge), at: index)
  }

  /// The edges that nothing can come before any more, at most so many.
  mutating func take(olderThan now: UInt64, limit: Int) -> [Edge] {
    let end = now < window ? 0 : now - window
    var count = 0
    while count < limit, count < held.count {
      let (time, number, _) = held[count]
      guard time <= end || (number != 0 && number == next) else { break }
      if number != 0 { next = number &+ 1 }
      count += 1
    }
    defer { held.removeFirst(count) }
    return held[..<count].map(\.edge)
  }
}
