import Sluice

extension RecordingSink {
  /// Calls back when everything that writes has been reached once: the lock of the sink, its queue, and the queue of each
  /// output, one after the other.
  ///
  /// A write that hangs keeps the answer away. An output whose disk is full or away answers, because its queue is free
  /// between the attempts. A pipe is not asked, because its reader may take as long as it likes.
  /// - Parameter answered: Called once, or never, on any queue.
  package func ping(_ answered: @escaping @Sendable () -> Void) {
    let asked = state.withLock { _ in
      outputs.filter { !$0.machine.isClosed && $0.claims.contains { $0.safety != .never } }
    }
    queue.perform { Self.pass(asked[...], answered) }
  }

  private static func pass(_ outputs: ArraySlice<SinkOutput>, _ answered: @escaping @Sendable () -> Void) {
    guard let output = outputs.first else { return answered() }
    output.queue.perform { pass(outputs.dropFirst(), answered) }
  }
}
