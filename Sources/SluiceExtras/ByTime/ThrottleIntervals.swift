public import DequeModule

/// Throttles elements by their times and keys. It is a value: no lock, no closure, no clock of the machine.
@usableFromInline
struct ThrottleIntervals<Element, Time: Strideable, Key: Hashable> {
  @usableFromInline let latest: Bool
  @usableFromInline var clock: ElementClock<Time>
  /// The open intervals, each with the place of its element in ``held``, or -1.
  @usableFromInline var intervals = KeyedIntervals<Key, Time, Int>()
  @usableFromInline var held = HeldElements<Element>()

  @inlinable init(interval: Time.Stride, latest: Bool) {
    self.latest = latest
    clock = ElementClock(interval: interval)
  }

  /// The number of keys with an open interval.
  @inlinable var count: Int { intervals.count }

  /// The result for an element if nothing else must be delivered first.
  @usableFromInline enum Fate {
    case passes
    /// Its key has an open interval in this slot. Pass the element to ``meet(_:in:)``.
    case meets(Int)
    /// Another element comes before it, or it is late. Pass it to ``receive(_:at:of:into:)``.
    case undecided
  }

  /// The fast path for most elements: one comparison of times, and one of keys.
  ///
  /// An element that passes or meets an interval has been counted.
  @inlinable mutating func fate(at time: Time, of key: Key?) -> Fate {
    if let now = clock.now, time < now { return .undecided }
    while let first = intervals.first, clock.hasEnded(first.start, at: time) {
      if holds(first.slot) { return .undecided }
      if let key, intervals.table.keys[first.slot] == key, intervals.isOnly(where: { clock.hasEnded($0, at: time) }) {
        clock.now = time
        intervals.reopenFirst(at: time)
        return .passes
      }
      intervals.close(first.slot)
    }
    clock.now = time
    guard let key else { return .passes }
    if let slot = intervals.find(key) { return .meets(slot) }
    intervals.open(key, at: time, late: false, -1)
    return .passes
  }

  /// The number of elements at the start of a run that pass, one after the other. They have been counted.
  @inlinable mutating func passing<Stamps: ElementStamps>(_ run: ArraySlice<Element>, by stamps: Stamps) -> Int
  where Stamps.Element == Element, Stamps.Time == Time, Stamps.Key == Key {
    run.withUnsafeBufferPointer { run in
      var count = 0
      while count < run.count {
        // The usual case, without the tables: elements of one key only, at least one interval apart.
        if let lone = intervals.lone, !holds(lone.slot) {
          var start = lone.start
          var now = clock.now ?? start
          let before = count
          while count < run.count, stamps.key(of: run[count]) == lone.key {
            let time = stamps.time(of: run[count])
            guard time >= now, clock.hasEnded(start, at: time) else { break }
            (start, now) = (time, time)
            count += 1
          }
          if count > before {
            intervals.reopenFirst(at: start)
            clock.now = now
          }
          if count == run.count { break }
        }
        guard case .passes = fate(at: stamps.time(of: run[count]), of: stamps.key(of: run[count])) else { break }
        count += 1
      }
      return count
    }
  }

  /// Takes an element into the open interval of its key.
  /// - Returns: The element that is left out: this one, or the one held before.
  @inlinable mutating func meet(_ element: Element, in slot: Int) -> Element? {
    guard let place = intervals.table.states[slot]?.content, place >= 0 else {
      intervals.table.states[slot]?.content = held.put(element)
      return nil
    }
    guard latest else { return element }
    let former = held.places[place]
    held.places[place] = element
    return former
  }

  /// The slow path, for any element.
  /// - Parameter ready: Receives the elements to deliver.
  /// - Returns: The element that is left out.
  @inlinable mutating func receive(
    _ element: Element, at time: Time, of key: Key?, into ready: inout Deque<Element>
  ) -> Element? {
    let course = clock.advance(to: time, isMark: key == nil)
    switch course {
    case .onward: endIntervals(until: time, into: &ready)
    case .late: break
    case .anew: endAll(into: &ready)
    }
    guard let key else {
      ready.append(element)
      return nil
    }
    if let slot = intervals.find(key) { return meet(element, in: slot) }
    ready.append(element)
    if case .late = course {
      // An element that is late by the whole interval opens none, because the interval would have ended.
      guard let now = clock.now, !clock.hasEnded(time, at: now) else { return nil }
      intervals.open(key, at: time, late: true, -1)
    } else {
      intervals.open(key, at: time, late: false, -1)
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
    guard let place = intervals.table.states[slot]?.content, place >= 0 else { return nil }
    intervals.table.states[slot]?.content = -1
    return held.take(place)
  }

  @inlinable func holds(_ slot: Int) -> Bool {
    guard let place = intervals.table.states[slot]?.content else { return false }
    return place >= 0
  }
}
