import DequeModule

/// The throttle by the elements' own time and key, as a value: no lock, no closure, no clock of the machine.
@usableFromInline
struct ThrottleIntervals<Element, Time: Strideable, Key: Hashable> {
  @usableFromInline let latest: Bool
  @usableFromInline var clock: ElementClock<Time>
  /// With what each of them holds.
  @usableFromInline var intervals = KeyedIntervals<Key, Time, Element?>()

  @inlinable init(interval: Time.Stride, latest: Bool) {
    self.latest = latest
    clock = ElementClock(interval: interval)
  }

  /// For how many keys something is kept.
  @inlinable var count: Int { intervals.count }

  /// The short way: whether an element passes as it is, with nothing to be delivered before it.
  ///
  /// If so, it has been taken into account; if not, it is to go through ``receive(_:at:of:into:)``.
  @inlinable mutating func passes(at time: Time, of key: Key?) -> Bool {
    if let now = clock.now, time < now { return false }
    while let first = intervals.first, clock.hasEnded(first.start, at: time) {
      if intervals.table.slots[first.slot]?.state.content != nil { return false }
      intervals.close(first.slot)
    }
    guard let key else {
      clock.now = time
      return true
    }
    if intervals.count > 0, intervals.find(key) != nil { return false }
    clock.now = time
    intervals.open(key, at: time, late: false, nil)
    return true
  }

  /// - Parameter ready: Gets what is to be delivered.
  /// - Returns: What was left out.
  @inlinable mutating func receive(
    _ element: Element, at time: Time, of key: Key?, into ready: inout Deque<Element>
  ) -> Element? {
    let course = clock.advance(to: time)
    switch course {
    case .onward: endIntervals(until: time, into: &ready)
    case .late: break
    case .anew: endAll(into: &ready)
    }
    guard let key else {
      ready.append(element)
      return nil
    }
    if let slot = intervals.find(key) {
      guard latest else { return element }
      let former = intervals.table.slots[slot]?.state.content
      intervals.table.slots[slot]?.state.content = element
      return former
    }
    ready.append(element)
    if case .late = course {
      // One that is late by the whole interval opens none: it would have ended.
      guard let now = clock.now, !clock.hasEnded(time, at: now) else { return nil }
      intervals.open(key, at: time, late: true, nil)
    } else {
      intervals.open(key, at: time, late: false, nil)
    }
    return nil
  }

  @inlinable mutating func endIntervals(until time: Time, into ready: inout Deque<Element>) {
    while let first = intervals.first, clock.hasEnded(first.start, at: time), let interval = clock.interval {
      if let held = takeHeld(first.slot) {
        ready.append(held)
        let end = first.start.advanced(by: interval)  // no later than `time`, so it exists
        if !clock.hasEnded(end, at: time) {
          intervals.reopenFirst(at: end)
          continue
        }
      }
      intervals.close(first.slot)
    }
  }

  /// Ends every interval, in the order of their ends.
  @inlinable mutating func endAll(into ready: inout Deque<Element>) {
    while let first = intervals.first {
      if let held = takeHeld(first.slot) { ready.append(held) }
      intervals.close(first.slot)
    }
  }

  @inlinable mutating func takeHeld(_ slot: Int) -> Element? {
    guard let held = intervals.table.slots[slot]?.state.content else { return nil }
    intervals.table.slots[slot]?.state.content = nil
    return held
  }
}
