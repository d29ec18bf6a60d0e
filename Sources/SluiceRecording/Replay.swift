public import Sluice

extension Publishers {
  /// Publishes the readings of a recorded trace, as they are asked for.
  ///
  /// ```swift
  /// let trace = try TraceReader(path: "walk.csv")
  /// let cancellable = Publishers.Replay(trace).sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// ```
  ///
  /// Delivers on the thread that asks, and decodes on a queue of its own, 4,096 readings ahead at most. A trace is read
  /// once: it takes one subscriber. To let operators cut as they did when it was recorded, see ``Publisher/clock(_:)``.
  public struct Replay: _DirectPublisher {
    public typealias Output = Reading
    public typealias Failure = SluiceError

    private let trace: TraceReader
    private let window: Range<Int64>?

    /// - Parameter window: Which times to publish, in nanoseconds since the first reading; reading ends behind it.
    public init(_ trace: TraceReader, window: Range<Int64>? = nil) {
      self.trace = trace
      self.window = window
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Reading, S.Failure == SluiceError {
      attach(AnySubscriber(subscriber))
    }

    /// Not generic, so that it is specialised here, where the trace can be seen.
    private func attach(_ subscriber: AnySubscriber<Reading, SluiceError>) {
      PullConduit.attach("Replay", ReadingPull(BlockPull(trace, window)), to: subscriber)
    }

    /// The same readings as they were decoded, up to 512 at once, for whoever takes them so: nothing is then to be done
    /// for each of them on the way.
    public var blocks: Blocks { Blocks(trace: trace, window: window) }

    /// Publishes the readings of a recorded trace, many at a time.
    public struct Blocks: _DirectPublisher {
      public typealias Output = ArraySlice<Reading>
      public typealias Failure = SluiceError

      fileprivate let trace: TraceReader
      fileprivate let window: Range<Int64>?

      public func receive<S: Subscriber>(subscriber: S) where S.Input == ArraySlice<Reading>, S.Failure == SluiceError {
        attach(AnySubscriber(subscriber))
      }

      private func attach(_ subscriber: AnySubscriber<ArraySlice<Reading>, SluiceError>) {
        PullConduit.attach("Replay", BlockPull(trace, window), to: subscriber)
      }
    }
  }
}

private struct BlockPull: Pull {
  private let ahead: ReadAhead
  private let window: Range<Int64>?
  private var first: Int64?
  private var ended = false

  init(_ trace: TraceReader, _ window: Range<Int64>?) {
    ahead = ReadAhead(trace)
    self.window = window
  }

  mutating func next() throws(SluiceError) -> ArraySlice<Reading>? {
    while !ended {
      let block = try ahead.next()
      guard let time = block.first?.time else { return nil }
      guard let window else { return block }
      let start = first ?? time
      first = start
      let part = cut(block, window, from: start)
      if !part.isEmpty { return part }
    }
    return nil
  }

  private mutating func cut(
    _ block: ArraySlice<Reading>, _ window: Range<Int64>, from start: Int64
  ) -> ArraySlice<Reading> {
    var part: ArraySlice<Reading> = []
    for reading in block {
      let (age, overflow) = reading.time.subtractingReportingOverflow(start)
      if overflow || age >= window.upperBound {
        ended = true
        break
      }
      if age >= window.lowerBound { part.append(reading) }
    }
    return part
  }
}

private struct ReadingPull: Pull {
  private var blocks: BlockPull
  private var block: ArraySlice<Reading> = []

  init(_ blocks: BlockPull) { self.blocks = blocks }

  mutating func next() throws(SluiceError) -> Reading? {
    while block.isEmpty {
      guard let next = try blocks.next() else { return nil }
      block = next
    }
    return block.popFirst()
  }
}
