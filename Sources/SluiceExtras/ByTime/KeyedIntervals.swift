public import DequeModule
public import HeapModule

/// The open intervals with their contents, at most one per key, in the order of their ends.
///
/// All have the same length. So intervals usually end in the order in which they open, and a deque is enough. An
/// interval that a late element opens may end before others; these few intervals are in a heap.
@usableFromInline
struct KeyedIntervals<Key: Hashable, Time: Strideable, Content> {
  @usableFromInline struct Opening: Comparable {
    @usableFromInline let start: Time
    @usableFromInline let number: Int  // counts all openings
    @usableFromInline var slot: Int

    @inlinable init(start: Time, number: Int, slot: Int) {
      self.start = start
      self.number = number
      self.slot = slot
    }

    @inlinable static func < (a: Self, b: Self) -> Bool {
      a.start == b.start ? a.number < b.number : a.start < b.start
    }
    @inlinable static func == (a: Self, b: Self) -> Bool { a.number == b.number }
  }

  @usableFromInline struct State {
    @usableFromInline var number: Int  // of its opening; an entry with another number belongs to a closed interval
    @usableFromInline var content: Content

    @inlinable init(number: Int, content: Content) {
      self.number = number
      self.content = content
    }
  }

  @usableFromInline var table = KeyTable<Key, State>()
  @usableFromInline var inOrder: Deque<Opening> = []
  @usableFromInline var late = Heap<Opening>()
  @usableFromInline var opened = 0
  /// The interval that ends first.
  @usableFromInline var first: Opening?

  @inlinable init() {}

  @inlinable var count: Int { table.count }

  /// Whether it is certain that only the first interval has ended.
  /// - Parameter hasEnded: Returns whether an interval with this start has ended.
  @inlinable func isOnly(where hasEnded: (Time) -> Bool) -> Bool {
    late.isEmpty && (inOrder.count < 2 || !hasEnded(inOrder[1].start))
  }

  /// The only open interval; nil if there are several.
  @inlinable var lone: (key: Key, start: Time, slot: Int)? {
    guard count == 1, late.isEmpty, let first, let key = table.keys[first.slot] else { return nil }
    return (key, first.start, first.slot)
  }

  @inlinable mutating func find(_ key: Key) -> Int? { table.find(key) }

  /// - Parameters:
  ///   - key: A key without an interval.
  ///   - late: Whether a later interval may be open already.
  @inlinable @discardableResult
  mutating func open(_ key: Key, at start: Time, late isLate: Bool, _ content: Content) -> Int {
    opened += 1
    let slot = table.insert(key, State(number: opened, content: content))
    enter(Opening(start: start, number: opened, slot: slot), late: isLate)
    return slot
  }

  /// Begins the next interval of the key with the first end. The content stays.
  @inlinable mutating func reopenFirst(at start: Time) {
    guard let former = first else { return }
    opened += 1
    table.states[former.slot]?.number = opened
    let opening = Opening(start: start, number: opened, slot: former.slot)
    if late.isEmpty, inOrder.count == 1 {
      inOrder[0] = opening
      first = opening
      return
    }
    enter(opening, late: false)
    refresh()
  }

  @inlinable @discardableResult mutating func close(_ slot: Int) -> Content? {
    let content = table.remove(slot)?.content
    refresh()
    if inOrder.count + late.count > 2 * count + 64 { forgetClosed() }
    if table.isSparse {
      forgetClosed()
      let moved = table.compact()
      for position in inOrder.indices { inOrder[position].slot = moved[inOrder[position].slot] }
      late = Heap(late.unordered.map { Opening(start: $0.start, number: $0.number, slot: moved[$0.slot]) })
      if let first { self.first?.slot = moved[first.slot] }
    }
    return content
  }

  @inlinable mutating func enter(_ opening: Opening, late isLate: Bool) {
    guard isLate else {
      inOrder.append(opening)
      first = first ?? opening
      return
    }
    late.insert(opening)
    first = first.map { Swift.min($0, opening) } ?? opening
  }

  /// Finds the first interval again, because it may have been closed.
  @inlinable mutating func refresh() {
    if count == 0 {
      let isSmall = inOrder.count <= 64
      inOrder.removeAll(keepingCapacity: isSmall)
      if !late.isEmpty { late = Heap() }
      first = nil
      return
    }
    while let opening = inOrder.first, isClosed(opening) { inOrder.removeFirst() }
    if late.isEmpty {
      first = inOrder.first
      return
    }
    while let opening = late.min, isClosed(opening) { late.removeMin() }
    guard let least = late.min else {
      first = inOrder.first
      return
    }
    first = inOrder.first.map { Swift.min($0, least) } ?? least
  }

  @inlinable func isClosed(_ opening: Opening) -> Bool {
    opening.slot >= table.capacity || table.states[opening.slot]?.number != opening.number
  }

  /// Drops closed intervals from the queues, when there are more of them than open ones.
  @inlinable mutating func forgetClosed() {
    inOrder = Deque(inOrder.filter { !isClosed($0) })
    late = Heap(late.unordered.filter { !isClosed($0) })
  }
}
