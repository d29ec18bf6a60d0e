/// What is known of each key, in numbered slots.
///
/// A slot's number stays as long as its key is in. The key that was found last is compared first, and up to eight are
/// looked through: a hash is computed only where there are more.
@usableFromInline
struct KeyTable<Key: Hashable, State> {
  @usableFromInline struct Slot {
    @usableFromInline let key: Key
    @usableFromInline var state: State

    @inlinable init(key: Key, state: State) {
      self.key = key
      self.state = state
    }
  }

  @usableFromInline var slots: [Slot?] = []
  @usableFromInline var free: [Int] = []
  @usableFromInline var index: [Key: Int] = [:]  // of all keys, while there are more slots than a few
  @usableFromInline var last = 0  // the slot that was found last

  @inlinable init() {}

  @inlinable static var few: Int { 8 }
  @inlinable var count: Int { slots.count - free.count }

  @inlinable mutating func find(_ key: Key) -> Int? {
    if last < slots.count, let slot = slots[last], slot.key == key { return last }
    let found = slots.count <= Self.few ? slots.firstIndex { $0?.key == key } : index[key]
    if let found { last = found }
    return found
  }

  /// - Parameter key: One that is not in.
  @inlinable mutating func insert(_ key: Key, _ state: State) -> Int {
    let slot: Int
    if let reused = free.popLast() {
      slot = reused
      slots[slot] = Slot(key: key, state: state)
    } else {
      slot = slots.count
      slots.append(Slot(key: key, state: state))
    }
    if slots.count > Self.few {
      if index.isEmpty { indexAll() } else { index[key] = slot }
    }
    last = slot
    return slot
  }

  @inlinable @discardableResult mutating func remove(_ slot: Int) -> State? {
    guard let removed = slots[slot] else { return nil }
    if count == 1 {
      let isSmall = slots.count <= 64
      slots.removeAll(keepingCapacity: isSmall)
      free.removeAll(keepingCapacity: isSmall)
      index.removeAll(keepingCapacity: isSmall)
    } else {
      slots[slot] = nil
      free.append(slot)
      if slots.count > Self.few { index[removed.key] = nil }
    }
    return removed.state
  }

  /// Whether far more slots than keys are kept.
  @inlinable var isSparse: Bool { slots.count > 64 && count < slots.count / 4 }

  /// Gives the keys new slots without a gap between them.
  /// - Returns: The new slot for each old one.
  @inlinable mutating func compact() -> [Int] {
    var moved = Array(repeating: -1, count: slots.count)
    var kept: [Slot?] = []
    kept.reserveCapacity(count)
    for (old, slot) in slots.enumerated() where slot != nil {
      moved[old] = kept.count
      kept.append(slot)
    }
    slots = kept
    free = []
    index = [:]
    last = 0
    if slots.count > Self.few { indexAll() }
    return moved
  }

  @inlinable mutating func indexAll() {
    for (number, slot) in slots.enumerated() {
      if let slot { index[slot.key] = number }
    }
  }
}
