public import Sluice
public import SluiceReadings

extension Publishers {
  /// Publishes the readings of a recorded trace, as they are asked for.
  ///
  /// ```swift
  /// let trace = try TraceReader(path: "walk.csv")
  /// let cancellable = Publishers.Replay(trace).sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// ```
  ///
  /// Delivers on the thread that asks, in runs of at most 512 if the subscriber takes them, and decodes on a queue of its own, 4,096 readings ahead at most. A trace is read
  /// once: from here on it belongs to this publisher, and the first subscriber gets it; every other fails with a
  /// `SluiceError`. Readings have the flags that the trace's metadata lists.
  public struct Replay: Publisher, Sendable {
    /// It publishes readings.
    public typealias Output = Reading
    /// An error of the trace.
    public typealias Failure = SluiceError

    private let ahead: ReadAhead
    private let window: Range<Int64>?

    /// - Parameter window: Which times to publish, in nanoseconds since the first reading; reading ends behind it.
    public init(_ trace: TraceReader, window: Range<Int64>? = nil) {
      ahead = ReadAhead(trace)
      self.window = window
    }

    /// Waits for the first readings of a file. It does not wait for a pipe.
    /// - Parameter isInterrupted: Asked every 50 ms; true ends the wait.
    /// - Throws: If the first reading cannot be read.
    package func waitForFirst(_ isInterrupted: () -> Bool) throws(SluiceError) { try ahead.waitForFirst(isInterrupted) }

    /// Ends it behind what was read, as the end of the trace would: for a trace from a pipe that says nothing, where
    /// whoever waits for the next reading cannot cancel. From any thread.
    public func end() { ahead.end() }

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Reading, S.Failure == SluiceError {
      attach(AnySubscriber(subscriber))
    }

    /// Not generic, so that it is specialised here, where the trace can be seen.
    private func attach(_ subscriber: AnySubscriber<Reading, SluiceError>) {
      Operators.PullConduit.attach("Replay", TracePull(ahead, window), to: subscriber)
    }
  }
}

private struct TracePull: Operators.Pull {
  typealias Output = Reading

  private let ahead: ReadAhead
  private var window: ReplayWindow?
  private var isMine = false

  init(_ ahead: ReadAhead, _ window: Range<Int64>?) {
    self.ahead = ahead
    self.window = window.map { ReplayWindow($0) }
  }

  mutating func next() throws(SluiceError) -> ArraySlice<Reading>? {
    if !isMine {
      try ahead.take()
      isMine = true
    }
    while !(window?.isOver ?? false) {
      let block = try ahead.next()
      if block.isEmpty { return nil }
      guard let part = window?.cut(block) else { return block }
      if !part.isEmpty { return part }
    }
    return nil
  }
}
