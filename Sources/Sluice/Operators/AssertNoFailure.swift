extension Publisher {
  /// Stops the program if upstream fails. Use it for failures that can only be errors in the program.
  ///
  /// ```swift
  /// let values = PassthroughSubject<Int, any Error>()
  /// let cancellable = values.assertNoFailure("values").sink { print($0) }
  /// values.send(1)  // 1
  /// ```
  ///
  /// - Parameter prefix: The beginning of the message.
  ///
  /// - Demand: Passes through.
  /// - Thread: The thread of upstream.
  /// - Memory: Keeps nothing.
  /// - Failure: Stops the program on upstream's, and never fails.
  @inlinable public func assertNoFailure(
    _ prefix: String = "", file: StaticString = #file, line: UInt = #line
  ) -> Publishers.AssertNoFailure<Self> {
    Publishers.AssertNoFailure(upstream: self, prefix: prefix, file: file, line: line)
  }
}

extension Publishers {
  /// Stops the program if upstream fails.
  public struct AssertNoFailure<Upstream: Publisher>: _DirectPublisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Never

    public let upstream: Upstream
    /// The beginning of the message.
    public let prefix: String
    /// The file that the message names.
    public let file: StaticString
    /// The line that the message names.
    public let line: UInt

    @inlinable public init(upstream: Upstream, prefix: String, file: StaticString, line: UInt) {
      self.upstream = upstream
      self.prefix = prefix
      self.file = file
      self.line = line
    }

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
