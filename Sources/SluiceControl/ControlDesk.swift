/// Performs the requests of clients.
package protocol ControlDesk: AnyObject, Sendable {
  /// Performs a request. The server calls this on its queue, so it must return at once.
  /// - Parameter answered: Called once with the answer, on any queue.
  func answer(_ request: ControlRequest, _ answered: @escaping @Sendable (ControlAnswer) -> Void)
  /// Reports all events of the recording, until the next call.
  /// - Parameter told: Called with each event, on any queue, and possibly on several at once; nil ends the reports.
  func follow(_ told: (@Sendable (ControlAnswer) -> Void)?)
}
