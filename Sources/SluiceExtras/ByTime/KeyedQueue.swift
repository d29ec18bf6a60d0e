public import DequeModule

/// A queue in the order of arrival, with a limit per key. It is a value: no lock, no closure.
///
/// An element that is dropped from the middle leaves an empty place. The queue is packed when more than half of it is
/// empty.
@usableFromInline
struct KeyedQueue<Element, Key: Hashable> {
  @usableFromInline struct Entry {
    @usableFromInline var element: Element?  // nil after it was dropped
    @usableFromInline var slot: Int  // of its key
    @usableFromInline var next = -1  // the number of the next entry of its key
    @usableFromInline var followsGap: Bool

    @inlinable init(_ element: Element, slot: Int, followsGap: Bool) {
      self.element = element
      self.slot = slot
      self.followsGap = followsGap
    }
  }

  /// The queued elements of a key.
  @usableFromInline struct Line {
    @usableFromInline var count = 0
    @usableFromInline var first = -1  // the numbers of its first and last entry
    @usableFromInline var last = -1
    @usableFromInline var hasGap = false  // its next element follows dropped ones

    @inlinable init() {}
  }

  @usableFromInline let size: Int
  @usableFromInline let dropsOldest: Bool
  /// Whether a key is remembered until the next element after its gap.
  @usableFromInline let marksGaps: Bool
  @usableFromInline var lines = KeyTable<Key, Line>()
  @usableFromInline var entries: Deque<Entry> = []
  @usableFromInline var base = 0  // the number of the first entry
  @usableFromInline var count = 0  // without dropped elements
  @usableFromInline var gaps = 0  // keys whose next element follows dropped ones

  @inlinable init(size: Int, dropsOldest: Bool, marksGaps: Bool) {
    self.size = Swift.max(size, 0)
    self.dropsOldest = dropsOldest
    self.marksGaps = marksGaps
  }

  /// - Parameter isWanted: Whether downstream waits for the element, so that it does not count.
  /// - Returns: The dropped element: this one, or the oldest of its key.
  @inlinable mutating func append(_ element: Element, of key: Key, isWanted: Bool) -> Element? {
    let slot = lines.find(key) ?? lines.insert(key, Line())
    guard var line = lines.states[slot] else { return element }
    var dropped: Element?
    if line.count >= size, !isWanted {
      guard dropsOldest, line.count > 0 else {
        noteGap(&line)
        lines.states[slot] = line
        if line.count == 0, !line.hasGap { lines.remove(slot) }
        return element
      }
      dropped = dropFirst(of: &line)
    }
    entries.append(Entry(element, slot: slot, followsGap: line.hasGap))
    if line.hasGap {
      line.hasGap = false
      gaps -= 1
    }
    let number = base + entries.count - 1
    if line.count > 0 { entries[line.last - base].next = number } else { line.first = number }
    line.last = number
    line.count += 1
    lines.states[slot] = line
    count += 1
    if entries.count > 2 * count + 16 { pack() }
    return dropped
  }

  /// Drops the first element of a line. The caller must put the line back.
  @inlinable mutating func dropFirst(of line: inout Line) -> Element? {
    let position = line.first - base
    let dropped = entries[position].element
    entries[position].element = nil
    line.first = entries[position].next
    line.count -= 1
    count -= 1
    if line.count > 0 {
      entries[line.first - base].followsGap = true
    } else {
      noteGap(&line)
    }
    return dropped
  }

  @inlinable mutating func noteGap(_ line: inout Line) {
    guard marksGaps, !line.hasGap else { return }
    gaps += 1
    line.hasGap = true
  }

  /// Whether elements of its key were dropped right before the first element; nil if only a search could show it, or if
  /// there is no element.
  @inlinable var firstFollowsGap: Bool? {
    guard let first = entries.first, first.element != nil else { return nil }
    return first.followsGap
  }

  /// - Returns: The first element, and whether elements of its key were dropped right before it.
  @inlinable mutating func popFirst() -> (element: Element, followsGap: Bool)? {
    while let entry = entries.popFirst() {
      base += 1
      guard let element = entry.element else { continue }
      count -= 1
      lines.states[entry.slot]?.count -= 1
      lines.states[entry.slot]?.first = entry.next
      if let line = lines.states[entry.slot], line.count == 0, !line.hasGap {
        lines.remove(entry.slot)
        if lines.isSparse, entries.count < lines.capacity { compactLines() }
      }
      return (element, entry.followsGap)
    }
    return nil
  }

  /// Removes the empty places, and numbers the entries again.
  @inlinable mutating func pack() {
    var packed = Deque<Entry>()
    packed.reserveCapacity(count + count / 2)
    for entry in entries where entry.element != nil { packed.append(entry) }
    entries = packed
    // Backwards, so that each entry finds the next one of its key.
    for position in entries.indices { lines.states[entries[position].slot]?.first = -1 }
    for position in entries.indices.reversed() {
      let (slot, number) = (entries[position].slot, base + position)
      guard let next = lines.states[slot]?.first else { continue }
      entries[position].next = next
      if next == -1 { lines.states[slot]?.last = number }
      lines.states[slot]?.first = number
    }
  }

  @inlinable mutating func compactLines() {
    pack()
    let moved = lines.compact()
    for position in entries.indices { entries[position].slot = moved[entries[position].slot] }
  }
}
