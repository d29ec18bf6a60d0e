public import Sluice

extension Publishers {
  /// Publishes the readings of a recorded trace, as they are asked for.
  ///
  /// ```swift
  /// let trace = try TraceReader(path: "walk.csv")
  /// let cancellable = Publishers.Replay(trace).sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// ```
  ///
  /// Reads no faster than it is asked, on the thread that asks. A trace is read once: it takes one subscriber. To let
  /// operators cut as they did when it was recorded, see ``Publisher/clock(_:)``.
  public struct Replay: _DirectPublisher {
    public typealias Output = Reading
    public typealias Failure = SluiceError

    private let trace: TraceReader
    private let window: Range<Int64>

    /// - Parameter window: Which times to publish, in nanoseconds since the first reading; reading ends behind it.
    public init(_ trace: TraceReader, window: Range<Int64> = 0..<Int64.max) {
      self.trace = trace
      self.window = window
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Reading, S.Failure == SluiceError {
      attach(AnySubscriber(subscriber))
    }

    /// Not generic, so that it is specialised here, where the trace can be seen.
    private func attach(_ subscriber: AnySubscriber<Reading, SluiceError>) {
      PullConduit.attach("Replay", TracePull(trace: trace, window: window), to: subscriber)
    }
  }
}

private struct TracePull: Pull {
  let trace: TraceReader
  let window: Range<Int64>
  var first: Int64?

  init(trace: TraceReader, window: Range<Int64>) {
    self.trace = trace
    self.window = window
  }

  mutating func next() throws(SluiceError) -> Reading? {
    while let reading = try trace.next() {
      let start = first ?? reading.time
      first = start
      let (age, overflow) = reading.time.subtractingReportingOverflow(start)
      guard !overflow, age < window.upperBound else { return nil }
      if age >= window.lowerBound { return reading }
    }
    return nil
  }
}
