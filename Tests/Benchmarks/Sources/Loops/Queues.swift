import Dispatch
import Foundation
import Measurement

/// The simplest queue of a fixed size.
private struct Ring {
  private var elements: [Int]
  private var first = 0
  private(set) var count = 0

  init(_ size: Int) { elements = Array(repeating: 0, count: size) }

  var isFull: Bool { count == elements.count }

  mutating func append(_ value: Int) {
    let index = first + count
    elements[index < elements.count ? index : index - elements.count] = value
    count += 1
  }

  mutating func removeFirst() -> Int {
    defer {
      first = first + 1 == elements.count ? 0 : first + 1
      count -= 1
    }
    return elements[first]
  }
}

private func bursts(_ name: String, burst: Int, dropsOldest: Bool) -> Workload {
  loop(name) { n, checksum in
    var ring = Ring(100)
    for value in 0..<n {
      if !ring.isFull {
        ring.append(value)
      } else if dropsOldest {
        _ = ring.removeFirst()
        ring.append(value)
      }
      if value % burst == burst - 1 { while ring.count > 0 { checksum.add(ring.removeFirst()) } }
    }
  }
}

/// What one thread puts in and another takes out, all of it at once.
private final class Exchange: @unchecked Sendable {
  // The lock protects the values.
  private let lock = NSLock()
  private var values: [Int] = []

  /// - Returns: Whether there was none before.
  func append(_ value: Int) -> Bool {
    lock.withLock {
      values.append(value)
      return values.count == 1
    }
  }

  func take() -> [Int] {
    lock.withLock {
      defer { values = [] }
      return values
    }
  }
}

let queues = [
  loop("buffer keepFull") { n, checksum in for value in 0..<n { checksum.add(value) } },
  loop("buffer byRequest") { n, checksum in for value in 0..<n { checksum.add(value) } },
  bursts("buffer dropOldest, bursts", burst: 150, dropsOldest: true),
  bursts("buffer dropNewest, bursts", burst: 150, dropsOldest: false),
  bursts("buffer customError, bursts", burst: 100, dropsOldest: false),
  loop("backlog of a million", values: 1_000_000) { n, checksum in
    var ring = Ring(n)
    for value in 0..<n { ring.append(value) }
    while ring.count > 0 { checksum.add(ring.removeFirst()) }
  },
  loop("throttle") { n, checksum in
    // In milliseconds.
    var (now, due) = (0, 0)
    var latest: Int?
    for value in 0..<n {
      latest = value
      guard value % 100 == 99 else { continue }
      now += 1
      guard now >= due, let held = latest else { continue }
      checksum.add(held)
      latest = nil
      due += 10
    }
  },
  loop("receive(on:), virtual clock") { n, checksum in
    var values: [Int] = []
    for value in 0..<n {
      values.append(value)
      guard value % 100 == 99 else { continue }
      for value in values { checksum.add(value) }
      values.removeAll(keepingCapacity: true)
    }
  },
  loop("receive(on:), DispatchQueue", values: 200_000, clock: .wall) { n, checksum in
    let exchange = Exchange()
    let queue = DispatchQueue(label: "loop")
    for value in 0..<n where exchange.append(value) {
      queue.async { for value in exchange.take() { checksum.add(value) } }
    }
    queue.sync {}
  },
]
