/// Who does what a client asks for.
package protocol ControlDesk: AnyObject, Sendable {
  /// Does it. A server calls it on its own queue, which it must not hold up.
  /// - Parameter answered: Called once, on any queue.
  func answer(_ request: ControlRequest, _ answered: @escaping @Sendable (ControlAnswer) -> Void)
  /// Tells everything that happens, until the next call.
  /// - Parameter told: Called on any queue, also while something else is told; nil ends it.
  func follow(_ told: (@Sendable (ControlAnswer) -> Void)?)
}
