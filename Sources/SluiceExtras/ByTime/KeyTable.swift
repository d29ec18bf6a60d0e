/// The state of each key, in numbered slots.
///
/// A key keeps the number of its slot. The key that was found last is compared first. Up to eight keys are searched one
/// by one; a hash is computed only for more.
@usableFromInline
struct KeyTable<Key: Hashable, State> {
  // Two arrays, so that comparing keys does not touch large states.
  @usableFromInline var keys: [Key?] = []
  @usableFromInline var states: [State?] = []
  @usableFromInline var free: [Int] = []
  @usableFromInline var index: [Key: Int] = [:]  // of all keys, if there are more than a few slots
  @usableFromInline var last = 0  // the slot that was found last

  @inlinable init() {}

  @inlinable static var few: Int { 8 }
  /// The number of slots, free or in use.
  @inlinable var capacity: Int { keys.count }
  @inlinable var count: Int { keys.count - free.count }

  @inlinable mutating func find(_ key: Key) -> Int? {
    if last < keys.count, keys[last] == key { return last }
    let found = keys.count <= Self.few ? keys.firstIndex { $0 == key } : index[key]
    if let found { last = found }
    return found
  }

  /// - Parameter key: A key that is not in the table.
  @inlinable mutating func insert(_ key: Key, _ state: State) -> Int {
    let slot: Int
    if let reused = free.popLast() {
      slot = reused
      keys[slot] = key
      states[slot] = state
    } else {
      slot = keys.count
      keys.append(key)
      states.append(state)
    }
    if keys.count > Self.few {
      if index.isEmpty { indexAll() } else { index[key] = slot }
    }
    last = slot
    return slot
  }

  @inlinable @discardableResult mutating func remove(_ slot: Int) -> State? {
    guard let key = keys[slot], let state = states[slot] else { return nil }
    if count == 1 {
      let isSmall = keys.count <= 64
      keys.removeAll(keepingCapacity: isSmall)
      states.removeAll(keepingCapacity: isSmall)
      free.removeAll(keepingCapacity: isSmall)
      index.removeAll(keepingCapacity: isSmall)
    } else {
      keys[slot] = nil
      states[slot] = nil
      free.append(slot)
      if keys.count > Self.few { index[key] = nil }
    }
    return state
  }

  /// Whether there are far more slots than keys.
  @inlinable var isSparse: Bool { keys.count > 64 && count < keys.count / 4 }

  /// Moves the keys to slots without gaps.
  /// - Returns: The new slot of each old slot.
  @inlinable mutating func compact() -> [Int] {
    var moved = Array(repeating: -1, count: keys.count)
    var kept = 0
    for slot in keys.indices where keys[slot] != nil {
      moved[slot] = kept
      kept += 1
    }
    keys = keys.filter { $0 != nil }
    states = states.filter { $0 != nil }
    free = []
    index = [:]
    last = 0
    if keys.count > Self.few { indexAll() }
    return moved
  }

  @inlinable mutating func indexAll() {
    for (slot, key) in keys.enumerated() {
      if let key { index[key] = slot }
    }
  }
}
