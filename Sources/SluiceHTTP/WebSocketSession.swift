/// What a viewer's WebSocket does. All of it happens on the thread of the server.
protocol WebSocketSession: AnyObject {
  /// - Returns: Whether the viewer has said something that ends the session.
  func receive(_ message: [UInt8], isText: Bool) -> Bool
  /// The next message, when the line takes one: so what waits for a slow viewer is made only then.
  func next() -> WebSocketMessage?
  /// Whether ``next()`` may have another message.
  var hasMore: Bool { get }
  /// Whether it has nothing more to send, once the recording has ended.
  var isDone: Bool { get }
  /// Called at the beats of the server from ``due`` on.
  /// - Returns: Whether there is something to send.
  func tick() -> Bool
  /// The time from which on it wants ``tick()``, in milliseconds of ``monotonicMilliseconds()``; nil while it waits for
  /// nothing.
  var due: UInt64? { get }
  /// Whether it is content with what the server sends at its beats.
  var isPaced: Bool { get }
  func end()
}

enum WebSocketMessage {
  case text(String)
  case binary([UInt8])
}

/// The line to a viewer.
protocol WebSocketLine: AnyObject, Sendable {
  /// Asks for a call of ``WebSocketSession/next()``. Any thread may call it.
  func want()
}
