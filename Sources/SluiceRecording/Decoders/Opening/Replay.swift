public import Sluice
public import SluiceReadings

extension Publishers {
  /// Publishes the readings of a recorded trace on demand.
  ///
  /// ```swift
  /// let trace = try TraceReader(path: "walk.csv")
  /// let cancellable = Publishers.Replay(trace).sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// ```
  ///
  /// It delivers on the thread that requests, in runs of at most 512 readings if the subscriber takes runs. It decodes
  /// on its own queue, at most 4,096 readings ahead. A trace is read once: the first subscriber gets it, and every
  /// other subscriber gets a `SluiceError`. From here on, only this publisher may read the trace. Readings have the
  /// flags from the metadata of the trace.
  public struct Replay: Publisher, Sendable {
    public typealias Output = Reading
    /// An error of the trace.
    public typealias Failure = SluiceError

    private let ahead: ReadAhead
    private let window: ReplayWindow?

    /// - Parameter window: The part to publish; nil for the whole trace. Reading ends after the window.
    public init(_ trace: TraceReader, window: TraceWindow? = nil) {
      ahead = ReadAhead(trace)
      self.window = window.map { ReplayWindow($0, of: trace.path) }
    }

    /// Waits for the first readings of a file. It does not wait for a pipe.
    /// - Parameter isInterrupted: Asked every 50 ms; true ends the wait.
    /// - Throws: If the first reading cannot be read, or if its time does not fit the window.
    package func waitForFirst(_ isInterrupted: () -> Bool) throws(SluiceError) {
      let first = try ahead.waitForFirst(isInterrupted)
      var window = window
      _ = try window?.cut(first)
    }

    /// Ends the trace after the readings that were read. It is for a trace from a pipe without a writer, because a
    /// subscriber that waits for the next reading cannot cancel. Any thread may call it.
    public func end() { ahead.end() }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Reading, S.Failure == SluiceError {
      attach(AnySubscriber(subscriber))
    }

    /// Not generic, so that the compiler specialises it in this module, which knows the trace.
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

  init(_ ahead: ReadAhead, _ window: ReplayWindow?) {
    self.ahead = ahead
    self.window = window
  }

  mutating func next() throws(SluiceError) -> ArraySlice<Reading>? {
    if !isMine {
      try ahead.take()
      isMine = true
    }
    while !(window?.isOver ?? false) {
      let block = try ahead.next()
      if block.isEmpty { return nil }
      guard let part = try window?.cut(block) else { return block }
      if !part.isEmpty { return part }
    }
    return nil
  }
}
