import XCTest

@testable import SluicePipeline

/// A clock that goes on while somebody waits for it, and does at set times what a test wants. For one thread.
final class ScriptedPaceClock: PaceClock, @unchecked Sendable {
  // One thread uses it, so that nothing protects its state.

  private(set) var now: Int64
  private var script: [(time: Int64, action: () -> Void)] = []
  private var isWoken = false
  /// How much longer than it should a wait takes.
  var oversleep: () -> Int64 = { 0 }

  init(now: Int64 = 1_000_000_000_000) { self.now = now }

  /// - Parameter time: From now on, later than that of the action before.
  func at(_ time: Int64, _ action: @escaping () -> Void) { script.append((now + time, action)) }

  func wait(until time: Int64?) {
    while !isWoken, let first = script.first, time.map({ first.time <= $0 }) ?? true {
      script.removeFirst()
      now = max(now, first.time)
      first.action()
    }
    if !isWoken {
      guard let time else { return XCTFail("it waits for ever") }
      now = max(now, time + oversleep())
    }
    isWoken = false
  }

  func wake() { isWoken = true }
}
