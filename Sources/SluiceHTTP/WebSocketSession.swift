/// What a viewer's WebSocket does. All of it happens on the thread of the server.
protocol WebSocketSession: AnyObject {
  /// - Returns: Whether the viewer has said something that ends the session.
  func receive(_ message: [UInt8], isText: Bool) -> Bool
  /// The next message, when the line takes one: so what waits for a slow viewer is made only then.
  func next() -> WebSocketMessage?
  /// Called now and then while it waits for something.
  func tick()
  /// Whether it wants ``tick()``.
  var isWaiting: Bool { get }
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
