/// What a paced replay waits by. Tests move it.
package protocol PaceClock: Sendable {
  /// Nanoseconds since any origin. It never goes back.
  var now: Int64 { get }
  /// Waits until a time, or until it is woken; it may return too early.
  /// - Parameter time: Nil to wait until it is woken.
  func wait(until time: Int64?)
  /// Wakes one that waits, or is about to. From any thread.
  func wake()
}
