package import SluiceReadings
package import SluiceRecording

/// The way to a server: it sends a batch, and learns what became of it. Each protocol has one.
package protocol BatchTransport: AnyObject, Sendable {
  /// The most batches that may be without an answer.
  var window: Int { get }
  /// The most readings of a batch.
  var most: Int { get }
  /// Sends a batch.
  /// - Parameter answered: Called once, on any thread. Not after ``close()``.
  func send(_ batch: SendBatch, _ answered: @escaping @Sendable (SendAnswer) -> Void)
  /// Called with all streams after streams or channels were added, before a batch has readings of them.
  func describe(_ streams: [StreamDescription])
  /// Adds what only it knows.
  func complete(_ counts: inout SendingCounts)
  /// Ends what waits for an answer.
  func close()
}

extension BatchTransport {
  package func complete(_ counts: inout SendingCounts) {}
}

/// What became of a batch.
package enum SendAnswer: Hashable, Sendable {
  /// The server has it.
  /// - Parameter leftOut: The places of the readings that the protocol cannot express, and that were not sent.
  case acknowledged(leftOut: [Int] = [])
  /// The server refuses some of its readings for good, and nobody knows which. It may have taken the others.
  case refused(SluiceError)
  /// It has too many readings for one message.
  case tooLarge(SluiceError)
  /// The server does not take it now.
  /// - Parameter atLeast: The nanoseconds that the server asks to wait.
  case wait(SluiceError, atLeast: Int64? = nil)
  /// It will never take anything.
  case stop(SluiceError)
}
