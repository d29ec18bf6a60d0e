/// The clock of a replay with a rate. Tests replace it.
package protocol PaceClock: Sendable {
  /// Nanoseconds since any origin. It never goes back.
  var now: Int64 { get }
  /// Waits until a time, or until it is woken; it may return too early.
  /// - Parameter time: Nil to wait until it is woken.
  func wait(until time: Int64?)
  /// Wakes a thread that waits, or that is about to wait. Any thread may call it.
  func wake()
}
