extension Publisher {
  /// Stops the program when upstream fails: for failures that can only be mistakes in the program.
  ///
  /// ```swift
  /// let values = PassthroughSubject<Int, any Error>()
  /// let cancellable = values.assertNoFailure("values").sink { print($0) }
  /// values.send(1)  // 1
  /// ```
  ///
  /// - Parameter prefix: What the message begins with.
  ///
  /// - Demand: Passes through.
  /// - Thread: Where upstream delivers.
  /// - Memory: Keeps nothing.
  /// - Failure: Stops the program on upstream's, and never fails.
  @inlinable public func assertNoFailure(
    _ prefix: String = "", file: StaticString = #file, line: UInt = #line
  ) -> Publishers.AssertNoFailure<Self> {
    Publishers.AssertNoFailure(upstream: self, prefix: prefix, file: file, line: line)
  }
}

extension Publishers {
  /// Stops the program when upstream fails.
  public struct AssertNoFailure<Upstream: Publisher>: _DirectPublisher {
    /// The type of upstream's values.
    public typealias Output = Upstream.Output
    /// It never fails.
    public typealias Failure = Never

    /// The publisher that this one gets its values from.
    public let upstream: Upstream
    /// What the message begins with.
    public let prefix: String
    /// The file that the message names.
    public let file: StaticString
    /// The line that the message names.
    public let line: UInt

    /// Makes what ``Publisher/assertNoFailure(_:file:line:)`` returns.
    @inlinable public init(upstream: Upstream, prefix: String, file: StaticString, line: UInt) {
      self.upstream = upstream
      self.prefix = prefix
      self.file = file
      self.line = line
    }

    /// Attaches a subscriber.
    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let (prefix, file, line) = (prefix, file, line)
      upstream._attach(
        MapErrorSubscriber(downstream: subscriber, name: "AssertNoFailure") { error in
          fatalError("\(prefix.isEmpty ? "" : prefix + ": ")\(error)", file: file, line: line)
        })
    }
  }
}

extension Publishers.AssertNoFailure: Sendable where Upstream: Sendable {}
