public import Sluice

extension Collection where Element: Publisher {
  /// Puts the values of any number of publishers together: all first values, all second values.
  ///
  /// ```swift
  /// [axisX, axisY, axisZ].zipAll().sink { print($0) }
  /// ```
  ///
  /// ```text
  /// a                   -1-------2-----3-|
  /// b                   ---4-5------6-----|
  /// c                   -----7------8-----|
  /// [a, b, c].zipAll()  -----[147]--[258]-|
  /// ```
  ///
  /// It finishes when no further array is possible; at once if there are no publishers.
  ///
  /// - Demand: Asks each publisher for what downstream asks for.
  /// - Thread: The thread of the upstream already delivering, or of a request: see Threads in `Sluice`.
  /// - Memory: Keeps values that wait for their partners, at most as many as were requested.
  /// - Failure: Passes on the failure of any publisher at once, and cancels the others.
  @inlinable public func zipAll() -> Publishers.ZipAll<Element> { Publishers.ZipAll(self) }
}

extension Publishers {
  /// Puts the values of any number of publishers together.
  public struct ZipAll<Upstream: Publisher>: _DirectPublisher {
    public typealias Output = [Upstream.Output]
    public typealias Failure = Upstream.Failure

    public let publishers: [Upstream]

    @inlinable public init<S: Swift.Sequence>(_ publishers: S) where S.Element == Upstream {
      self.publishers = Array(publishers)
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      typealias Queues = [ZipQueue<Upstream.Output>]
      let count = publishers.count
      let queues = Queues(repeating: .init(), count: count)
      let core = ZipCore<Queues, Output, Failure>(inlets: count, queues: queues) { queues, balance in
        queues.indices.map { queues[$0].take(&balance) }
      }
      let conduit = Operators.Conduit("ZipAll", core, subscriber)
      if publishers.isEmpty { conduit.open() }
      for (inlet, publisher) in publishers.enumerated() {
        let port = ZipPort<Upstream.Output, Queues, Output, Failure>(
          inlet: inlet, append: { $1[inlet].append($0, &$2) }, end: { $0[inlet].end(&$1) })
        publisher._attach(Operators.Inlet(conduit, port))
      }
    }
  }
}

extension Publishers.ZipAll: Equatable where Upstream: Equatable {}
