/// Puts edges from several descriptors into the order of their times.
///
/// libgpiod 1 has a descriptor a line, read one after the other. The kernel takes an edge's time in the interrupt and
/// queues it in a thread (drivers/gpio/gpiolib-cdev.c, `lineevent_irq_thread`), so an edge may become readable after a
/// later one of another line. Edges are held back until they are older than `window`; by then those before them are here.
struct EdgeOrdering<Edge> {
  /// In nanoseconds.
  let window: UInt64
  private var held: [(time: UInt64, edge: Edge)] = []

  init(window: UInt64) { self.window = window }

  var isEmpty: Bool { held.isEmpty }

  mutating func add(_ edge: Edge, time: UInt64) {
    // Nearly always the newest: from behind the search is short.
    var index = held.count
    while index > 0, held[index - 1].time > time { index -= 1 }
    held.insert((time, edge), at: index)
  }

  /// The edges that nothing can come before any more, at most so many.
  mutating func take(olderThan now: UInt64, limit: Int) -> [Edge] {
    let end = now < window ? 0 : now - window
    let count = min(held.prefix { $0.time <= end }.count, max(0, limit))
    defer { held.removeFirst(count) }
    return held[..<count].map(\.edge)
  }
}
