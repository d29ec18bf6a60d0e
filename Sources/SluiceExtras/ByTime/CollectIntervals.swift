public import DequeModule

/// Groups elements by their times and keys. It is a value: no lock, no closure, no clock of the machine.
@usableFromInline
struct CollectIntervals<Element, Time: Strideable, Key: Hashable> {
  @usableFromInline let limit: Int
  @usableFromInline var clock: ElementClock<Time>
  @usableFromInline var groups = KeyedIntervals<Key, Time, [Element]>()

  @inlinable init(interval: Time.Stride?, count: Int?) {
    limit = Swift.max(count ?? .max, 1)
    clock = ElementClock(interval: interval)
  }

  /// The number of open groups.
  @inlinable var count: Int { groups.count }

  /// The fast path: whether an element goes into the open group of its key, and ends no group.
  ///
  /// If true, the element has been added. If false, pass it to ``receive(_:at:of:into:)``.
  @inlinable mutating func joins(_ element: Element, at time: Time, of key: Key?) -> Bool {
    guard let first = groups.first, let key else { return false }
    if let now = clock.now, time < now { return false }
    if clock.hasEnded(first.start, at: time) { return false }
    guard let slot = groups.find(key), let size = groups.table.states[slot]?.content.count, size + 1 < limit
    else { return false }
    clock.now = time
    groups.table.states[slot]?.content.append(element)
    return true
  }

  /// The number of elements at the start of a run that go into one open group, and end no group. They have been taken.
  @inlinable mutating func join<Stamps: ElementStamps>(_ run: ArraySlice<Element>, by stamps: Stamps) -> Int
  where Stamps.Element == Element, Stamps.Time == Time, Stamps.Key == Key {
    guard let first = groups.first, let head = run.first, let lead = stamps.key(of: head), let slot = groups.find(lead),
      let size = groups.table.states[slot]?.content.count
    else { return 0 }
    let room = Swift.min(limit - 1 - size, run.count)
    var now = clock.now
    let count = run.withUnsafeBufferPointer { run in
      var count = 0
      while count < room, stamps.key(of: run[count]) == lead {
        let time = stamps.time(of: run[count])
        if let now, time < now { break }
        if clock.hasEnded(first.start, at: time) { break }
        now = time
        count += 1
      }
      return count
    }
    guard count > 0 else { return 0 }
    clock.now = now
    groups.table.states[slot]?.content.append(contentsOf: run.prefix(count))
    return count
  }

  /// - Parameter ready: Receives the complete groups.
  @inlinable mutating func receive(_ element: Element, at time: Time, of key: Key?, into ready: inout Deque<[Element]>)
  {
    let course = clock.advance(to: time, isMark: key == nil)
    switch course {
    case .onward: endGroups(until: time, into: &ready)
    case .late: break
    case .anew: endAll(into: &ready)
    }
    guard let key else { return ready.append([element]) }
    if let slot = groups.find(key) {
      groups.table.states[slot]?.content.append(element)
      if let size = groups.table.states[slot]?.content.count, size >= limit { end(slot, into: &ready) }
      return
    }
    var isLate = false
    if case .late = course { isLate = true }
    // An element that is late by the whole interval begins a group that has already ended.
    if limit == 1 || isLate && clock.now.map({ clock.hasEnded(time, at: $0) }) == true {
      return ready.append([element])
    }
    var group: [Element] = []
    // Not reserved if there are very many keys.
    if limit <= 65_536 / (groups.count + 1) { group.reserveCapacity(limit) }
    group.append(element)
    groups.open(key, at: time, late: isLate, group)
  }

  @inlinable mutating func endGroups(until time: Time, into ready: inout Deque<[Element]>) {
    while let first = groups.first, clock.hasEnded(first.start, at: time) { end(first.slot, into: &ready) }
  }

  /// Ends every group, in the order of their starts.
  @inlinable mutating func endAll(into ready: inout Deque<[Element]>) {
    while let first = groups.first { end(first.slot, into: &ready) }
  }

  @inlinable mutating func end(_ slot: Int, into ready: inout Deque<[Element]>) {
    if let group = groups.close(slot) { ready.append(group) }
  }
}
