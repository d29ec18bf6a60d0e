extension Publisher {
  /// Writes a line for every event: subscription, demand, values, the end.
  ///
  /// ```swift
  /// (1...2).publisher.print("numbers").sink { _ in }
  /// // numbers: receive subscription: (1...2)
  /// // numbers: request unlimited
  /// // numbers: receive value: (1) ...
  /// ```
  ///
  /// - Parameters:
  ///   - prefix: The beginning of every line.
  ///   - stream: Receives the lines instead of standard output. `TimeLogger` of `SluiceExtras` puts the time before
  ///     each.
  ///
  /// - Demand: Passes through.
  /// - Thread: The thread of upstream; each line is written on the thread of its event.
  /// - Memory: Keeps nothing.
  /// - Failure: Passes on upstream's.
  @inlinable public func print(
    _ prefix: String = "", to stream: (any TextOutputStream)? = nil
  ) -> Publishers.Print<Self> {
    Publishers.Print(upstream: self, prefix: prefix, to: stream)
  }
}

extension Publishers {
  /// Writes a line for every event.
  public struct Print<Upstream: Publisher>: _DirectPublisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The beginning of every line.
    public let prefix: String
    public let upstream: Upstream
    /// Receives the lines; nil for standard output.
    public let stream: (any TextOutputStream)?

    @inlinable public init(upstream: Upstream, prefix: String, to stream: (any TextOutputStream)? = nil) {
      self.upstream = upstream
      self.prefix = prefix
      self.stream = stream
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream._attach(PrintSubscriber(downstream: subscriber, log: EventLog(prefix: prefix, stream: stream)))
    }
  }
}

/// Writes the lines one at a time, from any thread.
@usableFromInline
final class EventLog: @unchecked Sendable {
  // The lock protects the stream. Two threads that write at once may each write to a copy of it, as in Combine.
  private let prefix: String
  private let stream: Locked<Stream?>

  private struct Stream: TextOutputStream {
    var stream: any TextOutputStream
    mutating func write(_ string: String) { stream.write(string) }
  }

  @usableFromInline init(prefix: String, stream: (any TextOutputStream)?) {
    self.prefix = prefix.isEmpty ? "" : prefix + ": "
    self.stream = Locked(stream.map { Stream(stream: $0) })
  }

  @usableFromInline func write(_ line: String) {
    // The stream is copied out, because foreign code is not called under a lock.
    if var stream = stream.withLock({ $0 }) {
      Swift.print(prefix + line, to: &stream)
      // The former stream is taken out under the lock, and released after the lock.
      var copy: Stream? = stream
      self.stream.withLock { swap(&$0, &copy) }
    } else {
      Swift.print(prefix + line)
    }
  }

  @usableFromInline func write(_ demand: Subscribers.Demand, _ note: String = "") {
    write((demand.max.map { "request max: (\($0))" } ?? "request unlimited") + note)
  }
}

@usableFromInline
struct PrintSubscriber<Downstream: Subscriber>: Subscriber, Operators.Description {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let downstream: Downstream
  @usableFromInline let log: EventLog
  @usableFromInline let link: TapLink

  @usableFromInline init(downstream: Downstream, log: EventLog) {
    self.downstream = downstream
    self.log = log
    link = TapLink("Print", onRequest: { log.write($0) }, onCancel: { log.write("receive cancel") }, staysAwake: true)
  }

  @usableFromInline var name: StaticString { link.name }
  @usableFromInline var combineIdentifier: CombineIdentifier { link.combineIdentifier }

  @usableFromInline func receive(subscription: any Subscription) {
    log.write("receive subscription: (\(subscription))")
    if link.connect(subscription) { downstream.receive(subscription: link) } else { subscription.cancel() }
  }

  @usableFromInline func receive(_ input: Input) -> Subscribers.Demand {
    log.write("receive value: (\(input))")
    let more = downstream.receive(input)
    if more != .none { log.write(more, " (synchronous)") }
    return more
  }

  @usableFromInline func receive(completion: Subscribers.Completion<Failure>) {
    switch completion {
    case .finished: log.write("receive finished")
    case .failure(let error): log.write("receive error: (\(error))")
    }
    link.end()
    downstream.receive(completion: completion)
  }
}
